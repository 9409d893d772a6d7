import { anchorThrough, PROVIDER_TIME_ZONE } from './billing-anchor';
import { DAY_MS, type Instant } from './instant';
import { calendarPeriodAt, calendarPeriodContaining } from './period';
import { SAME_MS } from './provider-facts';
import type { BilledFacts, ReconciledView } from './reconciled-view';

type Known = Pick<
  ReconciledView,
  'status' | 'billingAnchor' | 'currentPeriodStart' | 'currentPeriodEnd' | 'interval'
>;

/**
 * Adds the period end to provider C's facts. Once a subscription does not renew, C names no period end, only the start
 * of the last paid period. If that period is not known here yet, its beginning has not been reported; it ends an
 * interval after its start. Otherwise the facts are unchanged.
 */
export function withEndOfChargedPeriod(view: Known, facts: BilledFacts): BilledFacts {
  const { currentPeriodEnd: end, cancelAtPeriodEnd, beganAt = null } = facts;
  const start = facts.currentPeriodStart ?? (view.status === 'incomplete' ? beganAt : null);
  if (end !== null || start === null || !cancelAtPeriodEnd || isKnown(view, start)) return facts;
  return { ...facts, currentPeriodEnd: countedEnd(view, start) };
}

/**
 * Returns the facts of a completed subscription whose last period is not over yet: it is active until that period ends.
 * Providers B and C complete a subscription with its last charge. Otherwise the facts are unchanged.
 */
export function withLastPeriod<F extends BilledFacts>(view: Known, facts: F, now: Instant): F {
  const { status, isCompleted = false } = facts;
  if (status !== 'cancelled' || !isCompleted) return facts;
  const period = lastPeriodOf(view, facts);
  if (period === null || now >= period.end) return facts;
  const { start, end } = period;
  return {
    ...facts,
    status: 'active',
    cancelAtPeriodEnd: true,
    currentPeriodStart: start,
    // The end of a period that is known here has not been reported.
    currentPeriodEnd: isKnown(view, start) ? null : end,
  };
}

function lastPeriodOf(view: Known, facts: BilledFacts): { start: Instant; end: Instant } | null {
  const { currentPeriodStart: start } = facts;
  if (start === null) return periodOfLastPayment(view, facts);
  return { start, end: isKnown(view, start) ? view.currentPeriodEnd : countedEnd(view, start) };
}

/**
 * Provider B states only the last payment, which is made when a period begins, or later. Periods count from the one
 * that is known here, of which this may be the next, or a later one if the provider was not read.
 */
function periodOfLastPayment(
  view: Known,
  { lastPayment, beganAt }: BilledFacts,
): { start: Instant; end: Instant } | null {
  if (lastPayment === undefined) return null;
  const { status, currentPeriodStart: start, currentPeriodEnd: end, interval } = view;
  const paidIn = lastPayment.at + DAY_MS;
  if (status !== 'incomplete' && paidIn < end) return { start, end };
  const counted = { ...view, timeZone: PROVIDER_TIME_ZONE };
  const anchor = status === 'incomplete' ? beganAt : anchorThrough(counted, end);
  if (anchor === undefined) return null;
  return calendarPeriodContaining({ anchor, timeZone: PROVIDER_TIME_ZONE, interval }, paidIn);
}

function isKnown({ status, currentPeriodEnd: end }: Known, start: Instant): boolean {
  return status !== 'incomplete' && start <= end - SAME_MS;
}

function countedEnd({ interval }: Known, start: Instant): Instant {
  return calendarPeriodAt({ anchor: start, timeZone: PROVIDER_TIME_ZONE, interval }, 0).end;
}
