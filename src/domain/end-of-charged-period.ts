import { PROVIDER_TIME_ZONE } from './billing-anchor';
import { calendarPeriodAt } from './period';
import { SAME_MS } from './provider-facts';
import type { BilledFacts, ReconciledView } from './reconciled-view';

/**
 * Adds the period end to provider C's facts. Once a subscription does not renew, C names no period end, only the start
 * of the last paid period. If that period is not known here yet, its beginning has not been reported; it ends an
 * interval after its start. Otherwise the facts are unchanged.
 */
export function withEndOfChargedPeriod(
  { status, currentPeriodEnd: known, interval }: ReconciledView,
  facts: BilledFacts,
): BilledFacts {
  const { currentPeriodEnd: end, cancelAtPeriodEnd, beganAt = null } = facts;
  const start = facts.currentPeriodStart ?? (status === 'incomplete' ? beganAt : null);
  if (end !== null || start === null || !cancelAtPeriodEnd) return facts;
  if (status !== 'incomplete' && start <= known - SAME_MS) return facts;
  const { end: counted } = calendarPeriodAt({ anchor: start, timeZone: PROVIDER_TIME_ZONE, interval }, 0);
  return { ...facts, currentPeriodEnd: counted };
}
