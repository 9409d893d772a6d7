import type { Decimal } from './decimal';
import type { Instant } from './instant';
import { usagePeriod, type Period, type ResetInterval, type UsageAnchor } from './period';

/** For how many usage periods unused quota can be used, and how much of it in one period. */
export interface RolloverTerms {
  /** Number of later usage periods in which unused quota may be used; 0: none. */
  periods: number;
  /** Units of earlier usage periods that may be used in one period; null: all. */
  most: Decimal | null;
}

/**
 * What an entitlement grants a subscription: units per period, including its seats, and whether unused units roll over.
 */
export interface QuotaTerms {
  /** null: unlimited. */
  quota: Decimal | null;
  resetInterval: ResetInterval;
  rollsOver: boolean;
}

/** Terms that applied before a change of plan, seats or entitlement. */
export interface FormerTerms extends QuotaTerms {
  /** Time of the change; the terms applied until then. */
  until: Instant;
}

/** Remaining units of an earlier usage period's quota. */
export interface CarriedUnits {
  periodStart: Instant;
  remaining: Decimal;
}

/** Units of a usage period's quota used by itself and by later periods. */
export interface PeriodUse {
  used: Decimal;
  usedLater: Decimal;
}

/** Returns the terms at an instant: the first that were changed after it, or the present ones. */
export function termsAt(at: Instant, present: QuotaTerms, former: readonly FormerTerms[]): QuotaTerms {
  let held: FormerTerms | undefined;
  for (const terms of former) {
    if (terms.until > at && (held === undefined || terms.until < held.until)) held = terms;
  }
  return held ?? present;
}

/**
 * Returns the units that earlier usage periods carry over to a period, oldest first: from each, the units that its own
 * quota, as it was at that period's end, had left and no later period has used. A period carries over nothing if its
 * terms did not allow it, if it was counted by another interval, or if it was unlimited.
 *
 * @param use what the usage period that begins at an instant has used
 */
export function carriedOver(about: {
  subscription: UsageAnchor;
  period: Period;
  terms: RolloverTerms;
  present: QuotaTerms;
  former: readonly FormerTerms[];
  use: (periodStart: Instant) => PeriodUse;
}): CarriedUnits[] {
  const { subscription, period, terms, present, former, use } = about;
  const { resetInterval } = present;
  const carried: CarriedUnits[] = [];
  for (const { start, end } of periodsBefore(subscription, resetInterval, period, terms.periods)) {
    const then = termsAt(end - 1, present, former);
    if (!then.rollsOver || then.resetInterval !== resetInterval || then.quota === null) continue;
    const { used, usedLater } = use(start);
    const remaining = then.quota - used - usedLater;
    if (remaining > 0n) carried.unshift({ periodStart: start, remaining });
  }
  return carried;
}

/**
 * Returns up to `count` usage periods before a period, latest first, excluding those that ended before the subscription
 * began.
 */
export function periodsBefore(
  subscription: UsageAnchor,
  resetInterval: ResetInterval,
  period: Period,
  count: number,
): { start: Instant; end: Instant }[] {
  const periods: { start: Instant; end: Instant }[] = [];
  if (resetInterval === 'never') return periods;
  let end = period.start;
  while (periods.length < count && end > subscription.startedAt) {
    const { start } = usagePeriod(subscription, resetInterval, end - 1);
    periods.push({ start, end });
    end = start;
  }
  return periods;
}
