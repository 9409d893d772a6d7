import type { ScheduledTerms } from './change-types';
import { DAY_MS, type Instant } from './instant';
import { withoutPastDueReads } from './past-due-reading';
import { periodPrice } from './proration';
import { isOfTerms, isTakingBack } from './provider-calls';
import {
  SAME_MS,
  withProviderFacts,
  type FactsOccasion,
  type ProvidedView,
  type ProviderFacts,
} from './provider-facts';
import type { ProviderWork, RequestedTerms, SyncMarker } from './provider-work';
import { quantityAtProvider } from './provider-quantity';
import { periodOverAt, withEnd } from './subscription-end';
import type { Pricing } from './subscription-types';

/** A subscription as its provider has it, with what it is billed for. */
export interface BilledFacts extends ProviderFacts {
  /** The provider's name of the plan. */
  planReference: string | null;
  quantity: number | null;
  /** The last payment that succeeded, minor units as text; left out where the subscription does not say. */
  lastPayment?: { amount: string; at: Instant };
}

/** What reconciling depends on: a `BilledSubscription` is one. */
export interface ReconciledView extends ProvidedView {
  planId: string;
  planSlug: string;
  seats: number;
  unitAmount: bigint;
  pricing: Pricing;
  planUnitAmount: bigint;
  scheduled: ScheduledTerms | null;
  work: ProviderWork;
}

/**
 * What followed besides the facts themselves. `approved`: the customer has confirmed what was asked; `approved_late`:
 * one that was not waited for any more; `applied`: the scheduled change came with its renewal; `unprepared`: the
 * renewal came before the provider had the change; `undone`: it came, and the provider does not show what was confirmed.
 */
export type Consequence =
  | { kind: 'approved' | 'approved_late'; terms: RequestedTerms }
  | { kind: 'applied' | 'unprepared' | 'undone'; terms: ScheduledTerms };

export interface Reconciled<V> {
  view: V;
  consequences: Consequence[];
}

/**
 * The subscription with what its provider says of it. Plan and seats change in one case only: a change that was
 * prepared here and is known to the provider comes with the renewal that it waited for. Everything else that the
 * provider says of them is drift, for an operator to see.
 */
export function reconcileFacts<V extends ReconciledView>(
  before: V,
  facts: BilledFacts,
  occasion: FactsOccasion,
): Reconciled<V> {
  if (before.status === 'cancelled' || before.status === 'expired') return { view: before, consequences: [] };
  const consequences: Consequence[] = [];
  const approved = withApproval(before, facts, consequences);
  const turned = isTurn(approved, facts) ? withTurn(approved, facts, occasion.now, consequences) : approved;
  // Until then a renewal that brings a change is left to the boundary.
  if (turned === null) {
    const { currentPeriodEnd: end } = approved;
    const early = { ...facts, currentPeriodStart: null, currentPeriodEnd: null };
    const view = withoutPastDueReads(withProviderFacts(approved, early, occasion));
    return { view: withEnd({ ...view, currentPeriodEnd: end }), consequences };
  }
  const view = withoutPastDueReads(withoutLooks(withProviderFacts(turned, facts, occasion), before));
  return { view: isOpen(view) ? view : withoutPlans(view), consequences };
}

/** A period that lasts longer, in whatever way, has its end to be looked at, and no earlier one. */
function withoutLooks<V extends ReconciledView>(view: V, before: V): V {
  if (periodOverAt(view) <= periodOverAt(before)) return view;
  return { ...view, work: { ...view.work, lookAgainAt: null, looks: 0 } };
}

function isOpen({ status }: ReconciledView): boolean {
  return status !== 'cancelled' && status !== 'expired';
}

/** What has ended waits for nothing more, but for a call whose outcome is still to be written down. */
function withoutPlans<V extends ReconciledView>(view: V): V {
  const { unsettled } = view.work;
  const work = {
    ...view.work,
    request: null,
    sync: null,
    confirmed: null,
    dropped: [],
    lookAgainAt: null,
    looks: 0,
    pastDueReadAt: null,
    returnedAt: null,
    unsettled,
  };
  return { ...view, scheduled: null, scheduledInterval: null, work };
}

/**
 * Provider B's subscription shows a plan and quantity from the moment that the customer has approved them. Its events
 * also come with the old plan, and then confirm nothing. What has ended renews on nothing.
 */
function withApproval<V extends ReconciledView>(view: V, facts: BilledFacts, consequences: Consequence[]): V {
  if (view.provider !== 'provider_b' || facts.status === 'cancelled' || facts.status === 'expired')
    return view;
  const { work } = view;
  const shown = (terms: RequestedTerms): boolean =>
    facts.planReference === terms.planReference && (facts.quantity ?? 1) === quantityAtProvider(terms);
  const dropped = work.dropped.filter((one) => !shown(one));
  if (work.request !== null && shown(work.request)) {
    consequences.push({ kind: 'approved', terms: work.request });
    return scheduling(view, work.request, { ...work, dropped, request: null });
  }
  const late = work.dropped.find(shown);
  if (late === undefined || isNext(view, late)) return view;
  consequences.push({ kind: 'approved_late', terms: late });
  return scheduling(view, late, { ...work, dropped });
}

function isNow(view: ReconciledView, terms: RequestedTerms): boolean {
  return view.planId === terms.planId && view.seats === terms.seats;
}

/** Whether the next renewal brings these terms already, or leaves them. */
function isNext(view: ReconciledView, terms: RequestedTerms): boolean {
  const { planId, seats } = view.scheduled ?? view;
  return planId === terms.planId && seats === terms.seats;
}

