import { together } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { usagePeriod } from '../domain/period';
import type { WorkspaceScope } from '../tenancy/actor';
import type { EntitledRow } from '../usage/entitled-row-store';
import { readCounters, type CounterKey, type CounterRow } from '../usage/past-usage-store';

/**
 * The rows with the counters of their usage periods at `now`. A row is read with its latest counter, which is of a later
 * start where the subscription's periods have been moved.
 */
export async function withCurrentCounters<Row extends EntitledRow & { featureId: string }>(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
  rows: readonly Row[],
  now: Instant,
): Promise<Row[]> {
  const keys = new Map<Row, CounterKey>();
  for (const row of rows) {
    const { subscriptionId, featureId, resetInterval, counterStart } = row;
    if (counterStart === null) continue;
    const { start: periodStart } = usagePeriod(row, resetInterval, now);
    if (counterStart > periodStart)
      keys.set(row, { customerId, featureId, subscriptionId, resetInterval, periodStart });
  }
  if (keys.size === 0) return [...rows];
  const read = (found: Record<string, unknown>[]) => found as unknown as CounterRow[];
  const [found] = await together(trx, [{ ...readCounters(scope, [...keys.values()]), read }]);
  const places = [...keys.keys()];
  return rows.map((row) => {
    const key = keys.get(row);
    if (key === undefined) return row;
    const counter = found.find((one) => Number(one.key) === places.indexOf(row) + 1);
    return counter === undefined
      ? { ...row, counterStart: null }
      : { ...row, ...counter, counterStart: key.periodStart };
  });
}
