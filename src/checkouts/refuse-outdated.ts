import type { DbTransaction } from '../db/pools';
import { isOutdated } from '../domain/checkout';
import type { Instant } from '../domain/instant';
import { findOperation, type OperationRow } from '../operations/operation-store';
import { operationIdOfCheckout } from '../operations/target-ids';
import { findIncompleteSubscriptions } from '../subscriptions/open-subscription-store';
import type { WorkspaceScope } from '../tenancy/actor';
import { listCheckouts, type CheckoutRow } from './checkout-store';
import { TOO_LATE } from './resolve-creation';

/**
 * Refuses a late command for a checkout of a plan if it would replace a newer checkout of the customer, who may be
 * about to pay on that page.
 *
 * @param clockOffset how far the workspace is ahead of real time (milliseconds)
 * @throws TollgateError `TOO_LATE`
 */
export async function refuseOutdated(
  trx: DbTransaction,
  scope: WorkspaceScope,
  operation: OperationRow,
  { customerId, planGroupId }: { customerId: string; planGroupId: string },
  clockOffset: number,
): Promise<void> {
  for (const subscriptionId of await findIncompleteSubscriptions(trx, scope, customerId, planGroupId)) {
    const open = await listCheckouts(trx, scope, { subscriptionId, status: 'open', limit: 1 });
    for (const checkout of open) {
      if (isOutdated(operation, await requestedAt(trx, scope, checkout, clockOffset))) throw TOO_LATE;
    }
  }
}

/** Returns when a checkout was requested, in real time. A local-billing one is created at once, in workspace time. */
async function requestedAt(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { id, createdAt }: CheckoutRow,
  clockOffset: number,
): Promise<Instant> {
  const operation = await findOperation(trx, scope, operationIdOfCheckout(id));
  return operation?.createdAt ?? createdAt - clockOffset;
}
