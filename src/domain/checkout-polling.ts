import { DAY_MS, HOUR_MS, MINUTE_MS, type Instant } from './instant';
import { retryPendingCallAt } from './provider-work';

/** Minutes after a checkout's creation at which its provider is first polled, in case no webhook arrives. */
const FIRST_POLL_MINUTES = [2, 10];
const POLL_INTERVAL_MS = HOUR_MS;
/** How long a provider that does not answer, or does not report what began, is polled after the deadline. */
const POLLED_AFTER_DEADLINE_MS = 3 * DAY_MS;
/** How long a pending payment is awaited after the deadline: a bank debit may take weeks. */
const PENDING_AFTER_DEADLINE_MS = 30 * DAY_MS;

/** Inputs of a checkout's poll schedule. Instants are in the workspace's time. */
interface PollSchedule {
  /** Time at which its page was created. */
  createdAt: Instant;
  expiresAt: Instant;
  /** Number of polls so far; for a retry, including the one that was not answered. */
  polls: number;
}

/**
 * Returns when a checkout that is open at its provider is polled next: soon after its creation, then hourly, and at its
 * deadline.
 */
export function nextCheckoutPollAt({ createdAt, expiresAt, polls }: PollSchedule, now: Instant): Instant {
  const minutes = FIRST_POLL_MINUTES[polls];
  const planned = minutes === undefined ? now + POLL_INTERVAL_MS : createdAt + minutes * MINUTE_MS;
  const next = planned > now ? planned : now + POLL_INTERVAL_MS;
  return now < expiresAt ? Math.min(next, expiresAt) : next;
}

/** Returns when a provider that did not answer is polled again: with growing delays, and at the deadline. */
export function retryPollAt({ expiresAt, polls }: Omit<PollSchedule, 'createdAt'>, now: Instant): Instant {
  const next = retryPendingCallAt(polls - 1, now);
  return now < expiresAt ? Math.min(next, expiresAt) : next;
}

/**
 * Returns when a provider that has not answered this poll stopped answering. A poll that comes days late, because this
 * service was down, begins a new silence.
 *
 * @param checkout.unansweredSince the start of the silence so far; null if the last poll was answered
 * @param checkout.nextWakeAt when this poll was due
 */
export function silenceSince(
  { unansweredSince, nextWakeAt }: { unansweredSince: Instant | null; nextWakeAt: Instant | null },
  now: Instant,
): Instant {
  const isLate = nextWakeAt !== null && now >= nextWakeAt + POLLED_AFTER_DEADLINE_MS;
  return unansweredSince === null || isLate ? now : unansweredSince;
}

/**
 * Whether polling of a provider that does not answer stops: three days after the deadline, and after as many days
 * without an answer, because a missing answer or two after an outage of this service must not end a checkout that may
 * be paid.
 *
 * @param unansweredSince the start of the silence
 */
export function isPastPolling(expiresAt: Instant, unansweredSince: Instant, now: Instant): boolean {
  return now >= Math.max(expiresAt, unansweredSince) + POLLED_AFTER_DEADLINE_MS;
}

/**
 * Whether to stop waiting for a checkout whose customer has completed the provider's page.
 *
 * @param payment the payment's status at the provider; undefined when the provider does not report one
 */
export function isPastWaiting(
  expiresAt: Instant,
  payment: 'succeeded' | 'pending' | 'failed' | undefined,
  now: Instant,
): boolean {
  return now >= expiresAt + (payment === 'pending' ? PENDING_AFTER_DEADLINE_MS : POLLED_AFTER_DEADLINE_MS);
}
