import { addDays, addMonths, dateOfWallClock } from './civil-date';
import { DAY_MS, type Instant } from './instant';
import { instantOfWallClock, wallClockAt } from './zone';

export type CalendarInterval = 'day' | 'week' | 'month' | 'year';
/** When a quota resets. */
export type ResetInterval = 'billing_period' | CalendarInterval | 'never';

/** Half-open: `start` belongs to it, `end` does not. An `end` of null never comes. */
export interface Period {
  start: Instant;
  end: Instant | null;
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

/** How they were counted until a change of interval, or until the payment provider moved them. */
export interface FormerRhythm extends BillingRhythm {
  /** The start of the first period that is counted otherwise. */
  until: Instant;
}

/** What usage periods need of a subscription. */
export interface UsageAnchor extends BillingRhythm {
  startedAt: Instant;
  /** Oldest first; null or left out: its periods have always been counted as now. */
  formerRhythms?: readonly FormerRhythm[] | null;
}

/**
 * Period `index` of the schedule: it starts `index` intervals after the anchor, counted from the anchor itself,
 * so 31 January is followed by 28 February and then 31 March. Negative indexes lie before the anchor.
 */
export function calendarPeriodAt(schedule: Schedule, index: number): { start: Instant; end: Instant } {
  return { start: startOf(schedule, index), end: startOf(schedule, index + 1) };
}

/** The period of the schedule that `at` lies in: `start` <= `at` < `end`. */
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

/**
 * The period that usage at `at` counts in, for a quota that resets as `reset` says. Usage of before a change of the
 * billing periods counts as it did then, however late it is reported. Where the two meet, either is cut, unless both
 * have the same period there: weeks that go on are weeks still. There is none before the one that the subscription began
 * in: a process whose clock is behind that of the one which opened it counts there from the first use on.
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
  // Not by way of the wall clock, which shows a repeated hour's second pass like its first.
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
