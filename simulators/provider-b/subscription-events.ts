import { publish } from './events';
import { subscriptionResource } from './subscription-objects';
import type { Account, Simulation, Subscription } from './state';

/** Publishes an event with the subscription's current state. `UPDATED` is also sent if the plan is unchanged. */
export function tell(
  simulation: Simulation,
  account: Account,
  subscription: Subscription,
  what: string,
  summary: string,
): void {
  publish(simulation, account, {
    type: `BILLING.SUBSCRIPTION.${what}`,
    resourceType: 'subscription',
    summary,
    resource: subscriptionResource(account, subscription, what === 'PAYMENT.FAILED'),
  });
}
