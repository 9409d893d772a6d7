import { ENDED_AT_PROVIDER } from '../../domain/provider-refused';
import type { SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { SubscriptionRequest } from '../provider-operations';
import { updateIdempotently } from './idempotent-update';
import { isOver } from './subscription-facts';

/** Reverses a scheduled end of the renewal, also one by a schedule; refused if the subscription has ended. */
export function reactivateSubscription(
  access: ConnectionAccess,
  { reference, key }: SubscriptionRequest,
): Promise<Outcome<SubscriptionFacts>> {
  return updateIdempotently(access, {
    reference,
    key,
    setsEnd: true,
    isApplied: (subscription) =>
      !isOver(subscription) && subscription.cancel_at_period_end !== true && subscription.cancel_at === null,
    // Another end may be set at the provider between two attempts.
    variantOf: ({ cancel_at_period_end: atPeriodEnd }) => (atPeriodEnd === true ? '' : '-at'),
    parameters: (subscription) => {
      if (isOver(subscription)) {
        return {
          kind: 'declined',
          code: ENDED_AT_PROVIDER,
          reason: 'The subscription has ended at the payment provider, so it cannot be reactivated.',
        };
      }
      // An end at an instant is a separate setting, which `cancel_at_period_end` would leave unchanged.
      return subscription.cancel_at_period_end === true ? { cancel_at_period_end: false } : { cancel_at: '' };
    },
  });
}