/** A change back to what is billed now leaves nothing to wait for. */
function scheduling<V extends ReconciledView>(view: V, terms: RequestedTerms, work: ProviderWork): V {
  if (isNow(view, terms)) {
    const nextPeriodIsFree = view.planUnitAmount === 0n;
    const done = { ...work, confirmed: null };
    return { ...view, work: done, scheduled: null, scheduledInterval: null, nextPeriodIsFree };
  }
  const { planId, planSlug, seats, pricing, interval, requestedAt, planReference } = terms;
  const unitAmount = BigInt(terms.unitAmount);
  const scheduled = { planId, planSlug, seats, pricing, interval, requestedAt, unitAmount };
  const waiting = { ...work, confirmed: { planId, seats, planReference } };
  return {
    ...view,
    work: waiting,
    scheduled,
    scheduledInterval: interval,
    nextPeriodIsFree: unitAmount === 0n,
  };
}

/** Whether the provider is in a period after the one that is known here. */
function isTurn(view: ReconciledView, facts: BilledFacts): boolean {
  const { status, currentPeriodStart: start, currentPeriodEnd: end } = facts;
  if (status === 'incomplete' || status === 'cancelled' || status === 'expired') return false;
  if (view.status === 'incomplete' || end === null || end <= view.currentPeriodEnd) return false;
  return start === null || (start > view.currentPeriodEnd - SAME_MS && start < end);
}

/** Null while a scheduled change has still to wait: for our own boundary, or for what becomes of taking it back. */
function withTurn<V extends ReconciledView>(
  view: V,
  facts: BilledFacts,
  now: Instant,
  consequences: Consequence[],
): V | null {
  const { scheduled, planUnitAmount } = view;
  const work = { ...view.work, sync: null };
  if (scheduled === null) return { ...view, work, unitAmount: planUnitAmount };
  if (now < view.currentPeriodEnd || isTakingBack(view.work)) return null;
  if (!isKnownToProvider(view, facts)) {
    consequences.push({ kind: 'unprepared', terms: scheduled });
    return {
      ...view,
      work: { ...work, sync: missed(view, scheduled, facts, now) },
      unitAmount: planUnitAmount,
    };
  }
  if (isUndone(view, scheduled, facts)) {
    consequences.push({ kind: 'undone', terms: scheduled });
    return { ...view, work, unitAmount: planUnitAmount };
  }
  // What was approved after this renewal comes with the next one, which is charged for it.
  if (wasChargedForNow(view, scheduled, facts)) return { ...view, work, unitAmount: planUnitAmount };
  consequences.push({ kind: 'applied', terms: scheduled });
  const { planId, planSlug, seats, unitAmount, pricing, interval } = scheduled;
  const terms = { planId, planSlug, seats, unitAmount, pricing, interval, planUnitAmount: unitAmount };
  const nextPeriodIsFree = unitAmount === 0n;
  const done = { ...work, confirmed: null };
  return { ...view, ...terms, work: done, nextPeriodIsFree, scheduled: null, scheduledInterval: null };
}

/** Whether provider B no longer bills what its customer confirmed, because it was changed there. */
function isUndone({ work: { confirmed } }: ReconciledView, scheduled: ScheduledTerms, facts: BilledFacts) {
  if (confirmed === null || !isOfTerms(confirmed, scheduled) || facts.planReference === null) return false;
  return (
    facts.planReference !== confirmed.planReference || (facts.quantity ?? 1) !== quantityAtProvider(scheduled)
  );
}

/**
 * Whether the renewal was paid at the price of the terms of now: provider B's customer may approve others after it, and
 * both be learnt together. A payment of neither price (with a tax of the provider's, say) says nothing.
 */
function wasChargedForNow(
  view: ReconciledView,
  scheduled: ScheduledTerms,
  { lastPayment }: BilledFacts,
): boolean {
  if (!lastPayment || lastPayment.at < view.currentPeriodEnd - DAY_MS) return false;
  const { planUnitAmount: unitAmount } = view;
  const amount = BigInt(lastPayment.amount);
  const ofNow = [periodPrice(view), periodPrice({ ...view, unitAmount })];
  return ofNow.includes(amount) && amount !== periodPrice(scheduled);
}

/** A call to provider A may have succeeded without an answer: then its subscription shows it. */
function isKnownToProvider(
  { provider, work: { sync }, scheduled }: ReconciledView,
  facts: BilledFacts,
): boolean {
  if (provider !== 'provider_a') return true;
  if (sync === null || scheduled === null || !isOfTerms(sync, scheduled)) return false;
  if (sync.state === 'prepared') return true;
  return facts.planReference === sync.planReference && facts.quantity === quantityAtProvider(scheduled);
}

/** A plan reference belongs to its plan: one that was sent for other terms does not count. */
function missed(
  { currentPeriodEnd: boundary, work: { sync } }: ReconciledView,
  { planId, planSlug: plan, seats }: ScheduledTerms,
  { currentPeriodEnd }: BilledFacts,
  now: Instant,
): SyncMarker {
  const reason = sync?.reason ?? 'The renewal came before the payment provider was told.';
  return {
    state: 'failed',
    planId,
    plan,
    seats,
    planReference: sync !== null && isOfTerms(sync, { planId, seats }) ? sync.planReference : '',
    boundary: currentPeriodEnd ?? boundary,
    attempts: sync?.attempts ?? 0,
    told: sync?.told ?? false,
    at: now,
    reason,
    retryAt: null,
  };
}
