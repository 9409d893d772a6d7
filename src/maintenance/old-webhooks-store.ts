import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import { whereAnyOf } from '../db/where-any-of';
import type { Instant } from '../domain/instant';
import { firstIdentifierAt } from '../identifiers/identifier';
import type { WorkspaceScope } from '../tenancy/actor';

/** Messages per statement. Their deliveries and attempts are deleted with them. */
const BATCH_SIZE = 200;
/** Sequences per statement. */
const SEQUENCES = 5_000;

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
  return whereAnyOf(trx('tollgate.webhook_messages').where(tenant), 'id', some).delete();
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

/**
 * Deletes one batch of the sequences of the workspace's operations that were created before an instant and have been
 * deleted; returns 0 if none remain. No further message is about such an operation.
 */
export async function deleteSequencesOfDeletedOperations(
  trx: DbTransaction,
  scope: WorkspaceScope,
  before: Instant,
): Promise<number> {
  const { workspaceId, environment } = scope;
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `DELETE FROM tollgate.webhook_sequences
      WHERE workspace_id = :workspaceId AND environment = :environment AND resource_kind = 'operation'
        AND resource_id = ANY (ARRAY(
          SELECT s.resource_id FROM tollgate.webhook_sequences s
           WHERE s.workspace_id = :workspaceId AND s.environment = :environment AND s.resource_kind = 'operation'
             AND s.resource_id < :first
             AND NOT EXISTS (SELECT FROM tollgate.operations o
                              WHERE o.workspace_id = s.workspace_id AND o.environment = s.environment
                                AND o.id = s.resource_id)
           ORDER BY s.resource_id LIMIT ${SEQUENCES}))`,
    { workspaceId, environment, first: firstIdentifierAt('operation', before) },
  );
  return rowCount;
}
