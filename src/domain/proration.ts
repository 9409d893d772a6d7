import type { Instant } from './instant';
import { billingPeriodUntil, type BillingRhythm } from './period';
import type { Pricing } from './subscription-types';
import { divideHalfEven } from './tax';

/** Version of the rule that `prorate` follows. A transaction records it so that it can be explained later. */
export const PRORATION_POLICY_VERSION = 1;

/** What is charged for one period. `unitAmount` is in minor units, per seat if `per_seat`. */
export interface PeriodTerms {
  planId: string;
  planSlug: string;
  seats: number;
  unitAmount: bigint;
  pricing: Pricing;
}

/** One side of the calculation: the value of the rest of the period on these terms. */
export interface ProrationSide extends PeriodTerms {
  /** For the whole period, minor units. */
  fullAmount: bigint;
  /** For the rest of the period, rounded half-even to the minor unit. */
  amount: bigint;
}

/** How the net amount of a change in the middle of a period was calculated. */
export interface Proration {
  policyVersion: typeof PRORATION_POLICY_VERSION;
  /** When the change takes effect. */
  at: Instant;
  periodStart: Instant;
  periodEnd: Instant;
  remainingMs: number;
  periodMs: number;
  /** The unused value of the current terms. */
  current: ProrationSide;
  /** The remaining value of the target terms. */
  target: ProrationSide;
  /** target - current, minor units. */
  net: bigint;
}

/** Returns the price of one whole period: per seat, or flat regardless of the seats. */
export function periodPrice({
  unitAmount,
  pricing,
  seats,
}: Pick<PeriodTerms, 'unitAmount' | 'pricing' | 'seats'>): bigint {
  return pricing === 'per_seat' ? unitAmount * BigInt(seats) : unitAmount;
}

/**
 * Returns the whole calendar period that a subscription's current period is the last part of. The two differ if the
 * current period is the short first one before an anchor. The whole period is found by its end, which is a boundary of
 * the calendar: across a clock change a first month may begin an hour before the whole one.
 */
export function wholePeriod(subscription: BillingRhythm & { currentPeriodEnd: Instant }): {
  start: Instant;
  end: Instant;
} {
  return billingPeriodUntil(subscription, subscription.currentPeriodEnd);
}

/**
 * Prorates a change, policy version 1. Each side is its period price times the remaining milliseconds, divided by the
 * milliseconds of the period, rounded half-even to the minor unit; the net is target less current. A change at or after
 * the end is worth nothing.
 *
 * @param period the whole period that prices are for
 */
export function prorate(
  current: PeriodTerms,
  target: PeriodTerms,
  period: { start: Instant; end: Instant },
  at: Instant,
): Proration {
  const remainingMs = Math.min(Math.max(period.end - at, 0), period.end - period.start);
  const periodMs = period.end - period.start;
  const side = ({ planId, planSlug, seats, unitAmount, pricing }: PeriodTerms): ProrationSide => {
    const terms = { planId, planSlug, seats, unitAmount, pricing };
    const fullAmount = periodPrice(terms);
    return { ...terms, fullAmount, amount: shareOf(fullAmount, remainingMs, periodMs) };
  };
  const [currentSide, targetSide] = [side(current), side(target)];
  return {
    policyVersion: PRORATION_POLICY_VERSION,
    at,
    periodStart: period.start,
    periodEnd: period.end,
    remainingMs,
    periodMs,
    current: currentSide,
    target: targetSide,
    net: targetSide.amount - currentSide.amount,
  };
}

/** Returns the share of an amount by time, rounded half-even to the minor unit. */
export function shareOf(amount: bigint, partMs: number, wholeMs: number): bigint {
  return divideHalfEven(amount * BigInt(partMs), BigInt(wholeMs));
}
