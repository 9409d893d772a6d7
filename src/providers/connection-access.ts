/** What an adapter needs to speak for one connection. Opened for one use, and never stored, logged or sent on. */
export interface ConnectionAccess {
  connectionId: string;
  apiMode: 'sandbox' | 'live';
  /** Raised with each new set of secrets; what is cached of the provider (a token) belongs to one version. */
  secretVersion: number;
  secrets: Readonly<Record<string, string>>;
  /** The public settings: merchant ids, plan references, plan mappings. */
  settings: Readonly<Record<string, unknown>>;
  /** Another address than the provider's own, for simulators. Refused in production mode before it comes here. */
  baseUrl?: string;
  /** How long the provider may take over a call, in milliseconds; `timeoutOf` knows the default. */
  timeoutMs?: number;
}
