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
