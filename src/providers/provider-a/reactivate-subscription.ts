import type { SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { SubscriptionRequest } from '../provider-operations';
import { updateIdempotently } from './idempotent-update';
import { isOver } from './subscription-facts';

/** Takes the end of the renewal back; of a subscription that is over, it is refused. */
export function reactivateSubscription(
  access: ConnectionAccess,
  { reference, key }: SubscriptionRequest,
): Promise<Outcome<SubscriptionFacts>> {
  return updateIdempotently(access, {
    reference,
    key,
    isApplied: (subscription) =>
      !isOver(subscription) && subscription.cancel_at_period_end !== true && subscription.cancel_at === null,
    // Another end may be set there between two tries.
    variantOf: ({ cancel_at_period_end: atPeriodEnd }) => (atPeriodEnd === true ? '' : '-at'),
    parameters: (subscription) => {
      if (isOver(subscription)) {
        return {
          kind: 'declined',
          code: 'subscription_ended',
          reason: 'The subscription has ended at the payment provider, so it cannot be reactivated.',
        };
      }
      // An end at an instant is another setting, which the first would leave as it is.
      return subscription.cancel_at_period_end === true ? { cancel_at_period_end: false } : { cancel_at: '' };
    },
  });
}
