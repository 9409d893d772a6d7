import { keyLookupsCall, nothing, together } from '../db/calls';
import { newestFirst } from '../db/newest-first';
import { textArray } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { tenantColumns, tenantColumnsOf } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WebhookResource, WebhookType } from '../domain/webhook-types';
import type { StreamPosition } from '../events/stream-position';
import type { CreationPart } from '../pagination/page-by-creation';
import type { WorkspaceScope } from '../tenancy/actor';

/** A message as announced. */
export interface MessageRow {
  id: string;
  type: WebhookType;
  resourceKind: WebhookResource;
  resourceId: string;
  /** A bigint as text. */
  sequence: string;
  /** Workspace time. */
  happenedAt: Instant;
  /** Real time. */
  createdAt: Instant;
  eventId: string | null;
  /** The payload sent; null until it is rendered. */
  payload: string | null;
}

const COLUMNS = {
  id: 'id',
  type: 'type',
  resourceKind: 'resource_kind',
  resourceId: 'resource_id',
  sequence: 'sequence',
  happenedAt: 'happened_at',
  createdAt: 'created_at',
  eventId: 'event_id',
  payload: 'payload',
} satisfies Record<keyof MessageRow, string>;

export async function findMessage(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<MessageRow | undefined> {
  return messages(trx, scope).where({ id }).first<MessageRow | undefined>(COLUMNS);
}

/**
 * Reads the message and locks it until the transaction ends: no other process renders it in the meantime, and an
 * erasure waits.
 */
export async function lockMessage(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<MessageRow | undefined> {
  return messages(trx, scope).where({ id }).forNoKeyUpdate().first<MessageRow | undefined>(COLUMNS);
}

/** Reads messages and locks them until the transaction ends, skipping those locked by another transaction. */
export async function lockMessagesThatAreFree(
  trx: DbTransaction,
  scope: WorkspaceScope,
  ids: readonly string[],
): Promise<MessageRow[]> {
  return messages(trx, scope)
    .whereRaw('id = ANY (CAST(? AS text[]))', [textArray(ids)])
    .forNoKeyUpdate()
    .skipLocked()
    .select<MessageRow[]>(COLUMNS);
}

/** Stores the payloads by message. The rows must be locked and have none yet. */
export async function savePayloads(
  trx: DbTransaction,
  { workspaceId, environment }: WorkspaceScope,
  payloads: ReadonlyMap<string, string>,
): Promise<void> {
  const save = {
    name: 'save_webhook_payloads',
    text: `UPDATE tollgate.webhook_messages m SET payload = r.payload
             FROM unnest($3::text[], $4::text[]) AS r (id, payload)
            WHERE m.workspace_id = $1 AND m.environment = $2 AND m.id = r.id`,
    values: [workspaceId, environment, textArray([...payloads.keys()]), textArray([...payloads.values()])],
    read: nothing,
  };
  await together(trx, [keyLookupsCall(), save]);
}

/** Lists messages newest first. */
export async function listMessages(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { type, ...page }: CreationPart & { type?: WebhookType | undefined },
): Promise<MessageRow[]> {
  const query = trx('tollgate.webhook_messages as m').where(tenantColumnsOf('m', scope));
  if (type !== undefined) void query.where('m.type', type);
  newestFirst(query, 'm', page);
  return query.select<MessageRow[]>(COLUMNS);
}

/** Returns the workspace's messages after a position and below the horizon, in the order of their transactions. */
export async function readMessagesOfStream(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { after, horizon, limit }: { after: StreamPosition; horizon: string; limit: number },
): Promise<(StreamPosition & { payload: string | null })[]> {
  const { rows } = await trx.raw<{ rows: (StreamPosition & { payload: string | null })[] }>(
    `SELECT CAST(written_by AS text) AS "transactionId", id AS sequence, payload FROM tollgate.webhook_messages
      WHERE workspace_id = :workspaceId AND environment = :environment
        AND (written_by, id) > (CAST(:transactionId AS xid8), :sequence) AND written_by < CAST(:horizon AS xid8)
      ORDER BY written_by, id LIMIT :limit`,
    { ...scope, ...after, horizon, limit },
  );
  return rows;
}

function messages(trx: DbTransaction, scope: WorkspaceScope) {
  return trx('tollgate.webhook_messages').where(tenantColumns(scope));
}
