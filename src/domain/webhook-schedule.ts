import type { Instant } from './instant';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses after the first attempt, the second, and so on: ten attempts over three days. */
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
/** How many attempts a delivery gets. */
export const MOST_ATTEMPTS = PAUSES_MS.length + 1;
/** A pause is up to this part longer or shorter, so that what failed together does not come back together. */
export const JITTER = 0.1;
/** A receiver may ask for a longer pause, up to this. */
export const LONGEST_RETRY_AFTER_MS = 6 * HOUR_MS;

/**
 * When a delivery that has failed is tried again; null where it has had its attempts.
 *
 * @param attempts how many it has had, 1 or more
 * @param retryAfterMs what the receiver asked for; null where it asked for nothing
 * @param random at least 0, less than 1
 */
export function nextAttemptAt(
  attempts: number,
  failedAt: Instant,
  retryAfterMs: number | null,
  random: number,
): Instant | null {
  const pause = PAUSES_MS[attempts - 1];
  if (pause === undefined) return null;
  const jittered = Math.round(pause * (1 - JITTER + 2 * JITTER * random));
  return failedAt + Math.max(jittered, Math.min(retryAfterMs ?? 0, LONGEST_RETRY_AFTER_MS));
}

/**
 * The pause that a `Retry-After` header asks for, in milliseconds; null where it is missing or says nothing.
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
