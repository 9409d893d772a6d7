import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
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

/** Lists features that are not archived, by key. */
export async function listOfferedFeatures(trx: DbTransaction, scope: WorkspaceScope): Promise<FeatureRow[]> {
  return Feature.query(trx).where(tenantColumns(scope)).whereNull('archived_at').orderBy('key');
}

export async function findFeature(
  trx: DbTransaction,
  scope: WorkspaceScope,
  feature: { id: string } | { key: string },
): Promise<FeatureRow | undefined> {
  return Feature.query(trx)
    .where({ ...tenantColumns(scope), ...feature })
    .first();
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
