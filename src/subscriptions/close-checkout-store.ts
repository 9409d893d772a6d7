import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import { enqueueCheckoutSignal } from '../outbox/enqueue-signal';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * Expires the open checkout of a subscription, if it has one, and wakes the checkout's workflow, which ends it at the
 * payment provider too. The caller holds the lock of the subscription's row and closes the subscription itself.
 *
 * @param now the workspace's time
 */
export async function expireCheckoutOf(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
  now: Instant,
): Promise<void> {
  await closeCheckoutOf(trx, scope, subscriptionId, { status: 'expired', now });
}

/** Completes the open checkout of a subscription. The caller holds the lock of the subscription's row. */
export async function markCheckoutComplete(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
  now: Instant,
): Promise<string | undefined> {
  return closeCheckoutOf(trx, scope, subscriptionId, { status: 'complete', now });
}

async function closeCheckoutOf(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
  { status, now }: { status: 'complete' | 'expired'; now: Instant },
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
      next_wake_at:
        status === 'complete'
          ? null
          : trx.raw("CASE WHEN provider = 'internal' THEN NULL ELSE ?::timestamptz END", [at]),
      updated_at: at,
    })
    .returning<{ id: string }[]>('id');
  if (closed !== undefined) await enqueueCheckoutSignal(trx, scope, closed.id);
  return closed?.id;
}
