import type { SteppingState } from '../src/subscriptions/subscription-steps';
import type { SubscriptionView } from '../workflows/activity-types';

/**
 * Copies member by member, so that the customer's own id, and members added to the row later, stay out of the history.
 */
export function toView(state: SteppingState | undefined): SubscriptionView | null {
  if (state === undefined) return null;
  const { subscription: row, clockOffset } = state;
  const { scheduled, work } = row;
  return {
    provider: row.provider,
    planSlug: row.planSlug,
    seats: row.seats,
    scheduled: scheduled === null ? null : { planSlug: scheduled.planSlug, seats: scheduled.seats },
    status: row.status,
    interval: row.interval,
    timeZone: row.timeZone,
    billingAnchor: row.billingAnchor,
    trialEnd: row.trialEnd,
    currentPeriodStart: row.currentPeriodStart,
    currentPeriodEnd: row.currentPeriodEnd,
    paymentDueAt: row.paymentDueAt,
    pastDueSince: row.pastDueSince,
    incompleteUntil: row.incompleteUntil,
    scheduledInterval: row.scheduledInterval,
    nextPeriodIsFree: row.nextPeriodIsFree,
    pastDueAfterDays: row.pastDueAfterDays,
    expireAfterDays: row.expireAfterDays,
    ...(row.provider !== 'internal' && {
      cancelAtPeriodEnd: row.cancelAtPeriodEnd,
      cancelAt: row.cancelAt,
      work: {
        unsettled: work.unsettled && { retryAt: work.unsettled.retryAt },
        request: work.request && { lookAt: work.request.lookAt, expiresAt: work.request.expiresAt },
        sync: work.sync && { state: work.sync.state, retryAt: work.sync.retryAt },
        lookAgainAt: work.lookAgainAt,
        pastDueReadAt: work.pastDueReadAt,
      },
    }),
    clockOffset,
  };
}
