import { periodPrice, type PeriodTerms } from './proration';
import type { BillingInterval } from './subscription-types';

/** Seats alone by their number; another plan by what a period costs. */
export type ChangeDirection = 'upgrade' | 'downgrade' | 'seat_increase' | 'seat_decrease';

type PricedTerms = PeriodTerms & { interval: BillingInterval };

const PERIODS_PER_YEAR: Record<BillingInterval, bigint> = { month: 12n, year: 1n };

/** Which way a change goes. Prices are compared over a year; an equal one is no upgrade. */
export function directionOf(from: PricedTerms, to: PricedTerms): ChangeDirection {
  if (from.planId === to.planId) return to.seats > from.seats ? 'seat_increase' : 'seat_decrease';
  return priceOfYear(to) > priceOfYear(from) ? 'upgrade' : 'downgrade';
}

function priceOfYear(terms: PricedTerms): bigint {
  return periodPrice(terms) * PERIODS_PER_YEAR[terms.interval];
}
