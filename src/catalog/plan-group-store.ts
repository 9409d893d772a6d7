import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import { tenantColumns } from '../db/tenant-columns';
import { PlanGroup } from './store/models';
import { newestFirst, type ListPart } from './store/newest-first';
import { searched } from './store/search';

export type PlanGroupRow = Pick<PlanGroup, 'id' | 'slug' | 'name' | 'createdAt' | 'updatedAt' | 'archivedAt'>;

/** Lists plan groups, newest first, with one row more than a page. */
export async function listPlanGroups(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: ListPart & { search?: string },
): Promise<PlanGroupRow[]> {
  const all = PlanGroup.query(trx).where(tenantColumns(scope));
  return newestFirst(searched(all, 'slug', page.search), page);
}

/**
 * @param lock 'share' keeps the group unchanged until the commit, while plans are put into it; 'lock' if it is about to
 *   be changed
 */
export async function findPlanGroup(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  lock?: 'share' | 'lock',
): Promise<PlanGroupRow | undefined> {
  const query = PlanGroup.query(trx)
    .where({ ...tenantColumns(scope), id })
    .first();
  if (lock === 'share') void query.forShare();
  if (lock === 'lock') void query.forNoKeyUpdate();
  return query;
}

export async function insertPlanGroup(
  trx: DbTransaction,
  scope: WorkspaceScope,
  group: PlanGroupRow,
): Promise<PlanGroupRow> {
  return PlanGroup.query(trx)
    .insert({ ...scope, ...group })
    .returning('*');
}

/** @returns the updated group; undefined if there is none */
export async function updatePlanGroup(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  change: { slug?: string; name?: string; archivedAt?: Instant | null; updatedAt: Instant },
): Promise<PlanGroupRow | undefined> {
  return PlanGroup.query(trx)
    .patch(change)
    .where({ ...tenantColumns(scope), id })
    .returning('*')
    .first();
}
