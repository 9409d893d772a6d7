import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

interface MessageRow {
  type: string;
  resourceKind: string;
  resourceId: string;
  sequence: string;
  happenedAt: Instant;
  payload: string | null;
}

export async function readMessage(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<MessageRow | undefined> {
  return trx('tollgate.webhook_messages')
    .where({ ...tenantColumns(scope), id })
    .first<MessageRow | undefined>({
      type: 'type',
      resourceKind: 'resource_kind',
      resourceId: 'resource_id',
      sequence: 'sequence',
      happenedAt: 'happened_at',
      payload: 'payload',
    });
}

/** Stores what is sent, unless somebody has; answers what is stored. */
export async function storePayload(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  payload: string,
): Promise<string> {
  const rows = await trx('tollgate.webhook_messages')
    .where({ ...tenantColumns(scope), id })
    .update({ payload: trx.raw('coalesce(payload, ?)', [payload]) })
    .returning<{ payload: string }[]>('payload');
  return rows[0]?.payload ?? payload;
}
