import type { UsageGroup, UsageSeries } from '../../api/resources';
import { exactSum } from '../../ui/exact-sum';

/** A bucket of a series with what each group used in it, in the order of the groups. */
export interface SeriesRow {
  start: string;
  quantities: number[];
  /** Of them all, as exact decimal text: no number holds every sum. */
  total: `${number}`;
}

/** A series by time, oldest first, as a chart is read. A series has a group even where nothing was used. */
export function rowsOf({ groups }: UsageSeries): SeriesRow[] {
  return (groups[0]?.points ?? []).map(({ start }, place) => {
    const quantities = groups.map(({ points }) => points[place]?.quantity ?? 0);
    return { start, quantities, total: exactSum(quantities) };
  });
}

/** A group in words. */
export function groupName({ kind, key }: Pick<UsageGroup, 'kind' | 'key'>): string {
  if (kind === 'all') return 'Used';
  if (kind === 'other') return 'All others';
  return key ?? 'Without a value';
}

/** A bucket in words, by the calendar of the series' zone. */
export function bucketNames({ interval, timeZone }: Pick<UsageSeries, 'interval' | 'timeZone'>): {
  /** Alone. */
  full: (start: string) => string;
  /** At an axis, where others stand beside it. */
  short: (start: string) => string;
} {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const made = new Intl.DateTimeFormat(undefined, { ...options, timeZone });
    return (start: string) => made.format(new Date(start));
  };
  if (interval === 'month')
    return {
      full: format({ month: 'long', year: 'numeric' }),
      short: format({ month: 'short', year: '2-digit' }),
    };
  if (interval === 'day')
    return { full: format({ dateStyle: 'medium' }), short: format({ month: 'short', day: 'numeric' }) };
  return {
    full: format({ dateStyle: 'medium', timeStyle: 'short' }),
    short: format({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }),
  };
}
