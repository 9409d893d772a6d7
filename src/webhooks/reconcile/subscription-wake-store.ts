import type { DbTransaction } from '../../db/pools';
import { tenantColumns } from '../../db/tenant-columns';
import type { Instant } from '../../domain/instant';
import type { WorkspaceScope } from '../../tenancy/scope';

/**
 * Makes the sweep find a subscription that its workflow should look at, in case the outbox gives up.
 *
 * @param now the workspace's time
 */
export async function wakeSubscription(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  now: Instant,
): Promise<void> {
  await trx('tollgate.subscriptions')
    .where({ ...tenantColumns(scope), id })
    .update({ next_wake_at: new Date(now) });
}
