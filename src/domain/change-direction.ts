import { periodPrice, type PeriodTerms } from './proration';
import type { BillingInterval } from './subscription-types';

export const CHANGE_DIRECTIONS = ['upgrade', 'downgrade', 'seat_increase', 'seat_decrease'] as const;
/** A seat change is classified by the number of seats, a plan change by the cost of a period. */
export type ChangeDirection = (typeof CHANGE_DIRECTIONS)[number];

type PricedTerms = PeriodTerms & { interval: BillingInterval };

const PERIODS_PER_YEAR: Record<BillingInterval, bigint> = { month: 12n, year: 1n };

/** Returns the direction of a change. Prices are compared over a year; an equal price is a downgrade. */
export function directionOf(from: PricedTerms, to: PricedTerms): ChangeDirection {
  if (from.planId === to.planId) return to.seats > from.seats ? 'seat_increase' : 'seat_decrease';
  return priceOfYear(to) > priceOfYear(from) ? 'upgrade' : 'downgrade';
}

function priceOfYear(terms: PricedTerms): bigint {
  return periodPrice(terms) * PERIODS_PER_YEAR[terms.interval];
}
