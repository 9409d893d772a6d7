import type { Instant } from './instant';
import { dueAtOf } from './lifecycle';
import { displayPlan, displayPeriod } from './display-text';
import type { ChangeableSubscription } from './change-types';
import { prorate, wholePeriod, type PeriodTerms, type ProrationSide } from './proration';
import { taxChargedHere } from './tax';
import { draftTransaction, type TransactionDraft, type TransactionLine } from './transaction';

/**
 * Drafts the single transaction of an immediate change: the rest of the period on the target terms, less the unused
 * part on the current ones. A trial costs nothing on either.
 */
export function draftProration(
  subscription: ChangeableSubscription,
  from: PeriodTerms,
  to: PeriodTerms,
  now: Instant,
): TransactionDraft {
  const { provider, currency, tax, currentPeriodStart, currentPeriodEnd, pastDueAfterDays, timeZone } =
    subscription;
  const current = { start: currentPeriodStart, end: currentPeriodEnd };
  // A provider's period boundaries are its own and may differ from the calendar here.
  const whole = provider === 'internal' ? wholePeriod(subscription) : current;
  const proration =
    subscription.status === 'trialing'
      ? prorate(free(from), free(to), current, now)
      : prorate(from, to, whole, now);
  const line = (what: string, side: ProrationSide, sign: 1n | -1n): TransactionLine => ({
    description: `${what} on ${displayPlan(side)}, ${displayPeriod(timeZone, now, currentPeriodEnd)}`,
    quantity: side.pricing === 'per_seat' ? side.seats : 1,
    unitAmount: null,
    amount: sign * side.amount,
  });
  return draftTransaction({
    kind: 'proration',
    currency,
    lines: [line('Unused time', proration.current, -1n), line('Remaining time', proration.target, 1n)],
    tax: taxChargedHere(provider, tax),
    periodStart: currentPeriodStart,
    periodEnd: currentPeriodEnd,
    dueAt: dueAtOf(now, pastDueAfterDays),
    proration,
  });
}

function free(terms: PeriodTerms): PeriodTerms {
  return { ...terms, unitAmount: 0n };
}
