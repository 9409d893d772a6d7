import { parseDecimal } from '../domain/decimal';
import { NO_USAGE, type UsageSum } from '../domain/series-groups';
import type { BucketSum, GroupSum } from './series-store';

export function toSum({ quantity, events }: Pick<GroupSum, 'quantity' | 'events'>): UsageSum {
  return { quantity: parseDecimal(quantity), events: Number(events) };
}

/**
 * Returns one sum per bucket, from the rows of one group.
 * @param buckets number of buckets
 */
export function toSums(rows: readonly BucketSum[], buckets: number): UsageSum[] {
  const sums = Array.from({ length: buckets }, () => NO_USAGE);
  for (const row of rows) sums[row.bucket] = toSum(row);
  return sums;
}

/** Returns one sum per bucket for each of the groups. */
export function toSumsByKey(rows: readonly BucketSum[], buckets: number): Map<string, UsageSum[]> {
  const groups = new Map<string, BucketSum[]>();
  for (const row of rows) {
    if (row.key === null) continue;
    const group = groups.get(row.key);
    if (group === undefined) groups.set(row.key, [row]);
    else group.push(row);
  }
  return new Map([...groups].map(([key, group]) => [key, toSums(group, buckets)]));
}
