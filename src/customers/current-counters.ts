import { together } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import { isoText, type Instant } from '../domain/instant';
import { usagePeriod } from '../domain/period';
import type { WorkspaceScope } from '../tenancy/actor';
import type { EntitledRow } from '../usage/entitled-row-store';
import { readCounters, type CounterKey, type CounterRow } from '../usage/past-usage-store';
import { readTerms, subscriptionOf, termsOfEach } from '../usage/former-terms-store';
import { unreadPeriods, unreadTerms, withTerms } from '../usage/unread-periods';

/**
 * Completes rows with the counters of their usage periods at `now`, and the terms of earlier periods. A row is read
 * only with its latest terms and its latest counters, which differ from the needed ones if the subscription's periods
 * were moved.
 */
export async function withCurrentCounters<Row extends EntitledRow & { featureId: string }>(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
  read: readonly Row[],
  now: Instant,
): Promise<Row[]> {
  const rows = await withEarlierTerms(trx, scope, read, now);
  return withCounters(trx, scope, customerId, rows, now);
}

async function withEarlierTerms<Row extends EntitledRow & { featureId: string }>(
  trx: DbTransaction,
  scope: WorkspaceScope,
  rows: readonly Row[],
  now: Instant,
): Promise<readonly Row[]> {
  const keys = rows.flatMap((row) => {
    const { subscriptionId, featureId, resetInterval } = row;
    const instants = unreadTerms(row, usagePeriod(row, resetInterval, now));
    return instants.map((at) => ({ subscriptionId, featureId, at }));
  });
  if (keys.length === 0) return rows;
  const [found] = await together(trx, [readTerms(scope, keys)]);
  const terms = termsOfEach(keys, found);
  const requested = new Set(keys.map(subscriptionOf));
  return rows.map((row) => {
    const name = subscriptionOf(row);
    return requested.has(name) ? withTerms(row, terms.get(name) ?? []) : row;
  });
}

async function withCounters<Row extends EntitledRow & { featureId: string }>(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
  rows: readonly Row[],
  now: Instant,
): Promise<Row[]> {
  const unread = rows.flatMap((row) => {
    const { featureId, subscriptionId, resetInterval } = row;
    const period = usagePeriod(row, resetInterval, now);
    return unreadPeriods(row, period).map((periodStart) => ({
      row,
      isOwn: periodStart === period.start,
      key: { customerId, featureId, subscriptionId, resetInterval, periodStart } satisfies CounterKey,
    }));
  });
  if (unread.length === 0) return [...rows];
  const keys = unread.map(({ key }) => key);
  const [found] = await together(trx, [readCounters(scope, keys)]);
  const counters = new Map(found.map((counter) => [Number(counter.key) - 1, counter]));
  const complete = new Map(rows.map((row) => [row, row]));
  unread.forEach(({ row, isOwn, key: { periodStart } }, place) => {
    const known = complete.get(row) ?? row;
    const counter = counters.get(place);
    if (isOwn) complete.set(row, withOwn(known, periodStart, counter));
    else if (counter !== undefined) complete.set(row, withEarlier(known, periodStart, counter));
  });
  return [...complete.values()];
}

function withOwn<Row extends EntitledRow>(row: Row, periodStart: Instant, counter?: CounterRow): Row {
  return counter === undefined
    ? { ...row, counterStart: null }
    : { ...row, ...counter, counterStart: periodStart };
}

function withEarlier<Row extends EntitledRow>(row: Row, periodStart: Instant, counter: CounterRow): Row {
  if (row.earlier === null) return row;
  const counters = [...(row.earlier.counters ?? []), { ...counter, start: isoText(periodStart) }];
  return { ...row, earlier: { ...row.earlier, counters } };
}
