import { textArray } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { isoText } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { NOTHING_ROLLED, type RollupState } from './rollup-state-store';
import type { SeriesRange } from './series-range';
import { changesAfter, TIME_OF_USE } from './usage-change-store';

/** What a series is of. */
export interface SeriesSubject {
  range: SeriesRange;
  state: RollupState;
  /** Null: of all features. */
  featureId: string | null;
  /** Null: of all customers. */
  customerId: string | null;
  /** Every feature of the workspace. */
  featureIds: readonly string[];
}

/** A sum of a bucket, by its place; `key` is the group's. Decimals and counts as text. */
export interface BucketSum {
  key: string | null;
  bucket: number;
  quantity: string;
  events: string;
}

/** A sum of the whole time. */
export type GroupSum = Omit<BucketSum, 'bucket'>;

/** The state whose sums may be used here. */
export function usableState(state: RollupState | undefined): RollupState {
  return state?.isOfThisCluster === true ? state : NOTHING_ROLLED;
}

/**
 * Has the open transaction plan each statement for the customers and times that it binds, and read sums by their keys: a
 * plan for any customer is made for a small one, and a large one's quarters look like reason to read the whole table.
 */
export async function planForBindings(trx: DbTransaction): Promise<void> {
  await trx.raw(
    `SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true)`,
  );
}

/** What the selections of a series bind. */
export function seriesBindings(
  scope: WorkspaceScope,
  { range, state }: SeriesSubject,
): Record<string, string> {
  return {
    ...scope,
    watermark: state.watermark,
    earlierAfter: state.earlierAfter ?? '',
    from: isoText(range.from),
    to: isoText(range.to),
    starts: textArray(range.buckets.map(({ start }) => isoText(start))),
  };
}

/** An SQL expression: the place of the bucket that an instant is in. */
export const BUCKET_OF_AT = `width_bucket(at, CAST(:starts AS timestamptz[])) - 1`;

/** A condition on a column of quarters or days. */
export const within = (column: string): string =>
  `${column} >= CAST(:from AS timestamptz) AND ${column} < CAST(:to AS timestamptz)`;

/** What of the subject the sums do not have yet, within the time (usage-change-store.ts). Binds :features and :customers. */
export function tailOf({ state }: SeriesSubject, by: { features: boolean; customers: boolean }): string {
  const conditions = [within(TIME_OF_USE)];
  if (by.features) conditions.push('e.feature_id = ANY (CAST(:features AS text[]))');
  if (by.customers) conditions.push('e.customer_id = ANY (CAST(:customers AS text[]))');
  return changesAfter(state, conditions.join(' AND '));
}

/** The key of a group, of which columns. */
const KEYS = { none: 'NULL', feature: 'feature_id', customer: 'customer_id' };

/**
 * The sums by bucket, of the subject as a whole or of some of its features or customers.
 *
 * @param chosen the ids of the groups
 */
export async function sumBuckets(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subject: SeriesSubject,
  by: keyof typeof KEYS,
  chosen: readonly string[] = [],
): Promise<BucketSum[]> {
  return sumQuarters<BucketSum>(trx, scope, subject, by, chosen, `, ${BUCKET_OF_AT} AS bucket`, '1, 2');
}

/** The sums of each feature. */
export async function sumFeatures(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subject: SeriesSubject,
): Promise<GroupSum[]> {
  const chosen = subject.featureId === null ? subject.featureIds : [subject.featureId];
  return sumQuarters<GroupSum>(trx, scope, subject, 'feature', chosen, '', '1');
}

async function sumQuarters<Sum>(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subject: SeriesSubject,
  by: keyof typeof KEYS,
  chosen: readonly string[],
  bucket: string,
  groups: string,
): Promise<Sum[]> {
  const { featureId, customerId } = subject;
  const customers = by === 'customer' ? chosen : [customerId ?? ''];
  const features = by === 'feature' ? chosen : featuresOf(subject, by === 'customer');
  const tail = tailOf(subject, {
    features: by === 'feature' || featureId !== null,
    customers: by === 'customer' || customerId !== null,
  });
  const { rows } = await trx.raw<{ rows: Sum[] }>(
    `SELECT key${bucket}, CAST(sum(quantity) AS text) AS quantity, CAST(sum(events) AS text) AS events FROM (
       SELECT ${KEYS[by]} AS key, quarter AS at, quantity, events FROM tollgate.usage_quarters
        WHERE workspace_id = :workspaceId AND environment = :environment
          AND customer_id = ANY (CAST(:customers AS text[])) AND feature_id = ANY (CAST(:features AS text[]))
          AND ${within('quarter')} AND ${hasSums(subject)}
       UNION ALL
       SELECT ${KEYS[by]}, at, quantity, events FROM (${tail}) AS c) AS s
      GROUP BY ${groups}`,
    { ...seriesBindings(scope, subject), customers: textArray(customers), features: textArray(features) },
  );
  return rows;
}

/** The features under which the sums of a subject stand. @param ofCustomers those of all features have no customer */
export function featuresOf(
  { featureId, customerId, featureIds }: SeriesSubject,
  ofCustomers: boolean,
): readonly string[] {
  if (featureId !== null) return [featureId];
  return ofCustomers || customerId !== null ? featureIds : [''];
}

/** An SQL condition: sums of another cluster are left out. */
export function hasSums({ state }: SeriesSubject): string {
  return state === NOTHING_ROLLED ? 'false' : 'true';
}
