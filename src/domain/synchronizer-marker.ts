import type { Instant } from './instant';

/** `claimed`: the provider is about to be called, or was called without the result being stored; `prepared`: it has the new price. */
export type SyncState = 'claimed' | 'prepared' | 'failed';

/** How far provider A is prepared for the renewal that brings a scheduled change. */
export interface SyncMarker {
  state: SyncState;
  planId: string;
  plan: string;
  seats: number;
  /** The provider's name of the plan. */
  planReference: string;
  /** The renewal that it is for. */
  boundary: Instant;
  /** How often it was tried. */
  attempts: number;
  /** Whether any of the tries may have reached the provider. */
  told: boolean;
  /**
   * The price that the subscription had at the provider before the first of them, which may be one that the plan has left
   * behind: a withdrawal restores it. Left out before it is read, and by what was recorded before it was kept.
   */
  ownReference?: string | undefined;
  /** When it became what it is. */
  at: Instant;
  /** Why it failed. */
  reason: string | null;
  /** When it is tried again; null where nothing is to be tried. */
  retryAt: Instant | null;
}

/** How long before its boundary provider A is prepared for a scheduled change. */
export const PREPARE_WINDOW_MS = 6 * 3_600_000;
/** A preparation that failed is tried again after so long. */
export const PREPARE_AGAIN_MS = 3_600_000;
