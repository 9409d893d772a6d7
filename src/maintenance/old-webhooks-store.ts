import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** Messages per statement. Their deliveries and attempts are deleted with them. */
const BATCH_SIZE = 200;

/** Deletes one batch of the workspace's messages to integrators from before an instant; returns 0 if none remain. */
export async function deleteOldWebhookMessages(
  trx: DbTransaction,
  scope: WorkspaceScope,
  before: Instant,
): Promise<number> {
  const tenant = tenantColumns(scope);
  const some = trx('tollgate.webhook_messages')
    .select('id')
    .where(tenant)
    .where('created_at', '<', new Date(before))
    .orderBy('created_at')
    .limit(BATCH_SIZE);
  return trx('tollgate.webhook_messages').where(tenant).whereIn('id', some).delete();
}

/** Deletes the resends that ended before an instant. */
export async function deleteOldWebhookResends(
  trx: DbTransaction,
  scope: WorkspaceScope,
  before: Instant,
): Promise<number> {
  return trx('tollgate.webhook_resends')
    .where(tenantColumns(scope))
    .where('ended_at', '<', new Date(before))
    .delete();
}
