/** Everything an adapter needs to act for one connection. Opened for one use, and never stored, logged or passed on. */
export interface ConnectionAccess {
  connectionId: string;
  apiMode: 'sandbox' | 'live';
  /**
   * Increases with each new set of secrets, and not when the same one is sealed again; anything cached from the
   * provider (a token) belongs to one version.
   */
  secretVersion: number;
  secrets: Readonly<Record<string, string>>;
  /** The public settings: merchant ids, plan references, plan mappings. */
  settings: Readonly<Record<string, unknown>>;
  /** Prices that plans had earlier at provider A: a subscription may still be billed at one. Omitted otherwise. */
  formerReferences?: readonly string[];
  /** An address to use instead of the provider's own, for simulators. Production mode refuses it earlier. */
  baseUrl?: string;
  /** Time limit for one call to the provider, in milliseconds; `timeoutOf` has the default. */
  timeoutMs?: number;
}
