import type { Database, DbTransaction } from '../db/pools';
import { inWorkspaceSnapshot } from '../db/workspace-transaction';
import { countInWords } from '../domain/count-in-words';
import { bucketsOf, type Bucket } from '../domain/calendar-buckets';
import { TollgateError } from '../domain/errors';
import { MAX_POINTS } from '../domain/series-groups';
import { readSettings } from '../settings/settings-store';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { readRollupState } from './rollup-state-store';
import { readGroups } from './series-groups';
import { longerThan, toSeriesResource, type SeriesQuery, type SeriesResource } from './series-resource';
import { planForBindings, sumBuckets, usableState, type SeriesSubject } from './series-store';
import { toSums } from './series-sums';
import { findCustomerId, findFeatureId, listFeatureNames } from './subject-store';

export interface UsageSeries {
  /**
   * Reads a series. It is always the sum of the uses that are committed at that time, whether or not they are rolled
   * up.
   *
   * @throws TollgateError series_too_long, feature_not_found, customer_not_found, dimension_not_declared
   */
  read(actor: Actor, query: SeriesQuery): Promise<SeriesResource>;
}

export function createUsageSeries({ database }: { database: Database }): UsageSeries {
  return {
    read: ({ scope, reason }, query) =>
      inWorkspaceSnapshot(database, scope, reason, async (trx) => {
        await planForBindings(trx);
        const timeZone = query.timeZone ?? (await readSettings(trx, scope)).timeZone;
        const buckets = bucketsWithin(query, timeZone);
        const range = { from: buckets[0]?.start ?? query.from, to: buckets.at(-1)?.end ?? query.to };
        const subject = await subjectOf(trx, scope, query, { ...range, buckets });
        const all = toSums(await sumBuckets(trx, scope, subject, 'none'), buckets.length);
        const groups = await readGroups(trx, scope, query, subject, all);
        return toSeriesResource({ query, timeZone, buckets, range, all, groups });
      }),
  };
}

async function subjectOf(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { feature, customer }: SeriesQuery,
  range: SeriesSubject['range'],
): Promise<SeriesSubject> {
  const featureId = feature === undefined ? null : await findFeatureId(trx, scope, feature);
  const customerId = customer === undefined ? null : await findCustomerId(trx, scope, customer);
  const features = featureId === null ? await listFeatureNames(trx, scope) : [];
  const state = usableState(await readRollupState(trx, scope));
  return { range, state, featureId, customerId, featureIds: features.map(({ id }) => id) };
}

/** @throws TollgateError series_too_long, which depends only on the query and not on the data */
function bucketsWithin(query: SeriesQuery, timeZone: string): Bucket[] {
  const { interval, groupBy, limit } = query;
  // Includes the group `other`.
  const groups = groupBy === 'none' ? 1 : limit + 1;
  const most = Math.floor(MAX_POINTS / groups);
  const buckets = bucketsOf(timeZone, interval, query, most);
  if (buckets !== null) return buckets;
  const longer = longerThan(interval);
  const ways = [
    ...(longer === null ? [] : [`interval=${longer}`]),
    `at most ${most} ${interval}s`,
    ...(groups > 2 ? ['a smaller limit'] : []),
  ];
  const message = `With ${countInWords(groups, 'group')} of ${interval}s it would have more than ${MAX_POINTS} points.`;
  const fix = `Ask for ${ways.join(', or ')}.`;
  throw new TollgateError('series_too_long', `${message} ${fix}`, {
    errors: [{ pointer: '/query/interval', message, fix }],
  });
}
