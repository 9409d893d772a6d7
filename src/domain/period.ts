import { addDays, addMonths, dateOfWallClock } from './civil-date';
import { DAY_MS, type Instant } from './instant';
import { instantOfWallClock, wallClockAt } from './zone';

export const RESET_INTERVALS = ['billing_period', 'day', 'week', 'month', 'year', 'never'] as const;
/** When a quota resets. */
export type ResetInterval = (typeof RESET_INTERVALS)[number];
export type CalendarInterval = Exclude<ResetInterval, 'billing_period' | 'never'>;

/** Half-open: includes `start`, excludes `end`. Without an end (null) it is unlimited. */
export interface Period {
  start: Instant;
  end: Instant | null;
}

export function contains({ start, end }: Period, at: Instant): boolean {
  return start <= at && (end === null || at < end);
}

/** Periods of one length, counted from an anchor on the calendar of a time zone (an IANA name). */
export interface Schedule {
  anchor: Instant;
  timeZone: string;
  interval: CalendarInterval;
}

/** How a subscription's billing periods are counted. */
export interface BillingRhythm {
  billingAnchor: Instant;
  timeZone: string;
  interval: 'month' | 'year';
}

/** How billing periods were counted until a change of interval, or until the payment provider moved them. */
export interface FormerRhythm extends BillingRhythm {
  /** Start of the first period that is counted differently. */
  until: Instant;
}

/** Subscription fields that usage periods depend on. */
export interface UsageAnchor extends BillingRhythm {
  startedAt: Instant;
  /** Oldest first; null or omitted if its periods have always been counted as now. */
  formerRhythms?: readonly FormerRhythm[] | null;
}

/**
 * Returns period `index` of the schedule. It starts `index` intervals after the anchor, counted from the anchor itself,
 * so 31 January is followed by 28 February and then 31 March. Negative indexes lie before the anchor.
 */
export function calendarPeriodAt(schedule: Schedule, index: number): { start: Instant; end: Instant } {
  return { start: startOf(schedule, index), end: startOf(schedule, index + 1) };
}

/** Returns the period of the schedule that contains `at`: `start` <= `at` < `end`. */
export function calendarPeriodContaining(
  schedule: Schedule,
  at: Instant,
): { index: number; start: Instant; end: Instant } {
  // The estimate is off by a few at most: clamped days and clock changes move a boundary by less than an interval.
  let index = estimateIndex(schedule, at);
  let start = startOf(schedule, index);
  let end = startOf(schedule, index + 1);
  while (start > at) {
    index -= 1;
    end = start;
    start = startOf(schedule, index);
  }
  while (end <= at) {
    index += 1;
    start = end;
    end = startOf(schedule, index + 1);
  }
  return { index, start, end };
}

/** As long as the longest difference that new rules of a zone make, and much shorter than a billing period. */
const RULE_CHANGE_MS = DAY_MS;

/**
 * Returns the billing period that begins at a boundary. If the rules of the zone have changed since the boundary was
 * computed (a country gives up daylight saving, and a later version of Node.js knows), that period begins hours earlier
 * or later by today's calendar.
 */
export function billingPeriodFrom(
  { billingAnchor: anchor, timeZone, interval }: BillingRhythm,
  boundary: Instant,
): { index: number; start: Instant; end: Instant } {
  return calendarPeriodContaining({ anchor, timeZone, interval }, boundary + RULE_CHANGE_MS);
}

/** Returns the billing period that ends at a boundary, or hours from it if the rules of the zone have changed since. */
export function billingPeriodUntil(
  { billingAnchor: anchor, timeZone, interval }: BillingRhythm,
  boundary: Instant,
): { start: Instant; end: Instant } {
  const { start, end } = calendarPeriodContaining({ anchor, timeZone, interval }, boundary - RULE_CHANGE_MS);
  return { start, end };
}

/**
 * Returns the usage period that usage at `at` counts in, for a quota that resets as `reset` says. Usage from before a
 * change of the billing periods counts as it did then, however late it is reported. At such a change the periods of
 * both sides are cut, unless both have the same period there: a weekly quota's weeks continue. No period precedes the
 * one that the subscription began in: if a process's clock is behind that of the process that opened the subscription,
 * its usage counts in that first period.
 */
export function usagePeriod(subscription: UsageAnchor, reset: ResetInterval, at: Instant): Period {
  const { startedAt, formerRhythms: former } = subscription;
  if (reset === 'never') return { start: startedAt, end: null };
  const moment = Math.max(at, startedAt);
  if (former === undefined || former === null) return periodOf(subscription, startedAt, reset, moment);
  const found = former.findIndex(({ until }) => moment < until);
  const place = found === -1 ? former.length : found;
  const { start, end } = periodOf(former[place] ?? subscription, startedAt, reset, moment);
  const isSame = (rhythm: BillingRhythm, moment: Instant): boolean => {
    const other = periodOf(rhythm, startedAt, reset, moment);
    return other.start === start && other.end === end;
  };
  const cutFrom = former.slice(0, place).findLast((one) => one.until > start && !isSame(one, one.until - 1));
  const cutUntil = former
    .slice(place)
    .find(({ until }, index) => until < end && !isSame(former[place + index + 1] ?? subscription, until));
  return { start: cutFrom?.until ?? start, end: cutUntil?.until ?? end };
}

function periodOf(
  { billingAnchor, timeZone, interval }: BillingRhythm,
  startedAt: Instant,
  reset: Exclude<ResetInterval, 'never'>,
  at: Instant,
): { start: Instant; end: Instant } {
  if (reset !== 'billing_period') return containing(billingAnchor, timeZone, reset, at);
  if (at < billingAnchor) return { start: startedAt, end: billingAnchor };
  return containing(billingAnchor, timeZone, interval, at);
}

function containing(anchor: Instant, timeZone: string, interval: CalendarInterval, at: Instant) {
  const { start, end } = calendarPeriodContaining({ anchor, timeZone, interval }, at);
  return { start, end };
}

const DAYS_PER_WEEK = 7;
const MONTHS_PER_YEAR = 12;

function startOf({ anchor, timeZone, interval }: Schedule, index: number): Instant {
  // Without the wall clock, which shows the second pass of a repeated hour like the first.
  if (index === 0) return anchor;
  const wallClock = wallClockAt(timeZone, anchor);
  switch (interval) {
    case 'day':
      return instantOfWallClock(timeZone, addDays(wallClock, index));
    case 'week':
      return instantOfWallClock(timeZone, addDays(wallClock, index * DAYS_PER_WEEK));
    case 'month':
      return instantOfWallClock(timeZone, addMonths(wallClock, index));
    case 'year':
      return instantOfWallClock(timeZone, addMonths(wallClock, index * MONTHS_PER_YEAR));
  }
}

function estimateIndex({ anchor, timeZone, interval }: Schedule, at: Instant): number {
  const from = wallClockAt(timeZone, anchor);
  const to = wallClockAt(timeZone, at);
  if (interval === 'day') return Math.floor((to - from) / DAY_MS);
  if (interval === 'week') return Math.floor((to - from) / (DAYS_PER_WEEK * DAY_MS));
  const begin = dateOfWallClock(from);
  const now = dateOfWallClock(to);
  if (interval === 'year') return now.year - begin.year;
  return (now.year - begin.year) * MONTHS_PER_YEAR + now.month - begin.month;
}
