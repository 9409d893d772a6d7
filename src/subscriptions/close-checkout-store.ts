import { announceCall } from '../announcements/announcement-store';
import type { Times } from '../clock/times';
import { together } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import { factOfCheckout } from '../domain/announced-facts';
import { checkoutSignalCall } from '../outbox/enqueue-signal';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * Expires the open checkout of a subscription, if it has one, and wakes the checkout's workflow, which also ends it at
 * the payment provider. The caller holds the lock of the subscription's row and closes the subscription itself.
 */
export async function expireCheckoutOf(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
  times: Times,
): Promise<void> {
  await closeCheckoutOf(trx, scope, subscriptionId, 'expired', times);
}

/** Completes the open checkout of a subscription. The caller holds the lock of the subscription's row. */
export async function markCheckoutComplete(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
  times: Times,
): Promise<string | undefined> {
  return closeCheckoutOf(trx, scope, subscriptionId, 'complete', times);
}

async function closeCheckoutOf(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
  status: 'complete' | 'expired',
  { now, recordedAt }: Times,
): Promise<string | undefined> {
  const at = new Date(now);
  const [closed] = await trx('tollgate.checkouts')
    .where({
      ...tenantColumns(scope),
      subscription_id: subscriptionId,
      status: 'open',
    })
    .update({
      status,
      completed_at: status === 'complete' ? at : null,
      // A poll may have been refused before.
      ...(status === 'complete' && { failure: null }),
      next_wake_at:
        status === 'complete'
          ? null
          : trx.raw("CASE WHEN provider = 'internal' THEN NULL ELSE ?::timestamptz END", [at]),
      updated_at: at,
    })
    .returning<{ id: string }[]>('id');
  if (closed !== undefined) {
    const fact = { ...factOfCheckout(closed.id, status), happenedAt: now };
    await together(trx, [checkoutSignalCall(scope, closed.id), announceCall(scope, [fact], recordedAt)]);
  }
  return closed?.id;
}
