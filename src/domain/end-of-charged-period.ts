import { calendarPeriodAt } from './period';
import { SAME_MS } from './provider-facts';
import type { BilledFacts, ReconciledView } from './reconciled-view';

/**
 * Provider C names no period's end once a subscription does not renew, but the start of the last period that was paid.
 * Where that period is not known here yet, it has not been heard of that it began: it ends an interval after its start.
 * Else the facts stay as they are.
 */
export function withEndOfChargedPeriod(
  { status, currentPeriodEnd: known, timeZone, interval }: ReconciledView,
  facts: BilledFacts,
): BilledFacts {
  const { currentPeriodStart: start, currentPeriodEnd: end, cancelAtPeriodEnd } = facts;
  if (end !== null || start === null || !cancelAtPeriodEnd) return facts;
  if (status !== 'incomplete' && start <= known - SAME_MS) return facts;
  const { end: counted } = calendarPeriodAt({ anchor: start, timeZone, interval }, 0);
  return { ...facts, currentPeriodEnd: counted };
}
