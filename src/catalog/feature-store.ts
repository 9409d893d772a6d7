import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import { OPEN_SUBSCRIPTION_STATUSES } from '../domain/subscription-types';
import type { WorkspaceScope } from '../tenancy/actor';
import { tenantColumns } from '../db/tenant-columns';
import { Feature } from './store/models';
import { newestFirst, type ListPart } from './store/newest-first';
import { searched } from './store/search';

export type FeatureRow = Pick<
  Feature,
  'id' | 'key' | 'name' | 'kind' | 'unit' | 'dimensions' | 'createdAt' | 'updatedAt' | 'archivedAt'
>;

/** Lists features, newest first, with one row more than a page. */
export async function listFeatures(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: ListPart & { search?: string },
): Promise<FeatureRow[]> {
  const all = Feature.query(trx).where(tenantColumns(scope));
  return newestFirst(searched(all, 'key', page.search), page);
}

/**
 * Lists the features that a customer may be asked about, by key: those that are not archived, and archived ones that
 * the plan of an open subscription still grants.
 */
export async function listFeaturesFor(
  trx: DbTransaction,
  scope: WorkspaceScope,
  customerId: string,
): Promise<FeatureRow[]> {
  const plans = trx('tollgate.subscriptions')
    .where({ ...tenantColumns(scope), customer_id: customerId })
    .whereIn('status', OPEN_SUBSCRIPTION_STATUSES)
    .select('plan_id');
  const granted = trx('tollgate.plan_entitlements')
    .where(tenantColumns(scope))
    .whereIn('plan_id', plans)
    .select('feature_id');
  return Feature.query(trx)
    .where(tenantColumns(scope))
    .where((meant) => {
      void meant.whereNull('archived_at').orWhereIn('id', granted);
    })
    .orderBy('key');
}

/** Returns the names of all features by key, including archived ones, which plans may still grant. */
export async function readFeatureNames(
  trx: DbTransaction,
  scope: WorkspaceScope,
): Promise<Map<string, string>> {
  const features = await Feature.query(trx).where(tenantColumns(scope)).select('key', 'name');
  return new Map(features.map(({ key, name }) => [key, name]));
}

/** @param lock if the row is about to be changed: concurrent changes take turns, and tracks do not wait */
export async function findFeature(
  trx: DbTransaction,
  scope: WorkspaceScope,
  feature: { id: string } | { key: string },
  lock?: 'lock',
): Promise<FeatureRow | undefined> {
  const query = Feature.query(trx)
    .where({ ...tenantColumns(scope), ...feature })
    .first();
  if (lock === 'lock') void query.forNoKeyUpdate();
  return query;
}

export async function insertFeature(
  trx: DbTransaction,
  scope: WorkspaceScope,
  feature: FeatureRow,
): Promise<FeatureRow> {
  return Feature.query(trx)
    .insert({ ...scope, ...feature })
    .returning('*');
}

/** @returns the updated feature; undefined if there is none */
export async function updateFeature(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  change: {
    name?: string;
    unit?: string | null;
    dimensions?: string[];
    archivedAt?: Instant | null;
    updatedAt: Instant;
  },
): Promise<FeatureRow | undefined> {
  return Feature.query(trx)
    .patch(change)
    .where({ ...tenantColumns(scope), id })
    .returning('*')
    .first();
}
