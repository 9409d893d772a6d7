import { DAY_MS, type Instant } from './instant';

/** An endpoint whose attempts have all failed for so long is disabled. */
export const FAILING_MS = 7 * DAY_MS;

/** What became of an attempt: `gone` says that the receiver wants no more. */
export type AttemptOutcome = 'delivered' | 'failed' | 'gone';

/** Only 2xx is a success: a redirect is not followed, so nobody has taken the message. @param status null where no answer came */
export function outcomeOf(status: number | null): AttemptOutcome {
  if (status !== null && status >= 200 && status <= 299) return 'delivered';
  return status === 410 ? 'gone' : 'failed';
}

/** An attempt at an endpoint, as far as it says how the endpoint does. */
export interface Tried {
  at: Instant;
  outcome: AttemptOutcome;
}

/**
 * Since when an endpoint fails: when the first attempt was that has failed since the last one that succeeded; null where
 * the last one succeeded, or none was made.
 *
 * @param before what it was before these attempts
 */
export function failingSince(before: Instant | null, tried: readonly Tried[]): Instant | null {
  let since = before;
  for (const { at, outcome } of [...tried].sort((one, other) => one.at - other.at)) {
    since = outcome === 'delivered' ? null : (since ?? at);
  }
  return since;
}

/** Why an endpoint is to be disabled after these attempts; null where it goes on. */
export function whyDisable(since: Instant | null, tried: readonly Tried[]): 'failing' | 'gone' | null {
  const last = Math.max(...tried.map(({ at }) => at));
  if (tried.some(({ outcome }) => outcome === 'gone')) return 'gone';
  return since !== null && last - since >= FAILING_MS ? 'failing' : null;
}
