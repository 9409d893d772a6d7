import type { AccessStatus } from './access-types';
import { DAY_MS, type Instant } from './instant';
import { endsAt } from './pending-cancellation';
import type { SubscriptionStatus } from './subscription-types';
import type { Provider } from './provider';

/** What access depends on besides entitlements. */
export interface AccessStatusView {
  status: SubscriptionStatus;
  provider: Provider;
  cancelAtPeriodEnd: boolean;
  /** When it ends, where the provider names an instant. */
  cancelAt?: Instant | null;
  currentPeriodEnd: Instant;
  /** When it became past due; null unless `past_due`. */
  pastDueSince: Instant | null;
  /** When the earliest transaction that is not paid makes it past due; null when nothing is open. */
  paymentDueAt: Instant | null;
}

/** Days of 24 hours after which a past-due subscription stops granting, and after which it counts as expired. */
export interface PastDuePolicy {
  graceDays: number;
  /** At least `graceDays`. */
  expireAfterDays: number;
}

/**
 * The access that a subscription gives at `now`: `active` grants, `past_due` denies for that reason, `none`
 * denies. It reads the row and the time only, so it is right even when nothing has run since the row was written.
 */
export function accessStatusOf(
  subscription: AccessStatusView,
  policy: PastDuePolicy,
  now: Instant,
): AccessStatus {
  if (endedAtBoundary(subscription, now)) return 'none';
  switch (subscription.status) {
    case 'trialing': // A trial past its end counts as active: turning it is our work, not the customer's.
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

/** A subscription that may be over, and when it began and was cancelled. */
export interface PastAccessView extends AccessStatusView {
  startedAt: Instant;
  /** When it was cancelled, of one that is over. */
  cancelledAt?: Instant | null;
}

/**
 * The access that a subscription gave at a time that is past: one that has been cancelled since gave it until then. What
 * an expired one gave is not known any more, and it was not paid for.
 */
export function accessStatusThen(
  subscription: PastAccessView,
  policy: PastDuePolicy,
  at: Instant,
): AccessStatus {
  if (at < subscription.startedAt) return 'none';
  if (subscription.status !== 'cancelled') return accessStatusOf(subscription, policy, at);
  const ends = [subscription.cancelledAt ?? null, endsAt(subscription)].filter((end) => end !== null);
  return ends.length > 0 && at < Math.min(...ends) ? 'active' : 'none';
}

/** Not written down as past due yet, and past due all the same. */
function isOverdue({ paymentDueAt }: AccessStatusView, now: Instant): boolean {
  return paymentDueAt !== null && now >= paymentDueAt;
}

/** Provider C grants until its own disable event; B and internal cancel at once and leave no such flag. */
function endedAtBoundary(subscription: AccessStatusView, now: Instant): boolean {
  const end = subscription.provider === 'provider_a' ? endsAt(subscription) : null;
  return end !== null && now >= end;
}

/** Until when a subscription that is past due since then still gives access. */
export function graceEndsAt(since: Instant, { graceDays }: Pick<PastDuePolicy, 'graceDays'>): Instant {
  return since + graceDays * DAY_MS;
}

function accessStatusOfPastDue(since: Instant | null, policy: PastDuePolicy, now: Instant): AccessStatus {
  // Without a date the grace cannot be measured; denying names the reason, granting would have no end.
  if (since === null) return 'past_due';
  if (now < graceEndsAt(since, policy)) return 'active';
  return now < since + policy.expireAfterDays * DAY_MS ? 'past_due' : 'none';
}
