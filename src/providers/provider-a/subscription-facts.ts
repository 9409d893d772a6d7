import type { z } from 'zod';
import type { Instant } from '../../domain/instant';
import { endAtProviderA } from '../../domain/pending-cancellation';
import type { SubscriptionFacts } from '../canonical-event';
import { priceFacts } from './fetch-plan-price';
import { subscriptionWire } from './schemas';

/** Provider A states instants in whole seconds. */
const SECOND_MS = 1_000;

export type SubscriptionWire = z.output<typeof subscriptionWire>;
export type SubscriptionItem = SubscriptionWire['items']['data'][number];

/** Translates an event's subscription, of which no prices are known yet. */
export function subscriptionOfEvent(object: unknown): SubscriptionFacts {
  return factsOfSubscription(subscriptionWire.parse(object), new Set());
}

/**
 * Translates a subscription into the service's terms, from either shape: periods on the items, or (before 2025-03-31)
 * on the subscription. Items may have been added at the provider: of several, the oldest whose price is in `tracked`
 * counts. If none is, plan and quantity are not guessed.
 */
export function factsOfSubscription(wire: SubscriptionWire, tracked: ReadonlySet<string>): SubscriptionFacts {
  const ours = ourItem(wire, tracked);
  const period = periodOf(wire, tracked);
  return {
    reference: wire.id,
    status: statusOf(wire.status),
    ...(wire.status === 'paused' && { isPaused: true }),
    ...(isPausedOnRequest(wire) && { isSuspended: true }),
    planReference: ours?.price?.id ?? null,
    quantity: ours?.quantity ?? null,
    ...(itemToChange(wire, tracked) === undefined && { isAmbiguous: true }),
    currentPeriodStart: period.start,
    currentPeriodEnd: atLeastASecond(period),
    ...endOf(wire, tracked),
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
 * may take days to answer a charge; until then the invoice is open and the subscription active. One that is sent to be
 * paid is open until then, and makes the subscription past due when its due date passes.
 */
function renewalInvoiceOf({
  latest_invoice: invoice,
  status: state,
}: SubscriptionWire): Pick<SubscriptionFacts, 'renewalInvoice'> {
  if (typeof invoice !== 'object' || invoice?.billing_reason !== 'subscription_cycle') return {};
  const { id: reference, status, collection_method: method } = invoice;
  const isDraft = status === 'draft' && invoice.auto_advance !== false;
  const isAsked = status === 'open' && state === 'active';
  const isSent = method === 'send_invoice';
  const decidedAt = isSent ? invoice.due_date : invoice.next_payment_attempt;
  const chargedAt = isDraft ? invoice.automatically_finalizes_at : decidedAt;
  const isOutstanding = isDraft || (isAsked && (!isSent || chargedAt !== null));
  return { renewalInvoice: { reference, isOutstanding, chargedAt: isOutstanding ? chargedAt : null } };
}

/**
 * Returns the period of the plan's item. If no item is known to be the plan's, or in the shape before 2025-03-31, it is
 * the first period that is stated.
 */
function periodOf(
  wire: SubscriptionWire,
  tracked: ReadonlySet<string>,
): { start: Instant | null; end: Instant | null } {
  const item = ourItem(wire, tracked) ?? wire.items.data[0];
  return {
    start: item?.current_period_start ?? wire.current_period_start,
    end: item?.current_period_end ?? wire.current_period_end,
  };
}

/** Returns its end. A pause in the second in which a period began leaves it no length; here it lasts that second. */
function atLeastASecond({ start, end }: ReturnType<typeof periodOf>): Instant | null {
  return end !== null && end === start ? end + SECOND_MS : end;
}

export function endOf(
  wire: SubscriptionWire,
  tracked: ReadonlySet<string>,
): ReturnType<typeof endAtProviderA> {
  return endAtProviderA({
    ended: isOver(wire),
    cancelAtPeriodEnd: wire.cancel_at_period_end === true,
    cancelAt: wire.cancel_at,
    currentPeriodEnd: periodOf(wire, tracked).end,
    firstPeriodEnd: firstPeriodEndOf(wire),
    canceledAt: wire.canceled_at,
    endedAt: wire.ended_at,
  });
}

/**
 * Returns when the plan's period ends if another item's ends earlier, because it has another interval: then the
 * provider's own setting would end the subscription with that item's period. Null if it would not, and if no item is
 * known to be the plan's, because a wrong guess is charged until then.
 */
export function endAfterOtherItem(wire: SubscriptionWire, tracked: ReadonlySet<string>): Instant | null {
  if (ourItem(wire, tracked) === undefined) return null;
  const { end } = periodOf(wire, tracked);
  const first = firstPeriodEndOf(wire);
  return end !== null && first !== null && first < end ? end : null;
}

function firstPeriodEndOf({ items, current_period_end: end }: SubscriptionWire): Instant | null {
  const ends = items.data.flatMap((item) => item.current_period_end ?? end ?? []);
  return ends.length === 0 ? null : Math.min(...ends);
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
