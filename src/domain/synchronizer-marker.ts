import { HOUR_MS, MINUTE_MS, type Instant } from './instant';

/**
 * `claimed`: the provider is about to be called, or was called without the result being stored; `prepared`: it has the
 * new terms.
 */
export type SyncState = 'claimed' | 'prepared' | 'failed';

/** How far provider A is prepared for the renewal that brings a scheduled change. */
export interface SyncMarker {
  state: SyncState;
  planId: string;
  plan: string;
  seats: number;
  /**
   * The price that is sent: the plan's reference at the provider, or the subscription's own, older price if only its
   * seats change. Empty if the plan has no reference.
   */
  planReference: string;
  /** The renewal that the change is for. */
  boundary: Instant;
  /** Number of attempts. */
  attempts: number;
  /** Whether any attempt may have reached the provider. */
  told: boolean;
  /**
   * The steps whose change may still reach the provider, oldest first: each was sent under a key of its own. Omitted
   * before anything is sent, and in records from before it was stored.
   */
  sentAt?: Instant[] | undefined;
  /**
   * Reference of the price that the subscription had at the provider before the first attempt, which may be one that
   * the plan no longer uses; a withdrawal restores it. Omitted before it is read, and in records from before it was
   * stored.
   */
  ownReference?: string | undefined;
  /**
   * Amount of the prepared price per unit, in minor units as text; the plan's price may change until the renewal.
   * Omitted until it is prepared, if the provider does not state it, and in records from before it was stored.
   */
  unitAmount?: string | undefined;
  /**
   * Whether the provider received the change after it had renewed, so that the renewal was charged without it although
   * the provider shows it. Omitted otherwise, and in records from before it was stored.
   */
  late?: boolean | undefined;
  /** When it entered this state. */
  at: Instant;
  /** Why it failed. */
  reason: string | null;
  /** When it is tried again; null if there is nothing to try. */
  retryAt: Instant | null;
}

/** How long before its boundary provider A is prepared for a scheduled change. */
export const PREPARE_WINDOW_MS = 6 * HOUR_MS;
/** Maximum delay before a failed preparation is tried again. */
export const PREPARE_RETRY_MS = HOUR_MS;
/** Minimum of the same before the boundary. */
const PREPARE_LAST_RETRY_MS = 5 * MINUTE_MS;
/** More than the steps before one boundary. */
const MAX_SENT = 20;

/**
 * Returns the key under which provider A receives the change. All attempts at a step have the same one: an attempt that
 * was frozen, and continues after a later one, changes nothing. It is unique to the step: the same change may be
 * withdrawn and requested again before the same boundary.
 *
 * @param at of the step
 */
export function keyOfPreparation(subscriptionId: string, { at }: Pick<SyncMarker, 'at'>): string {
  return `${subscriptionId}-${at}`;
}

/** Returns the marker of a step that is about to send something. */
export function sendingMarker(marker: SyncMarker, at: Instant): SyncMarker {
  const others = (marker.sentAt ?? []).filter((one) => one !== at);
  return { ...marker, told: true, sentAt: [...others, at].slice(-MAX_SENT) };
}

/** Returns the steps whose change the provider may still receive, oldest first. */
export function stepsInDoubt({ told, sentAt, state, at }: SyncMarker): Instant[] {
  if (!told) return [];
  return sentAt ?? (state === 'prepared' ? [] : [at]);
}

/** Returns the keys under which the provider may still receive a change, oldest first. */
export function keysInDoubt(subscriptionId: string, marker: SyncMarker): string[] {
  return stepsInDoubt(marker).map((at) => keyOfPreparation(subscriptionId, { at }));
}

/** Returns the marker after provider A has accepted the change, at the price per unit that it states. */
export function preparedMarker(marker: SyncMarker, unitAmount: string | undefined, at: Instant): SyncMarker {
  // This step's change has arrived; those of earlier steps may still do so.
  const sentAt = marker.sentAt?.filter((step) => step !== at);
  return {
    ...marker,
    state: 'prepared',
    sentAt,
    unitAmount,
    late: undefined,
    at,
    reason: null,
    retryAt: null,
  };
}

/** Returns the marker after an attempt whose call was refused, or whose outcome is unknown; it is tried again. */
export function failedMarker(marker: SyncMarker, reason: string, at: Instant): SyncMarker {
  return { ...marker, state: 'failed', at, reason, retryAt: at + retryDelay(marker.boundary - at) };
}

/** An hour; nearer to the boundary half of the time that is left, because a change that misses it waits a period. */
function retryDelay(left: number): number {
  if (left <= 0) return PREPARE_RETRY_MS;
  return Math.min(PREPARE_RETRY_MS, Math.max(PREPARE_LAST_RETRY_MS, Math.floor(left / 2)));
}

/** Returns the marker after an attempt that the provider received after it had renewed: the next renewal is the aim. */
export function lateMarker(marker: SyncMarker, reason: string, at: Instant): SyncMarker {
  return { ...failedMarker(marker, reason, at), late: true };
}

/**
 * Returns the marker after an attempt that sent nothing, because it is unclear which item at the provider is the
 * plan's: the price that was read may be that of another item.
 */
export function unsentMarker(marker: SyncMarker): SyncMarker {
  return { ...marker, told: false, sentAt: undefined, ownReference: undefined };
}
