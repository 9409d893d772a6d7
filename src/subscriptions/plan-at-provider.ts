import { findPlan } from '../catalog/plan-store';
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
  subscription: Pick<BilledSubscription, 'connectionId'>,
  planId: string,
): Promise<string> {
  const connection = await connectionOf(trx, scope, subscription);
  const plan = await findPlan(trx, scope, { id: planId });
  if (plan === undefined) throw new Error(`The plan ${planId} of a subscription is missing.`);
  return requirePlanReference(connection, plan);
}

async function connectionOf(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { connectionId }: Pick<BilledSubscription, 'connectionId'>,
): Promise<ConnectionRow> {
  const connection = connectionId === null ? undefined : await findConnection(trx, scope, connectionId);
  if (connection === undefined) throw connectionNotFound(connectionId ?? '');
  return connection;
}
