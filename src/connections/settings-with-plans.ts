import { findPlansWithMetadata } from '../catalog/plan-store';
import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';
import type { SealedConnectionRow } from './connection-store';
import { planMemberOf, withNamedPlans } from './plan-reference';

/** Returns a connection's settings with the references of all plans, those in the plans' metadata included. */
export async function settingsWithPlans(
  trx: DbTransaction,
  scope: WorkspaceScope,
  row: SealedConnectionRow,
): Promise<SealedConnectionRow['settings']> {
  return withNamedPlans(row, await findPlansWithMetadata(trx, scope, planMemberOf(row.provider)));
}
