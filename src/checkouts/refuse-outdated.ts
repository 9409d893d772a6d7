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
 * Refuses a checkout of a plan that comes late, in the place of one that its customer was given meanwhile: that page they
 * may be about to pay on.
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

/** Real time. One of local billing is made with its request, by the workspace's time of then. */
async function requestedAt(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { id, createdAt }: CheckoutRow,
  clockOffset: number,
): Promise<Instant> {
  const operation = await findOperation(trx, scope, operationIdOfCheckout(id));
  return operation?.createdAt ?? createdAt - clockOffset;
}
