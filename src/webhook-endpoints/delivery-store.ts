import { createdWithin } from '../db/created-within';
import type { DbTransaction } from '../db/pools';
import { tenantColumns, tenantColumnsOf } from '../db/tenant-columns';
import { whereAnyOf } from '../db/where-any-of';
import { DAY_MS, type Instant } from '../domain/instant';
import { firstIdentifierAt } from '../identifiers/identifier';
import type { IdPart } from '../pagination/page-by-id';
import type { WorkspaceScope } from '../tenancy/actor';
import type { AttemptRow, DeliveryRow } from './delivery-resource';

const COLUMNS = {
  id: 'd.message_id',
  endpointId: 'd.endpoint_id',
  type: 'm.type',
  resourceKind: 'm.resource_kind',
  resourceId: 'm.resource_id',
  sequence: 'm.sequence',
  status: 'd.status',
  attempts: 'd.attempts',
  nextAttemptAt: 'd.next_attempt_at',
  createdAt: 'd.created_at',
  endedAt: 'd.ended_at',
};

/** How far the time in a message's id may be from its creation, by which a list is restricted. */
const ID_MARGIN_MS = DAY_MS;

/** Lists deliveries newest first: up to `take + 1` whose message id is smaller than `before`. */
export async function listDeliveries(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { endpointId, status }: { endpointId: string; status: string | undefined },
  page: IdPart,
): Promise<DeliveryRow[]> {
  const query = deliveries(trx, scope, endpointId)
    .orderBy('d.message_id', 'desc')
    .limit(page.take + 1);
  createdWithin(query, 'd.created_at', page);
  if (status !== undefined) void query.where('d.status', status);
  // Each table's index is entered where the page begins: an id begins with its time.
  const { from, to, before } = page;
  for (const id of ['d.message_id', 'm.id']) {
    if (from !== undefined) void query.where(id, '>=', firstMessageAt(from - ID_MARGIN_MS));
    if (to !== undefined) void query.where(id, '<', firstMessageAt(to + ID_MARGIN_MS));
    if (before !== undefined) void query.where(id, '<', before);
  }
  return query.select<DeliveryRow[]>(COLUMNS);
}

function firstMessageAt(at: Instant): string {
  return firstIdentifierAt('webhookMessage', at);
}

export async function findDelivery(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { endpointId, messageId }: { endpointId: string; messageId: string },
): Promise<DeliveryRow | undefined> {
  return deliveries(trx, scope, endpointId)
    .where('d.message_id', messageId)
    .first<DeliveryRow | undefined>(COLUMNS);
}

function deliveries(trx: DbTransaction, scope: WorkspaceScope, endpointId: string) {
  return trx('tollgate.webhook_deliveries as d')
    .join('tollgate.webhook_messages as m', (on) => {
      on.on('m.workspace_id', 'd.workspace_id')
        .andOn('m.environment', 'd.environment')
        .andOn('m.id', 'd.message_id');
    })
    .where(tenantColumnsOf('d', scope))
    .where('d.endpoint_id', endpointId);
}

/** Attempts shown per delivery. */
const SHOWN_ATTEMPTS = 20;

/** Returns the latest attempts of each message at an endpoint, newest first. */
export async function listAttempts(
  trx: DbTransaction,
  { workspaceId, environment }: WorkspaceScope,
  endpointId: string,
  messageIds: readonly string[],
): Promise<AttemptRow[]> {
  const { rows } = await trx.raw<{ rows: AttemptRow[] }>(
    `SELECT a.id, a.message_id AS "messageId", a.attempted_at AS "attemptedAt", a.duration_ms AS "durationMs",
            a.status_code AS "statusCode", a.error, a.answer
       FROM unnest(:messageIds::text[]) AS wanted (message_id)
      CROSS JOIN LATERAL (
        SELECT * FROM tollgate.webhook_attempts a
         WHERE a.workspace_id = :workspaceId AND a.environment = :environment
           AND a.message_id = wanted.message_id AND a.endpoint_id = :endpointId
         ORDER BY a.attempted_at DESC, a.id DESC LIMIT ${SHOWN_ATTEMPTS}) a
      ORDER BY a.attempted_at DESC, a.id DESC`,
    { workspaceId, environment, endpointId, messageIds: [...messageIds] },
  );
  return rows;
}

/**
 * Queues messages for an endpoint with all attempts again, including those that were not routed to it originally.
 *
 * @returns how many were queued
 */
export async function sendAgain(
  trx: DbTransaction,
  { workspaceId, environment }: WorkspaceScope,
  endpointId: string,
  messageIds: readonly string[],
  now: Instant,
): Promise<number> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `INSERT INTO tollgate.webhook_deliveries AS d
       (workspace_id, environment, endpoint_id, message_id, next_attempt_at, created_at)
     SELECT m.workspace_id, m.environment, :endpointId, m.id, :now, m.created_at
       FROM tollgate.webhook_messages m
      WHERE m.workspace_id = :workspaceId AND m.environment = :environment AND m.id = ANY (:messageIds)
      ORDER BY m.id
     ON CONFLICT (workspace_id, environment, endpoint_id, message_id)
     DO UPDATE SET status = 'pending', attempts = 0, next_attempt_at = excluded.next_attempt_at, ended_at = NULL`,
    { workspaceId, environment, endpointId, messageIds: [...messageIds], now: new Date(now) },
  );
  return rowCount;
}

/** Cancels a batch of an endpoint's pending deliveries. @returns how many were cancelled */
export async function cancelPending(
  trx: DbTransaction,
  scope: WorkspaceScope,
  endpointId: string,
  { limit, now }: { limit: number; now: Instant },
): Promise<number> {
  const pending = { ...tenantColumns(scope), endpoint_id: endpointId, status: 'pending' };
  const some = trx('tollgate.webhook_deliveries')
    .select('message_id')
    .where(pending)
    .orderBy('message_id')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  const deliveries = trx('tollgate.webhook_deliveries').where(pending);
  return whereAnyOf(deliveries, 'message_id', some).update({
    status: 'cancelled',
    next_attempt_at: null,
    ended_at: new Date(now),
  });
}
