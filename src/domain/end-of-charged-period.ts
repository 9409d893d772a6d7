import { PROVIDER_TIME_ZONE } from './billing-anchor';
import type { Instant } from './instant';
import { calendarPeriodAt } from './period';
import { SAME_MS } from './provider-facts';
import type { BilledFacts, ReconciledView } from './reconciled-view';

type Known = Pick<ReconciledView, 'status' | 'currentPeriodEnd' | 'interval'>;

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
 * Provider C completes a subscription with its last charge. Otherwise the facts are unchanged.
 */
export function withLastPeriod<F extends BilledFacts>(view: Known, facts: F, now: Instant): F {
  const { status, isCompleted = false, currentPeriodStart: start } = facts;
  if (status !== 'cancelled' || !isCompleted || start === null) return facts;
  const end = isKnown(view, start) ? view.currentPeriodEnd : countedEnd(view, start);
  return now < end ? { ...facts, status: 'active', cancelAtPeriodEnd: true } : facts;
}

function isKnown({ status, currentPeriodEnd: end }: Known, start: Instant): boolean {
  return status !== 'incomplete' && start <= end - SAME_MS;
}

function countedEnd({ interval }: Known, start: Instant): Instant {
  return calendarPeriodAt({ anchor: start, timeZone: PROVIDER_TIME_ZONE, interval }, 0).end;
}
