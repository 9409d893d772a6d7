import { withAnchorOfInterval, withAnchorOfReportedEnd } from './billing-anchor';
import { hasEnded } from './subscription-types';
import type { Instant } from './instant';
import { hasRenewed, withRenewal } from './change-at-renewal';
import { withRenewalBeforeChange } from './changed-after-renewal';
import { withConfirmedChange } from './confirmed-change';
import { withEndOfChargedPeriod, withLastPeriod } from './end-of-charged-period';
import { withoutPastDueReads } from './past-due-reading';
import { withProviderFacts, type FactsOccasion } from './provider-facts';
import { isReadEarly } from './provider-lifecycle';
import { NO_WORK } from './provider-work';
import { billingPeriodFrom } from './period';
import type { BilledFacts, Consequence, ReconciledView } from './reconciled-view';
import { periodOverAt, withEnd } from './pending-cancellation';
import { withReadOfCharge } from './renewal-invoice';
import { withoutScheduledChange, upcomingChanges } from './upcoming-changes';

export interface Reconciled<V> {
  view: V;
  consequences: Consequence[];
}

/**
 * Applies a provider's facts to a subscription. Plan and seats change in one case only: at the renewal that brings a
 * change that was prepared here and is known to the provider. Any other plan or seats at the provider are drift, for an
 * operator to see.
 */
export function reconcileFacts<V extends ReconciledView>(
  before: V,
  reported: BilledFacts,
  occasion: FactsOccasion,
): Reconciled<V> {
  if (hasEnded(before.status)) return { view: before, consequences: [] };
  const facts = withEndOfChargedPeriod(before, withLastPeriod(before, reported, occasion.now));
  const consequences: Consequence[] = [];
  const changedSince = withRenewalBeforeChange(before, facts, occasion.now, consequences);
  const confirmed = withConfirmedChange(changedSince ?? before, facts, consequences);
  const renewed =
    changedSince === null && hasRenewed(confirmed, facts)
      ? withRenewal(confirmed, facts, occasion.now, consequences)
      : confirmed;
  // A renewal whose change has to wait leaves the period unchanged.
  if (renewed === null) {
    const { currentPeriodEnd: end } = confirmed;
    const early = { ...facts, currentPeriodStart: null, currentPeriodEnd: null };
    const view = withoutPastDueReads(withProviderFacts(confirmed, early, occasion));
    return { view: withEnd({ ...view, currentPeriodEnd: end }), consequences };
  }
  const applied = withAnchor(withProviderFacts(renewed, facts, occasion), before, facts);
  const planned = withReadOfCharge(
    withoutEarlierReads(applied, before, occasion.now),
    facts.renewalInvoice,
    occasion,
  );
  const view = withoutResumeRefusal(withoutPastDueReads(planned));
  if (!hasEnded(view.status)) return { view, consequences };
  for (const terms of upcomingChanges(view)) consequences.push({ kind: 'withdrawn', terms });
  return { view: withoutPendingWork(view), consequences };
}

/**
 * A pause that ends the period early does not begin a new one: its days of grace count in the paid period. Otherwise a
 * customer who pauses, is credited the unused time and resumes would get the quota twice.
 */
function withAnchor<V extends ReconciledView>(view: V, before: V, { isSuspended }: BilledFacts): V {
  const counted = withAnchorOfInterval(view, before);
  if (view.currentPeriodEnd === before.currentPeriodEnd) return counted;
  if (isSuspended === true && view.currentPeriodEnd < wholeEnd(view, before)) return counted;
  return withAnchorOfReportedEnd(counted, before.status === 'incomplete' ? null : before);
}

/** Returns when the period would end without the pause. Its renewal may not have been read yet. */
function wholeEnd(view: ReconciledView, before: ReconciledView): Instant {
  return Math.max(before.currentPeriodEnd, billingPeriodFrom(view, view.currentPeriodStart).end);
}

/**
 * A longer period is read at its own end, and not at the end it had before. The read of a charge that is still to come
 * stays planned, because these facts may not name its invoice again; but never in place of an end that has come closer.
 */
function withoutEarlierReads<V extends ReconciledView>(view: V, before: V, now: Instant): V {
  const [over, overBefore] = [periodOverAt(view), periodOverAt(before)];
  const { lookAgainAt } = view.work;
  if (over === overBefore || lookAgainAt === null) return view;
  const isOfCharge = isReadEarly(before);
  if (isOfCharge ? lookAgainAt > now && lookAgainAt < over : over < overBefore) return view;
  return { ...view, work: { ...view.work, lookAgainAt: null, looks: 0 } };
}

/** What renews after all may be cancelled again, and the provider is asked again whether it resumes it. */
function withoutResumeRefusal<V extends ReconciledView>(view: V): V {
  const { resumeRefused, ...work } = view.work;
  return resumeRefused === undefined || view.cancelAtPeriodEnd ? view : { ...view, work };
}

/** An ended subscription waits only for the outcome of a pending call. */
function withoutPendingWork<V extends ReconciledView>(view: V): V {
  const { unsettled } = view.work;
  return { ...withoutScheduledChange(view), work: { ...NO_WORK, unsettled } };
}
