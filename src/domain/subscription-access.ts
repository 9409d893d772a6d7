import type { AccessStatus } from './access-types';
import { DAY_MS, type Instant } from './instant';
import { endsAt } from './pending-cancellation';
import type { SubscriptionStatus } from './subscription-types';
import type { Provider } from './provider';

/** Inputs that access depends on besides entitlements. */
export interface AccessStatusView {
  status: SubscriptionStatus;
  provider: Provider;
  cancelAtPeriodEnd: boolean;
  /** Instant at which it ends, if the provider names one. */
  cancelAt?: Instant | null;
  currentPeriodEnd: Instant;
  /** When it became past due; null unless `past_due`. */
  pastDueSince: Instant | null;
  /** When the earliest unpaid transaction makes it past due; null if nothing is open. */
  paymentDueAt: Instant | null;
}

/**
 * Numbers of days (24 hours each) after which a past-due subscription stops granting access, and after which it counts
 * as expired.
 */
export interface PastDuePolicy {
  graceDays: number;
  /** At least `graceDays`. */
  expireAfterDays: number;
}

/**
 * Returns the access that a subscription gives at `now`: `active` grants, `past_due` denies for that reason, `none`
 * denies. It depends only on the row and the time, so it is right even if no job has run since the row was written.
 */
export function accessStatusOf(
  subscription: AccessStatusView,
  policy: PastDuePolicy,
  now: Instant,
): AccessStatus {
  if (endedAtBoundary(subscription, now)) return 'none';
  switch (subscription.status) {
    case 'trialing': // A trial past its end counts as active, because ending it is our job, not the customer's.
      return 'active';
    case 'active':
      return isOverdue(subscription, now)
        ? accessStatusOfPastDue(subscription.paymentDueAt, policy, now)
        : 'active';
    case 'past_due':
      return accessStatusOfPastDue(subscription.pastDueSince, policy, now);
    case 'incomplete':
    case 'cancelled':
    case 'expired':
      return 'none';
  }
}

/** A subscription that may have ended, with its start and cancellation. */
export interface PastAccessView extends AccessStatusView {
  startedAt: Instant;
  /** When it was cancelled, if it has ended. */
  cancelledAt?: Instant | null;
  /** Since when a payment was past due that was still missing when it was cancelled. */
  unpaidSince?: Instant | null;
}

/**
 * Returns the access that a subscription gave at a past time. A subscription cancelled since then gave access until its
 * cancellation, unless it was past due for longer than the grace days. For an expired one this is no longer known, and
 * it was not paid for.
 */
export function accessStatusThen(
  subscription: PastAccessView,
  policy: PastDuePolicy,
  at: Instant,
): AccessStatus {
  if (at < subscription.startedAt) return 'none';
  if (subscription.status !== 'cancelled') return accessStatusOf(subscription, policy, at);
  const end = cancellationEnd(subscription);
  if (end === null || at >= end) return 'none';
  const { unpaidSince = null } = subscription;
  return unpaidSince !== null && at >= unpaidSince
    ? accessStatusOfPastDue(unpaidSince, policy, at)
    : 'active';
}

/**
 * Returns when access of a cancelled subscription ended; null if that is not known. A provider may report it days after
 * the end that the row had named.
 */
export function cancellationEnd(
  subscription: AccessStatusView & { cancelledAt?: Instant | null },
): Instant | null {
  const ends = [subscription.cancelledAt ?? null, boundaryEnd(subscription)].filter((end) => end !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** Whether it is past due although that is not recorded yet. */
function isOverdue({ paymentDueAt }: AccessStatusView, now: Instant): boolean {
  return paymentDueAt !== null && now >= paymentDueAt;
}

/**
 * Returns when access ends at a boundary that the row names; null if it names none. Provider C grants until its own
 * disable event. B names an end only for what has had its last charge.
 */
function boundaryEnd(subscription: AccessStatusView): Instant | null {
  return subscription.provider === 'provider_c' ? null : endsAt(subscription);
}

function endedAtBoundary(subscription: AccessStatusView, now: Instant): boolean {
  const end = boundaryEnd(subscription);
  return end !== null && now >= end;
}

/**
 * Returns until when a past-due subscription is paid: provider B's payments were suspended within a paid period, and
 * it is past due from the end of that period. Null if a payment is overdue, and for other subscriptions.
 */
export function paidUntil(
  { pastDueSince = null }: Partial<Pick<AccessStatusView, 'pastDueSince'>>,
  now: Instant,
): Instant | null {
  return pastDueSince !== null && now < pastDueSince ? pastDueSince : null;
}

/** Returns until when a subscription that is past due since `since` still gives access. */
export function graceEndsAt(since: Instant, { graceDays }: Pick<PastDuePolicy, 'graceDays'>): Instant {
  return since + graceDays * DAY_MS;
}

function accessStatusOfPastDue(since: Instant | null, policy: PastDuePolicy, now: Instant): AccessStatus {
  // Without a date the grace period cannot be measured. Denying states the reason; granting would never end.
  if (since === null) return 'past_due';
  if (now < graceEndsAt(since, policy)) return 'active';
  return now < since + policy.expireAfterDays * DAY_MS ? 'past_due' : 'none';
}
