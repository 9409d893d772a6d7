import type { SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { SubscriptionRequest } from '../provider-operations';
import { trackedPrices } from './plan-references';
import { endAfterOtherItem, endOf, isOver } from './subscription-facts';
import { updateIdempotently } from './idempotent-update';

/**
 * Stops the renewal; the subscription continues until its plan's period ends. Also `done` if the subscription has ended.
 * A schedule of the merchant's is released, because its later phases have no place after the end.
 */
export function cancelSubscription(
  access: ConnectionAccess,
  { reference, key, reason }: SubscriptionRequest,
): Promise<Outcome<SubscriptionFacts>> {
  const tracked = trackedPrices(access);
  return updateIdempotently(access, {
    reference,
    key,
    setsEnd: true,
    isApplied: (subscription) => isOver(subscription) || endOf(subscription, tracked).cancelAtPeriodEnd,
    variantOf: (subscription) => {
      const end = endAfterOtherItem(subscription, tracked);
      return end === null ? '' : `-at-${end}`;
    },
    parameters: (subscription) => {
      const end = endAfterOtherItem(subscription, tracked);
      const details = { cancellation_details: { comment: reason } };
      if (end === null) return { cancel_at_period_end: true, ...details };
      return { cancel_at: end / 1000, proration_behavior: 'none', ...details };
    },
  });
}
