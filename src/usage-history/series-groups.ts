import type { DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { largestOf, NO_USAGE, restOf, totalOf, type UsageSum } from '../domain/series-groups';
import type { WorkspaceScope } from '../tenancy/actor';
import { findDimension } from './dimension-store';
import type { SeriesGroup, SeriesQuery } from './series-resource';
import { sumBuckets, sumFeatures, type SeriesSubject } from './series-store';
import { toSum, toSums, toSumsByKey } from './series-sums';
import { listCustomerNames, listFeatureNames, type Named } from './subject-store';
import { findTopCustomers } from './top-customers-store';
import { findValues, sumValueBuckets, sumValuedBuckets, sumValues } from './value-series-store';

/**
 * Reads the groups of a series, which add up to the whole.
 *
 * @param all the sums of the subject as a whole
 * @throws TollgateError dimension_not_declared
 */
export async function readGroups(
  trx: DbTransaction,
  scope: WorkspaceScope,
  query: SeriesQuery,
  subject: SeriesSubject,
  all: readonly UsageSum[],
): Promise<SeriesGroup[]> {
  const { groupBy, limit } = query;
  if (groupBy === 'none') return [{ kind: 'all', key: null, sums: all }];
  if (groupBy === 'dimension') return withOther(await readValues(trx, scope, query, subject, all), all);
  const buckets = all.length;
  if (groupBy === 'feature') {
    const sums = await sumFeatures(trx, scope, subject);
    const largest = largestOf(
      sums.map((sum) => ({ key: sum.key ?? '', ...toSum(sum) })),
      limit,
    );
    const ids = largest.map(({ key }) => key);
    const rows = await sumBuckets(trx, scope, subject, 'feature', ids);
    const names = await listFeatureNames(trx, scope);
    return withOther(named('feature', ids, names, toSumsByKey(rows, buckets)), all);
  }
  const { customerId } = subject;
  const ids = customerId === null ? await findTopCustomers(trx, scope, subject, limit) : [customerId];
  const rows = await sumBuckets(trx, scope, subject, 'customer', ids);
  const names = await listCustomerNames(trx, scope, ids);
  return withOther(named('customer', ids, names, toSumsByKey(rows, buckets)), all);
}

/** Reads the largest values of a dimension; the key null stands for uses without a value. */
async function readValues(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { feature = '', dimension = '', limit }: SeriesQuery,
  subject: SeriesSubject,
  all: readonly UsageSum[],
): Promise<SeriesGroup[]> {
  const { featureId } = subject;
  const declared = featureId === null ? undefined : await findDimension(trx, scope, featureId, dimension);
  if (featureId === null || declared === undefined) {
    throw new TollgateError('dimension_not_declared', `"${feature}" has no dimension "${dimension}".`);
  }
  const valued = { ...subject, featureId, dimensionId: declared.id };
  const values = await findValues(trx, scope, valued);
  const sums = await sumValues(trx, scope, valued, values);
  const [without] = restOf([totalOf(all)], [[totalOf(sums.map(toSum))]]);
  const groups = [
    ...sums.flatMap((sum) => (sum.key === null ? [] : [{ value: sum.key, key: sum.key, ...toSum(sum) }])),
    ...(without === undefined ? [] : [{ value: null, key: '', ...without }]),
  ];
  const largest = largestOf(
    groups.filter(({ events, quantity }) => events !== 0 || quantity !== 0n),
    limit,
  );
  const chosen = largest.flatMap(({ value }) => value ?? []);
  const byValue = toSumsByKey(await sumValueBuckets(trx, scope, valued, chosen), all.length);
  const ofValue = async (value: string | null): Promise<readonly UsageSum[]> => {
    if (value !== null) return byValue.get(value) ?? noSums(all.length);
    return restOf(all, [toSums(await sumValuedBuckets(trx, scope, valued), all.length)]);
  };
  const shown: SeriesGroup[] = [];
  for (const { value } of largest) shown.push({ kind: 'value', key: value, sums: await ofValue(value) });
  return shown;
}

/** Returns the groups in the order of the ids. */
function named(
  kind: SeriesGroup['kind'],
  ids: readonly string[],
  names: readonly Named[],
  sums: ReadonlyMap<string, readonly UsageSum[]>,
): SeriesGroup[] {
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  return ids.flatMap((id) => {
    const ofGroup = sums.get(id);
    return ofGroup === undefined ? [] : [{ kind, key: nameOf.get(id) ?? id, sums: ofGroup }];
  });
}

/** Appends the group `other` with the rest of the sums, if there is any. */
function withOther(groups: readonly SeriesGroup[], all: readonly UsageSum[]): SeriesGroup[] {
  const sums = restOf(
    all,
    groups.map((group) => group.sums),
  );
  const isNothing = sums.every(({ quantity, events }) => quantity === 0n && events === 0);
  return isNothing ? [...groups] : [...groups, { kind: 'other', key: null, sums }];
}

function noSums(buckets: number): UsageSum[] {
  return Array.from({ length: buckets }, () => NO_USAGE);
}
