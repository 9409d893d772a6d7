import type { Instant } from './instant';
import { calendarPeriodContaining } from './period';
import type { BillingInterval, Pricing } from './subscription-types';
import { divideHalfEven } from './tax';

/** The rule that `prorate` follows; a transaction records it, so that an old one can be explained. */
export const PRORATION_POLICY_VERSION = 1;

/** What is charged for one period. `unitAmount` in minor units, for a seat where `per_seat`. */
export interface PeriodTerms {
  planId: string;
  planSlug: string;
  seats: number;
  unitAmount: bigint;
  pricing: Pricing;
}

/** One side of the calculation: what the rest of the period is worth on these terms. */
export interface ProrationSide extends PeriodTerms {
  /** For the whole period, minor units. */
  fullAmount: bigint;
  /** For what is left of it, rounded half-even to the minor unit. */
  amount: bigint;
}

/** How the net amount of a change in the middle of a period came about. */
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

/** The price of one whole period: per seat, or flat whatever the seats. */
export function periodPrice({
  unitAmount,
  pricing,
  seats,
}: Pick<PeriodTerms, 'unitAmount' | 'pricing' | 'seats'>): bigint {
  return pricing === 'per_seat' ? unitAmount * BigInt(seats) : unitAmount;
}

/**
 * The whole period, by the calendar, that a subscription's current one is the end of. They differ where the current
 * one is the short first one up to an anchor to come. Found by the end, which is always a boundary: across a change
 * of the clocks a first month may begin an hour before the whole one.
 */
export function wholePeriod(subscription: {
  billingAnchor: Instant;
  timeZone: string;
  interval: BillingInterval;
  currentPeriodEnd: Instant;
}): { start: Instant; end: Instant } {
  const { billingAnchor: anchor, timeZone, interval, currentPeriodEnd } = subscription;
  const { start, end } = calendarPeriodContaining({ anchor, timeZone, interval }, currentPeriodEnd - 1);
  return { start, end };
}

/**
 * Policy version 1: each side is its period price times the milliseconds left over the milliseconds of the period,
 * rounded half-even to the minor unit; the net is target less current. A change at or after the end is worth nothing.
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

/** A part of an amount by time, rounded half-even to the minor unit. */
export function shareOf(amount: bigint, partMs: number, wholeMs: number): bigint {
  return divideHalfEven(amount * BigInt(partMs), BigInt(wholeMs));
}
