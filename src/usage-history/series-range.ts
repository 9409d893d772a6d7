import { QUARTER_MS, type Bucket } from '../domain/calendar-buckets';
import { DAY_MS, type Instant } from '../domain/instant';

/** A time of whole buckets, as stores bind it. */
export interface SeriesRange {
  from: Instant;
  to: Instant;
  buckets: readonly Bucket[];
}

/**
 * How a time is made of whole UTC days and what is left at its edges.
 *
 * @returns `from` and `to` of the days (equal where there is none), and the edges in quarters of an hour
 */
export function wholeDaysOf({ from, to }: { from: Instant; to: Instant }): {
  days: { from: Instant; to: Instant };
  edges: { from: Instant; to: Instant }[];
} {
  const firstDay = Math.ceil(from / DAY_MS) * DAY_MS;
  const lastDay = Math.floor(to / DAY_MS) * DAY_MS;
  if (firstDay >= lastDay) return { days: { from: firstDay, to: firstDay }, edges: [{ from, to }] };
  const edges = [
    { from, to: firstDay },
    { from: lastDay, to },
  ];
  return {
    days: { from: firstDay, to: lastDay },
    edges: edges.filter((edge) => edge.to - edge.from >= QUARTER_MS),
  };
}

/** Whole UTC days, by their sums: `sign` -1 takes them off a month that has more. */
export interface DaySpan {
  from: Instant;
  to: Instant;
  sign: 1 | -1;
}

/**
 * How whole UTC days are made of whole UTC months, and of days beside them: with months, where that is fewer sums.
 *
 * @returns the months from `from` to `to` (equal where there is none), and the days that are added or taken off
 */
export function monthsOfDays(days: { from: Instant; to: Instant }): {
  months: { from: Instant; to: Instant };
  days: DaySpan[];
} {
  const months = { from: nearestMonth(days.from), to: nearestMonth(days.to) };
  const beside = [daysBetween(days.from, months.from, 1), daysBetween(days.to, months.to, -1)].flat();
  const sums = (spans: readonly { from: Instant; to: Instant }[]): number =>
    spans.reduce((all, span) => all + (span.to - span.from) / DAY_MS, 0);
  const plain = [{ ...days, sign: 1 as const }].filter(({ from, to }) => from < to);
  const isFewer = months.from < months.to && sums(beside) < sums(plain);
  return isFewer ? { months, days: beside } : { months: { from: days.from, to: days.from }, days: plain };
}

/** What is added where days begin before the months that stand for them, and taken off where they begin after. */
function daysBetween(ofDays: Instant, ofMonths: Instant, sign: 1 | -1): DaySpan[] {
  if (ofDays === ofMonths) return [];
  return ofDays < ofMonths
    ? [{ from: ofDays, to: ofMonths, sign }]
    : [{ from: ofMonths, to: ofDays, sign: sign === 1 ? -1 : 1 }];
}

/** The start of a UTC month that fewer days lie before, or after. */
function nearestMonth(instant: Instant): Instant {
  const date = new Date(instant);
  const before = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  const after = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  return instant - before <= after - instant ? before : after;
}
