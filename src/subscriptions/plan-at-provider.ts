import { findPlanNames } from '../catalog/plan-store';
import { findConnection, type ConnectionRow } from '../connections/connection-store';
import { connectionNotFound } from '../connections/require-connection';
import { requirePlanReference } from '../connections/plan-reference';
import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';
import type { BilledSubscription } from './billed-subscription';

/**
 * Returns a plan's reference at the provider that bills a subscription. @throws TollgateError plan_not_mapped,
 * connection_not_found
 */
export async function referenceOfPlan(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { connectionId }: Pick<BilledSubscription, 'connectionId'>,
  planId: string,
): Promise<string> {
  const connection = connectionId === null ? undefined : await findConnection(trx, scope, connectionId);
  if (connection === undefined) throw connectionNotFound(connectionId ?? '');
  return planReferenceAt(trx, scope, connection, planId);
}

/** Returns the provider's reference of a plan. @throws TollgateError plan_not_mapped */
export async function planReferenceAt(
  trx: DbTransaction,
  scope: WorkspaceScope,
  connection: ConnectionRow,
  planId: string,
): Promise<string> {
  const plan = await findPlanNames(trx, scope, planId);
  if (plan === undefined) throw new Error(`There is no plan ${planId}.`);
  return requirePlanReference(connection, plan);
}
