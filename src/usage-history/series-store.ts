import { textArray } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { isoText } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { NOTHING_ROLLED, type RollupState } from './rollup-state-store';
import type { SeriesRange } from './series-range';
import { changesAfter, TIME_OF_USE } from './usage-change-store';

/** Subject of a series. */
export interface SeriesSubject {
  range: SeriesRange;
  state: RollupState;
  /** Null: all features. */
  featureId: string | null;
  /** Null: all customers. */
  customerId: string | null;
  /** Every feature of the workspace. */
  featureIds: readonly string[];
}

/** Sum of a bucket, which is given by its position; `key` is the group's. Decimals and counts are text. */
export interface BucketSum {
  key: string | null;
  bucket: number;
  quantity: string;
  events: string;
}

/** Sum over the whole time range. */
export type GroupSum = Omit<BucketSum, 'bucket'>;

/** Returns the state if its sums may be used here, and otherwise an empty state. */
export function usableState(state: RollupState | undefined): RollupState {
  return state?.isOfThisCluster === true ? state : NOTHING_ROLLED;
}

/**
 * Makes the open transaction plan each statement for the customers and times that it binds, and read sums by their
 * keys. A plan for any customer suits a small one, while a large one's quarters seem to justify reading the whole
 * table.
 */
export async function planForBindings(trx: DbTransaction): Promise<void> {
  await trx.raw(
    `SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true)`,
  );
}

/** Returns the bindings of a series' selections. */
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

/** SQL expression for the position of the bucket that contains an instant. */
export const BUCKET_OF_AT = `width_bucket(at, CAST(:starts AS timestamptz[])) - 1`;

/** Returns a condition on a column of quarters or days. */
export const within = (column: string): string =>
  `${column} >= CAST(:from AS timestamptz) AND ${column} < CAST(:to AS timestamptz)`;

/**
 * Returns SQL for the subject's changes in the time range that the sums do not include yet (usage-change-store.ts).
 * Binds :features and :customers.
 */
export function tailOf({ state }: SeriesSubject, by: { features: boolean; customers: boolean }): string {
  const conditions = [within(TIME_OF_USE)];
  if (by.features) conditions.push('e.feature_id = ANY (CAST(:features AS text[]))');
  if (by.customers) conditions.push('e.customer_id = ANY (CAST(:customers AS text[]))');
  return changesAfter(state, conditions.join(' AND '));
}

/** Column of a group's key. */
const KEYS = { none: 'NULL', feature: 'feature_id', customer: 'customer_id' };

/**
 * Reads the sums by bucket, of the subject as a whole or of some of its features or customers.
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
  return sumQuarters<BucketSum>(trx, scope, subject, { by, chosen, over: 'buckets' });
}

/** Reads the sums of each feature. */
export async function sumFeatures(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subject: SeriesSubject,
): Promise<GroupSum[]> {
  return sumQuarters<GroupSum>(trx, scope, subject, {
    by: 'feature',
    chosen: featureIdsOf(subject),
    over: 'range',
  });
}

/** What each sum of a group is over: one bucket, or the whole time range. */
const GROUPINGS = {
  buckets: { columns: `key, ${BUCKET_OF_AT} AS bucket`, positions: '1, 2' },
  range: { columns: 'key', positions: '1' },
};

async function sumQuarters<Sum>(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subject: SeriesSubject,
  { by, chosen, over }: { by: keyof typeof KEYS; chosen: readonly string[]; over: keyof typeof GROUPINGS },
): Promise<Sum[]> {
  const { featureId, customerId } = subject;
  const { columns, positions } = GROUPINGS[over];
  const customers = by === 'customer' ? chosen : [customerId ?? ''];
  const ofCustomers = by === 'customer' || customerId !== null;
  // Sums over all features are stored under '', but not by customer.
  const whole = ofCustomers ? featureIdsOf(subject) : [featureId ?? ''];
  const features = by === 'feature' ? chosen : whole;
  const tail = tailOf(subject, {
    features: by === 'feature' || featureId !== null,
    customers: ofCustomers,
  });
  const { rows } = await trx.raw<{ rows: Sum[] }>(
    `SELECT ${columns}, CAST(sum(quantity) AS text) AS quantity, CAST(sum(events) AS text) AS events FROM (
       SELECT ${KEYS[by]} AS key, quarter AS at, quantity, events FROM tollgate.usage_quarters
        WHERE workspace_id = :workspaceId AND environment = :environment
          AND customer_id = ANY (CAST(:customers AS text[])) AND feature_id = ANY (CAST(:features AS text[]))
          AND ${within('quarter')} AND ${hasSums(subject)}
       UNION ALL
       SELECT ${KEYS[by]}, at, quantity, events FROM (${tail}) AS c) AS s
      GROUP BY ${positions}`,
    { ...seriesBindings(scope, subject), customers: textArray(customers), features: textArray(features) },
  );
  return rows;
}

/** Returns the ids of the features that a subject is about. */
export function featureIdsOf({ featureId, featureIds }: SeriesSubject): readonly string[] {
  return featureId === null ? featureIds : [featureId];
}

/** Returns an SQL condition that excludes sums of another cluster. */
export function hasSums({ state }: SeriesSubject): string {
  return state === NOTHING_ROLLED ? 'false' : 'true';
}
