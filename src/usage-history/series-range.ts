import { QUARTER_MS, type Bucket } from '../domain/calendar-buckets';
import { DAY_MS, type Instant } from '../domain/instant';

/** A time range of whole buckets, as stores bind it. */
export interface SeriesRange {
  from: Instant;
  to: Instant;
  buckets: readonly Bucket[];
}

/**
 * Splits a time range into whole UTC days and the remainders at its edges.
 *
 * @returns `from` and `to` of the days (equal if there is none), and the edges in quarters of an hour
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

/** A span of whole UTC days, read from their sums; `sign` -1 subtracts them from a month that includes more. */
export interface DaySpan {
  from: Instant;
  to: Instant;
  sign: 1 | -1;
}

/**
 * Splits whole UTC days into whole UTC months and remaining days. Uses months only if that takes fewer sums.
 *
 * @returns the months from `from` to `to` (equal if there is none), and the days to add or subtract
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

/** Returns the days to add if the days begin before their months, or to subtract if they begin after. */
function daysBetween(ofDays: Instant, ofMonths: Instant, sign: 1 | -1): DaySpan[] {
  if (ofDays === ofMonths) return [];
  return ofDays < ofMonths
    ? [{ from: ofDays, to: ofMonths, sign }]
    : [{ from: ofMonths, to: ofDays, sign: sign === 1 ? -1 : 1 }];
}

/** Returns the start of the UTC month that is nearest to the instant. */
function nearestMonth(instant: Instant): Instant {
  const date = new Date(instant);
  const before = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  const after = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  return instant - before <= after - instant ? before : after;
}
