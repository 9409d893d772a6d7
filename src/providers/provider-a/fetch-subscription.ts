import Stripe from 'stripe';
import type { BillingAtProvider } from '../../domain/drift-types';
import type { SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { BilledSubscriptionFacts } from '../provider-adapter';
import { clientFor } from './client';
import { priceFacts } from './fetch-plan-price';
import { readOutcome } from './outcomes';
import { trackedPrices } from './plan-references';
import { wholeSubscription } from './embedded-lists';
import { factsOfSubscription, ourItem, type SubscriptionWire } from './subscription-facts';

export function fetchBilledSubscription(
  access: ConnectionAccess,
  reference: string,
): Promise<Outcome<BilledSubscriptionFacts>> {
  return readOutcome(async () => {
    const tracked = trackedPrices(access);
    const client = clientFor(access);
    const wire = await wholeSubscription(client, await client.subscriptions.retrieve(reference));
    return { facts: factsOfSubscription(wire, tracked), billing: billingOf(wire, tracked) };
  });
}

/** Returns what is charged for a subscription beyond its plan and quantity, and what reduces or pauses its charges. */
function billingOf(wire: SubscriptionWire, tracked: ReadonlySet<string>): BillingAtProvider {
  const ours = ourItem(wire, tracked);
  const others = wire.items.data.filter((item) => item !== ours);
  const discounts = [wire.discount, ...(wire.discounts ?? [])].filter((one) => one !== null);
  return {
    price: ours?.price ? priceFacts(ours.price) : undefined,
    otherItems: others.map(({ price, quantity }) => ({
      planReference: price?.id ?? 'an unnamed price',
      quantity: quantity ?? null,
    })),
    trialEnd: wire.trial_end,
    discounts: [...new Set(discounts)],
    pausedCollection: wire.pause_collection ? (wire.pause_collection.behavior ?? 'paused') : null,
  };
}

export function fetchSubscription(
  access: ConnectionAccess,
  reference: string,
): Promise<Outcome<SubscriptionFacts>> {
  return readOutcome(async () => {
    const client = clientFor(access);
    const subscription = await wholeSubscription(client, await retrieveWithInvoice(client, reference));
    return factsOfSubscription(subscription, trackedPrices(access));
  });
}

/** The provider refuses the whole request if a restricted key does not permit reading the invoice. */
async function retrieveWithInvoice(client: Stripe, reference: string): Promise<Stripe.Subscription> {
  try {
    return await client.subscriptions.retrieve(reference, { expand: ['latest_invoice'] });
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripePermissionError)) throw error;
    return client.subscriptions.retrieve(reference);
  }
}
