import type { PriceAtProvider } from '../../domain/plan-price-comparison';
import type { SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { BilledSubscriptionFacts } from '../provider-adapter';
import type { ProviderBClient } from './client';
import { fetchPlanPrice } from './fetch-plan-price';
import { readOutcome } from './outcomes';
import { subscriptionFacts } from './subscription-facts';
import { readSubscription } from './read-objects';

/** Fetches a subscription with its plan's price: B charges the plan's price unless the subscription has its own. */
export function fetchBilledSubscription(
  client: ProviderBClient,
  access: ConnectionAccess,
  reference: string,
): Promise<Outcome<BilledSubscriptionFacts>> {
  return readOutcome(async () => {
    const subscription = await readSubscription(client, access, reference);
    const facts = subscriptionFacts(subscription);
    const { planReference } = facts;
    if (planReference === null) return { facts, billing: {} };
    const price = await fetchPlanPrice(client, access, planReference);
    if (price.kind !== 'done') return { facts, billing: {} };
    const isOwn = subscription.plan_overridden === true;
    return { facts, billing: { price: isOwn ? ofItsOwn(price.value) : price.value } };
  });
}

function ofItsOwn(price: PriceAtProvider): PriceAtProvider {
  const reason =
    'The payment provider charges this subscription by terms of its own, which it does not state.';
  return {
    ...price,
    amount: null,
    currency: null,
    interval: null,
    unverifiable: { code: 'not_stated', reason },
  };
}

export function fetchSubscription(
  client: ProviderBClient,
  access: ConnectionAccess,
  reference: string,
): Promise<Outcome<SubscriptionFacts>> {
  return readOutcome(async () => subscriptionFacts(await readSubscription(client, access, reference)));
}
