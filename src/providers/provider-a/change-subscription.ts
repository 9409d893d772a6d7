import type Stripe from 'stripe';
import { REACTIVATE_FIRST } from '../../domain/capabilities';
import { keepsShownPrice } from '../../domain/kept-price';
import { AMBIGUOUS_ITEM } from '../ambiguous-item';
import type { SubscriptionFacts } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import { ENDED } from '../ended-subscription';
import type { Outcome } from '../outcome';
import type { ChangeRequest } from '../provider-operations';
import { listedPrices, trackedPrices } from './plan-references';
import { endOf, isOver, itemToChange, type SubscriptionItem } from './subscription-facts';
import { priceFacts } from './fetch-plan-price';
import { updateIdempotently, type Declined } from './idempotent-update';
import { priceWire } from './schemas';

/**
 * Changes the existing item instead of adding a second one. If several items may be ours, none is changed. With
 * `invoice_now` the difference is paid at once; otherwise the provider refuses and changes nothing, and the outcome is
 * `card_declined`, `customer_action_required` (also if the customer pays by invoice), `payment_method_missing` or
 * `collection_paused`. Never `pending`. Nothing is charged for a subscription that ends with its period
 * (`cancellation_pending`).
 */
export function changeSubscription(
  access: ConnectionAccess,
  request: ChangeRequest,
): Promise<Outcome<SubscriptionFacts>> {
  const { planReference, quantity } = request;
  const listed = listedPrices(access).add(planReference);
  const tracked = trackedPrices(access).add(planReference);
  const priceFor = (item: SubscriptionItem): string => {
    const { price } = item;
    if (request.keepsPrice !== true || !price?.id) return planReference;
    // An older price may be listed for another plan, or for none, by now.
    const shown = { amount: priceFacts(price).amount, isListed: listed.has(price.id) };
    return keepsShownPrice(shown, request.unitAmount) ? price.id : planReference;
  };
  return updateIdempotently(access, {
    reference: request.reference,
    key: request.key,
    supersedes: request.supersedes,
    yields: request.yields,
    alsoTracked: [planReference],
    chargesNothing: request.proration === 'none',
    isApplied: (subscription) => {
      const item = itemToChange(subscription, tracked);
      if (isOver(subscription) || item === undefined) return false;
      return item.price?.id === priceFor(item) && item.quantity === quantity;
    },
    parameters: async (subscription, client) => {
      if (isOver(subscription)) return ENDED;
      const isPaidNow = request.proration === 'invoice_now';
      if (isPaidNow && endOf(subscription, tracked).cancelAtPeriodEnd) return CANCELLING;
      if (isPaidNow && subscription.status !== 'trialing') {
        if (subscription.collection_method === 'send_invoice') return BY_INVOICE;
        if (subscription.pause_collection) return NOT_COLLECTED;
      }
      const item = itemToChange(subscription, tracked);
      if (!item?.id) return { kind: 'declined', ...AMBIGUOUS_ITEM };
      const price = priceFor(item);
      // The provider refuses to be sent an inactive price, but continues to bill it for another quantity.
      const items = [{ id: item.id, ...(price !== item.price?.id && { price }), quantity }];
      const change = { items, ...keepingPeriod(item, price) };
      if (isPaidNow) {
        return {
          ...change,
          proration_behavior: 'always_invoice',
          payment_behavior: 'error_if_incomplete',
        };
      }
      if (await hasOtherInterval(client, item, price)) return OTHER_INTERVAL;
      return { ...change, proration_behavior: 'none' };
    },
  });
}

/**
 * Keeps the period of a subscription that moves from a free price to another one. Otherwise the provider starts a
 * period at once and charges for all of it, even without proration.
 */
function keepingPeriod(
  { price }: SubscriptionItem,
  next: string,
): Pick<Stripe.SubscriptionUpdateParams, 'billing_cycle_anchor'> {
  const isFree = price && price.id !== next && priceFacts(price).amount === '0';
  return isFree ? { billing_cycle_anchor: { type: 'unchanged' } } : {};
}

/**
 * Returns whether the new price has another interval. The provider starts such an interval at once and charges for it,
 * even without proration.
 */
async function hasOtherInterval(
  client: Stripe,
  { price }: SubscriptionItem,
  planReference: string,
): Promise<boolean> {
  if (price?.id === planReference) return false;
  const { recurring } = priceWire.parse(await client.prices.retrieve(planReference));
  return (
    recurring?.interval !== price?.recurring?.interval ||
    (recurring?.interval_count ?? 1) !== (price?.recurring?.interval_count ?? 1)
  );
}

const CANCELLING: Declined = {
  kind: 'declined',
  code: REACTIVATE_FIRST.reasonCode,
  reason: REACTIVATE_FIRST.reason,
};

/**
 * The provider would make the change at once, and send an invoice for it, to be paid later or never: only automatic
 * charges can be required to succeed. Nothing is due for a change in a trial.
 */
const BY_INVOICE: Declined = {
  kind: 'declined',
  code: 'customer_action_required',
  reason:
    'This subscription is paid by invoices, so its change cannot be charged immediately, and nothing was changed.',
};

/** The provider would make the change at once, and not collect its invoice. */
const NOT_COLLECTED: Declined = {
  kind: 'declined',
  code: 'collection_paused',
  reason:
    'The collection of payments for this subscription is paused at the payment provider, so its change cannot be charged immediately, and nothing was changed.',
};

const OTHER_INTERVAL: Declined = {
  kind: 'declined',
  code: 'other_interval',
  reason:
    'The payment provider would start and charge the new billing interval immediately, so nothing was changed.',
};
