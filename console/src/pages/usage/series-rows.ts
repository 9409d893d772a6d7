import { timeInLocale } from '../../../../src/domain/time-in-locale.ts';
import type { UsageGroup, UsageSeries } from '../../api/resources';
import { exactSum } from '../../ui/exact-sum';

/** A bucket of a series with each group's quantity, in the order of the groups. */
export interface SeriesRow {
  start: string;
  quantities: number[];
  /** Total of all groups as exact decimal text, because a number cannot hold every sum. */
  total: `${number}`;
}

/** Returns a series by time, oldest first, as in a chart. A series has a group even if nothing was used. */
export function rowsOf({ groups }: UsageSeries): SeriesRow[] {
  return (groups[0]?.points ?? []).map(({ start }, place) => {
    const quantities = groups.map(({ points }) => points[place]?.quantity ?? 0);
    return { start, quantities, total: exactSum(quantities) };
  });
}

/** Returns the label of a group. */
export function groupName({ kind, key }: Pick<UsageGroup, 'kind' | 'key'>): string {
  if (kind === 'all') return 'Used';
  if (kind === 'other') return 'All others';
  return key ?? 'Without a value';
}

/** Returns formatters of bucket labels, by the calendar of the series' time zone. */
export function bucketNames({ interval, timeZone }: Pick<UsageSeries, 'interval' | 'timeZone'>): {
  /** Used alone. */
  full: (start: string) => string;
  /** Used at an axis, next to others. */
  short: (start: string) => string;
} {
  const formatOf = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(undefined, { ...options, timeZone });
  const format = (options: Intl.DateTimeFormatOptions) => {
    const made = formatOf(options);
    return (start: string) => made.format(new Date(start));
  };
  if (interval === 'month')
    return {
      full: format({ month: 'long', year: 'numeric' }),
      short: format({ month: 'short', year: '2-digit' }),
    };
  if (interval === 'day')
    return { full: format({ dateStyle: 'medium' }), short: format({ month: 'short', day: 'numeric' }) };
  const hour = formatOf({ dateStyle: 'medium', timeStyle: 'short' });
  const hourWithZone = formatOf({ dateStyle: 'medium', timeStyle: 'long' });
  return {
    full: (start) => timeInLocale(Date.parse(start), hour, hourWithZone),
    short: format({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }),
  };
}
