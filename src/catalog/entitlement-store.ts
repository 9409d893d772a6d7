import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';
import type { FeatureRow } from './feature-store';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import { PlanEntitlement } from './store/models';
import { newestFirst } from './store/newest-first';

/** Terms of an entitlement; decimals as text. */
export type EntitlementTerms = Pick<
  PlanEntitlement,
  | 'quota'
  | 'perSeat'
  | 'resetInterval'
  | 'enforcement'
  | 'creditCost'
  | 'rolloverPeriods'
  | 'rolloverMax'
  | 'rolloverFirst'
  | 'entityQuota'
  | 'alertPercents'
>;

export type EntitlementRow = EntitlementTerms &
  Pick<PlanEntitlement, 'id' | 'planId' | 'featureId' | 'createdAt' | 'updatedAt'>;

/** An entitlement and its feature. */
export type EntitlementWithFeature = EntitlementRow & { feature: FeatureRow };

/** Lists entitlements, newest first. Returns one row more than a page, to show whether another page follows. */
export async function listEntitlements(
  trx: DbTransaction,
  scope: WorkspaceScope,
  planId: string,
  page: { take: number; before?: string },
): Promise<EntitlementWithFeature[]> {
  const query = PlanEntitlement.query(trx)
    .where({ ...tenantColumns(scope), plan_id: planId })
    .withGraphFetched('feature');
  return (await newestFirst(query, page)).map(withFeature);
}

/** @param lock 'update' if the row is about to be changed */
export async function findEntitlement(
  trx: DbTransaction,
  scope: WorkspaceScope,
  planId: string,
  id: string,
  lock?: 'update',
): Promise<EntitlementWithFeature | undefined> {
  const query = PlanEntitlement.query(trx)
    .where({ ...tenantColumns(scope), plan_id: planId, id })
    .withGraphFetched('feature')
    .first();
  if (lock === 'update') void query.forUpdate();
  const found = await query;
  return found === undefined ? undefined : withFeature(found);
}

export async function insertEntitlement(
  trx: DbTransaction,
  scope: WorkspaceScope,
  entitlement: EntitlementRow,
): Promise<void> {
  await PlanEntitlement.query(trx).insert({ ...scope, ...entitlement });
}

export async function updateEntitlement(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  change: EntitlementTerms & Pick<EntitlementRow, 'updatedAt'>,
): Promise<void> {
  await PlanEntitlement.query(trx)
    .patch(change)
    .where({ ...tenantColumns(scope), id });
}

/**
 * Deletes an entitlement. Usage that was counted under it is kept, and so are its terms until `removedAt` (the
 * workspace's time): if the feature is added again, unused quota of the periods before rolls over.
 */
export async function deleteEntitlement(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  removedAt: Instant,
): Promise<void> {
  const row = PlanEntitlement.query(trx).where({ ...tenantColumns(scope), id });
  // A trigger keeps the terms that an update replaces, until its time. A deletion names none.
  await row.clone().patch({ rolloverPeriods: 0, updatedAt: removedAt }).where('rollover_periods', '>', 0);
  await row.delete();
}

/** Narrows the type of an entitlement that was read with its feature. */
export function withFeature(entitlement: PlanEntitlement): EntitlementWithFeature {
  if (entitlement.feature === undefined)
    throw new Error(`The feature of ${entitlement.id} was not read with it.`);
  return Object.assign(entitlement, { feature: entitlement.feature });
}
