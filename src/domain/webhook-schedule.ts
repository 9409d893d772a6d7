import { HOUR_MS, MINUTE_MS, type Instant } from './instant';

const SECOND_MS = 1_000;

/**
 * How long a process holds a delivery: one attempt, and time to record its outcome. If the lease expires before that,
 * another process takes the delivery.
 */
export const LEASE_MS = 30 * SECOND_MS;

/**
 * Returns the latest possible end of a lease: a pending delivery whose next attempt is later waits for a retry. Allows
 * for a holder whose clock is half a minute ahead.
 */
export function latestLease(now: Instant): Instant {
  return now + 2 * LEASE_MS;
}

/** Pauses after the first attempt, the second, and so on: ten attempts over three days. */
const PAUSES_MS = [
  5 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
  14 * HOUR_MS,
  22 * HOUR_MS,
  27 * HOUR_MS,
];
/**
 * Pauses vary by up to this fraction in either direction, so that simultaneous failures are not retried simultaneously.
 */
const JITTER = 0.1;
/** Longest pause that a receiver may request. */
const MAX_RETRY_AFTER_MS = 6 * HOUR_MS;

/** A delivery whose latest attempt failed. */
export interface FailedDelivery {
  /** Number of attempts made, 1 or more. */
  attempts: number;
  failedAt: Instant;
  /** The pause that the receiver requested; null if it requested none. */
  retryAfterMs: number | null;
}

/**
 * Returns when a failed delivery is retried; null if it has used all its attempts.
 *
 * @param random at least 0, less than 1
 */
export function nextAttemptAt(
  { attempts, failedAt, retryAfterMs }: FailedDelivery,
  random: number,
): Instant | null {
  const pause = PAUSES_MS[attempts - 1];
  if (pause === undefined) return null;
  const jittered = Math.round(pause * (1 - JITTER + 2 * JITTER * random));
  return failedAt + Math.max(jittered, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}

/**
 * Returns the pause that a `Retry-After` header requests, in milliseconds; null if it is missing or malformed.
 *
 * @param header seconds, or an HTTP date
 */
export function readRetryAfter(header: string | undefined, now: Instant): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header)) return null;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
