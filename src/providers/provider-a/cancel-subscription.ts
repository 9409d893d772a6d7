import type { SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { SubscriptionRequest } from '../provider-operations';
import { endOf, isOver } from './subscription-facts';
import { updateIdempotently } from './idempotent-update';

/**
 * Stops the renewal; the subscription continues until its period ends. Also `done` if the subscription has ended. A
 * schedule of the merchant's is released, because its later phases have no place after the end.
 */
export function cancelSubscription(
  access: ConnectionAccess,
  { reference, key, reason }: SubscriptionRequest,
): Promise<Outcome<SubscriptionFacts>> {
  return updateIdempotently(access, {
    reference,
    key,
    setsEnd: true,
    isApplied: (subscription) => isOver(subscription) || endOf(subscription).cancelAtPeriodEnd,
    parameters: () => ({ cancel_at_period_end: true, cancellation_details: { comment: reason } }),
  });
}
