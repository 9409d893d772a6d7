import { DAY_MS, type Instant } from './instant';

/** An endpoint whose attempts have all failed for this long is disabled. */
export const FAILING_MS = 7 * DAY_MS;

/** Outcome of a delivery attempt. `gone`: the receiver answered 410 and wants no further messages. */
export type AttemptOutcome = 'delivered' | 'failed' | 'gone';

/**
 * Returns the outcome of an attempt. Only 2xx is a success: redirects are not followed, so after one the message has
 * not been received.
 * @param status null if no response arrived
 */
export function outcomeOf(status: number | null): AttemptOutcome {
  if (status !== null && status >= 200 && status <= 299) return 'delivered';
  return status === 410 ? 'gone' : 'failed';
}

/** An attempt at an endpoint, reduced to what shows the endpoint's health. */
export interface Tried {
  at: Instant;
  outcome: AttemptOutcome;
}

/**
 * Returns since when an endpoint has been failing: the time of the first failed attempt after the last success; null if
 * the last attempt succeeded or there was none.
 *
 * @param before the value before these attempts
 */
export function failingSince(before: Instant | null, tried: readonly Tried[]): Instant | null {
  let since = before;
  for (const { at, outcome } of [...tried].sort((one, other) => one.at - other.at)) {
    since = outcome === 'delivered' ? null : (since ?? at);
  }
  return since;
}

/** Returns why an endpoint is to be disabled after these attempts; null if it stays enabled. */
export function whyDisable(since: Instant | null, tried: readonly Tried[]): 'failing' | 'gone' | null {
  const last = Math.max(...tried.map(({ at }) => at));
  if (tried.some(({ outcome }) => outcome === 'gone')) return 'gone';
  return since !== null && last - since >= FAILING_MS ? 'failing' : null;
}
