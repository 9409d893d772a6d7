import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';
import { findSubscription, type SubscriptionRow } from './subscription-store';
import { subscriptionNotFound } from '../operations/subscription-not-found';

/** Returns a row as the open transaction has written it. */
export function requireWritten(row: SubscriptionRow | undefined): SubscriptionRow {
  if (row === undefined) throw new Error('A subscription that was just written is missing.');
  return row;
}

/** @throws TollgateError subscription_not_found */
export async function requireSubscription(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<SubscriptionRow> {
  const row = await findSubscription(trx, scope, id);
  if (row !== undefined) return row;
  throw subscriptionNotFound(id);
}
