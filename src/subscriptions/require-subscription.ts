import type { DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import type { WorkspaceScope } from '../tenancy/actor';
import { findSubscription, type SubscriptionRow } from './subscription-store';

/** @throws TollgateError subscription_not_found */
export async function requireSubscription(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<SubscriptionRow> {
  const row = await findSubscription(trx, scope, id);
  if (row !== undefined) return row;
  throw new TollgateError('subscription_not_found', `There is no subscription "${id}" in this environment.`);
}
