import type { Instant } from './instant';
import { settleAgainAfter } from './provider-work';

const MINUTE_MS = 60_000;
/** Minutes after a checkout was made at which the provider is read for it, in case no webhook comes. */
const FIRST_LOOKS = [2, 10];
const LATER_MS = 60 * MINUTE_MS;
/** A provider that cannot be asked after the deadline is asked for so long. */
const ASKED_AFTER_DEADLINE_MS = 3 * 24 * 60 * MINUTE_MS;
/** A bank may take weeks over a debit; what it has not decided by then, it does not decide. */
const UNDER_WAY_AFTER_DEADLINE_MS = 30 * 24 * 60 * MINUTE_MS;

/** What the looks at a provider go by. Instants are the workspace's time. */
interface LookedFor {
  /** When its page was made. */
  createdAt: Instant;
  expiresAt: Instant;
  /** How often the provider was read for it. */
  looks: number;
}

/**
 * When the provider is read next for a checkout that is still open there: soon after it was made, then hourly, and at
 * its deadline before it gives up.
 */
export function nextCheckoutLook({ createdAt, expiresAt, looks }: LookedFor, now: Instant): Instant {
  const minutes = FIRST_LOOKS[looks];
  const planned = minutes === undefined ? now + LATER_MS : createdAt + minutes * MINUTE_MS;
  const next = planned > now ? planned : now + LATER_MS;
  return now < expiresAt ? Math.min(next, expiresAt) : next;
}

/** When a provider that did not answer is asked again. */
export function askAgainAt({ expiresAt, looks }: Omit<LookedFor, 'createdAt'>, now: Instant): Instant {
  const next = settleAgainAfter(Math.max(0, looks - 1), now);
  return now < expiresAt ? Math.min(next, expiresAt) : next;
}

/** Whether a provider that has not answered since the deadline is asked no more. */
export function isPastAsking(expiresAt: Instant, now: Instant): boolean {
  return now >= expiresAt + ASKED_AFTER_DEADLINE_MS;
}

/**
 * Whether what should come of a checkout that its customer has gone through is waited for no more.
 *
 * @param payment what the provider says of its payment; undefined where it says nothing
 */
export function isPastWaiting(
  expiresAt: Instant,
  payment: 'succeeded' | 'pending' | 'failed' | undefined,
  now: Instant,
): boolean {
  if (payment !== 'pending') return isPastAsking(expiresAt, now);
  return now >= expiresAt + UNDER_WAY_AFTER_DEADLINE_MS;
}
