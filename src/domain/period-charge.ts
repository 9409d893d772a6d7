import type { Instant } from './instant';
import { displayPlan, displayPeriod } from './display-text';
import { periodPrice, shareOf, type PeriodTerms } from './proration';
import type { TaxSnapshot } from './tax';
import { draftTransaction, type TransactionDraft, type TransactionLine } from './transaction';

/** Inputs for the charge of a period. */
export interface PeriodChargeInput {
  kind: 'initial' | 'renewal';
  terms: PeriodTerms;
  currency: string;
  tax: TaxSnapshot;
  period: { start: Instant; end: Instant };
  /** The whole period that the price covers. */
  whole: { start: Instant; end: Instant };
  /** When the subscription began: its first period is charged from here on. */
  startedAt: Instant;
  dueAt: Instant;
  /** Time zone in which the line gives its days. */
  timeZone: string;
}

/** Drafts the single charge of a period: its price, prorated by time if the subscription began during the period. */
export function draftPeriodCharge(input: PeriodChargeInput): TransactionDraft {
  const { kind, currency, tax, period, dueAt } = input;
  return draftTransaction({
    kind,
    currency,
    lines: [lineOf(input)],
    tax,
    periodStart: period.start,
    periodEnd: period.end,
    dueAt,
    proration: null,
  });
}

function lineOf({ terms, period, whole, startedAt, timeZone }: PeriodChargeInput): TransactionLine {
  const from = Math.max(startedAt, period.start);
  const price = periodPrice(terms);
  const isWhole = startedAt <= whole.start;
  return {
    description: `${displayPlan(terms)}, ${displayPeriod(timeZone, from, period.end)}`,
    quantity: terms.pricing === 'per_seat' ? terms.seats : 1,
    unitAmount: isWhole ? terms.unitAmount : null,
    amount: isWhole ? price : shareOf(price, Math.max(period.end - from, 0), whole.end - whole.start),
  };
}
