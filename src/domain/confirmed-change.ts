import { hasEnded } from './subscription-types';
import type { ProviderWork, RequestedTerms } from './provider-work';
import { quantityAtProvider } from './provider-quantity';
import type { BilledFacts, Consequence, ReconciledView } from './reconciled-view';
import { isSamePlanAndSeats } from './same-plan-and-seats';
import { withoutScheduledChange } from './upcoming-changes';

/**
 * Schedules the requested change that provider B's facts confirm: B shows a plan and quantity as soon as the customer
 * has approved them. Facts with the old plan confirm nothing, and an ended subscription is not changed.
 */
export function withConfirmedChange<V extends ReconciledView>(
  view: V,
  facts: BilledFacts,
  consequences: Consequence[],
): V {
  if (view.provider !== 'provider_b' || hasEnded(facts.status)) return view;
  const { work } = view;
  const shown = isShownBy(facts);
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

/** Whether provider B shows these terms. */
export function isShownBy(facts: BilledFacts): (terms: RequestedTerms) => boolean {
  return (terms) =>
    facts.planReference === terms.planReference && (facts.quantity ?? 1) === quantityAtProvider(terms);
}

/** Whether the next renewal already brings these terms, or keeps them. */
function isNext(view: ReconciledView, terms: RequestedTerms): boolean {
  return isSamePlanAndSeats(view.scheduled ?? view, terms);
}

/** A change back to the terms billed now leaves nothing scheduled. */
function scheduling<V extends ReconciledView>(view: V, terms: RequestedTerms, work: ProviderWork): V {
  if (isSamePlanAndSeats(view, terms)) {
    return { ...withoutScheduledChange(view), work: { ...work, confirmed: null } };
  }
  const { planId, planSlug, seats, pricing, interval, requestedAt, planReference } = terms;
  const unitAmount = BigInt(terms.unitAmount);
  const scheduled = { planId, planSlug, seats, pricing, interval, requestedAt, unitAmount };
  const waiting = { ...work, confirmed: { planId, seats, planReference, unitAmount: terms.unitAmount } };
  return {
    ...view,
    work: waiting,
    scheduled,
    scheduledInterval: interval,
    nextPeriodIsFree: unitAmount === 0n,
  };
}
