import type { z } from 'zod';
import { endAtProviderA } from '../../domain/pending-cancellation';
import type { SubscriptionFacts } from '../canonical-event';
import { priceFacts } from './fetch-plan-price';
import { subscriptionWire } from './schemas';

export type SubscriptionWire = z.output<typeof subscriptionWire>;
export type SubscriptionItem = SubscriptionWire['items']['data'][number];

/**
 * Translates a subscription into the service's terms, from either shape: periods on the items, or (before 2025-03-31)
 * on the subscription. Items may have been added at the provider: of several, the oldest whose price is in `tracked`
 * counts. If none is, plan and quantity are not guessed.
 */
export function subscriptionFacts(
  object: unknown,
  tracked: ReadonlySet<string> = new Set(),
): SubscriptionFacts {
  return factsOfSubscription(subscriptionWire.parse(object), tracked);
}

export function factsOfSubscription(wire: SubscriptionWire, tracked: ReadonlySet<string>): SubscriptionFacts {
  const items = wire.items.data;
  const ours = ourItem(wire, tracked);
  const period = ours ?? items[0];
  return {
    reference: wire.id,
    status: statusOf(wire.status),
    ...(wire.status === 'paused' && { isPaused: true }),
    ...(isPausedOnRequest(wire) && { isSuspended: true }),
    planReference: ours?.price?.id ?? null,
    quantity: ours?.quantity ?? null,
    ...(itemToChange(wire, tracked) === undefined && { isAmbiguous: true }),
    currentPeriodStart: period?.current_period_start ?? wire.current_period_start,
    currentPeriodEnd: period?.current_period_end ?? wire.current_period_end,
    ...endOf(wire),
    customerReference: wire.customer,
    ...unitAmountOf(ours),
    ...renewalInvoiceOf(wire),
  };
}

/** Returns the item of our subscription: the only one, or the oldest that may be ours. Others are added later. */
export function ourItem(wire: SubscriptionWire, tracked: ReadonlySet<string>): SubscriptionItem | undefined {
  return candidates(wire, tracked).toSorted((one, other) => (one.created ?? 0) - (other.created ?? 0))[0];
}

/** Returns the item to change; undefined unless exactly one may be ours, because a wrong guess is charged. */
export function itemToChange(
  wire: SubscriptionWire,
  tracked: ReadonlySet<string>,
): SubscriptionItem | undefined {
  const [item, ...others] = candidates(wire, tracked);
  return others.length === 0 ? item : undefined;
}

/** Returns the items that may be ours: the only one, or those whose price is or was a plan of ours. */
function candidates({ items }: SubscriptionWire, tracked: ReadonlySet<string>): SubscriptionItem[] {
  const { data } = items;
  return data.length === 1 ? data : data.filter(({ price }) => tracked.has(price?.id ?? ''));
}

function unitAmountOf(item: SubscriptionItem | undefined): Pick<SubscriptionFacts, 'unitAmount'> {
  const amount = item?.price ? priceFacts(item.price).amount : null;
  return amount === null ? {} : { unitAmount: amount };
}

/**
 * A renewal's invoice is a draft for an hour before it is charged, and for up to three days if webhooks fail. A bank
 * may take days to answer a charge; until then the invoice is open and the subscription active.
 */
function renewalInvoiceOf({
  latest_invoice: invoice,
  status: state,
}: SubscriptionWire): Pick<SubscriptionFacts, 'renewalInvoice'> {
  if (typeof invoice !== 'object' || invoice?.billing_reason !== 'subscription_cycle') return {};
  const { id: reference, status, collection_method: method } = invoice;
  const isDraft = status === 'draft' && invoice.auto_advance !== false;
  const isAsked = status === 'open' && state === 'active';
  const isOutstanding = (isDraft || isAsked) && method !== 'send_invoice';
  const chargedAt = isDraft ? invoice.automatically_finalizes_at : invoice.next_payment_attempt;
  return { renewalInvoice: { reference, isOutstanding, chargedAt: isOutstanding ? chargedAt : null } };
}

export function endOf(wire: SubscriptionWire): ReturnType<typeof endAtProviderA> {
  const ends = [wire, ...wire.items.data].flatMap((part) => part.current_period_end ?? []);
  return endAtProviderA({
    ended: wire.status === 'canceled' || wire.status === 'incomplete_expired',
    cancelAtPeriodEnd: wire.cancel_at_period_end === true,
    cancelAt: wire.cancel_at,
    periodEnds: ends,
    canceledAt: wire.canceled_at,
    endedAt: wire.ended_at,
  });
}

function statusOf(status: string): SubscriptionFacts['status'] {
  switch (status) {
    case 'incomplete':
    case 'trialing':
    case 'active':
    case 'past_due':
      return status;
    case 'canceled':
      return 'cancelled';
    case 'incomplete_expired':
      return 'expired';
    // Unpaid for good, or paused: nothing more is collected, and the customer can still pay or resume.
    case 'unpaid':
    case 'paused':
      return 'past_due';
    default:
      throw new RangeError(`A subscription's status is not known: ${JSON.stringify(status)}.`);
  }
}

/**
 * Returns whether somebody has paused it: then no payment has failed, and the time until then is paid. A pauses on its
 * own too: at the end of a trial without a card, and after a failed payment
 * (https://docs.stripe.com/billing/subscriptions/pause).
 */
function isPausedOnRequest({ status, status_details: details }: SubscriptionWire): boolean {
  return status === 'paused' && details?.paused?.subscription?.type === 'pause_requested';
}

/** Returns whether it has ended at the provider, so that nothing can resume it. */
export function isOver({ status }: SubscriptionWire): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}
