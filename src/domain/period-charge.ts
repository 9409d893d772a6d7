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
  /** Charged from here to the period's end: the start, or later if the period began before the subscription. */
  chargedFrom: Instant;
  dueAt: Instant;
  /** Time zone in which the line gives its days. */
  timeZone: string;
}

/** Drafts the single charge of a period: its price, prorated by time if less than a whole period is charged. */
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

function lineOf({ terms, period, whole, chargedFrom, timeZone }: PeriodChargeInput): TransactionLine {
  const from = Math.max(chargedFrom, period.start);
  const [chargedMs, wholeMs] = [Math.max(period.end - from, 0), whole.end - whole.start];
  const price = periodPrice(terms);
  const isWhole = chargedMs >= wholeMs;
  return {
    description: `${displayPlan(terms)}, ${displayPeriod(timeZone, from, period.end)}`,
    quantity: terms.pricing === 'per_seat' ? terms.seats : 1,
    unitAmount: isWhole ? terms.unitAmount : null,
    amount: isWhole ? price : shareOf(price, chargedMs, wholeMs),
  };
}
