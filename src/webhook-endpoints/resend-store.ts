import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import type { ResendRow } from './resend-resource';

const TABLE = 'tollgate.webhook_resends';
const COLUMNS = {
  id: 'id',
  endpointId: 'endpoint_id',
  since: 'since',
  until: 'until',
  undeliveredOnly: 'undelivered_only',
  afterCreated: 'after_created',
  afterMessage: 'after_message',
  resent: 'resent',
  createdAt: 'created_at',
  endedAt: 'ended_at',
};

export async function insertResend(
  trx: DbTransaction,
  scope: WorkspaceScope,
  resend: { id: string; endpointId: string; since: Instant; undeliveredOnly: boolean; now: Instant },
): Promise<void> {
  const now = new Date(resend.now);
  await trx(TABLE).insert({
    ...tenantColumns(scope),
    id: resend.id,
    endpoint_id: resend.endpointId,
    since: new Date(resend.since),
    until: now,
    undelivered_only: resend.undeliveredOnly,
    created_at: now,
  });
}

/** Returns the endpoint's resend that has not ended. */
export async function findOpenResend(
  trx: DbTransaction,
  scope: WorkspaceScope,
  endpointId: string,
): Promise<ResendRow | undefined> {
  return trx(TABLE)
    .where({ ...tenantColumns(scope), endpoint_id: endpointId })
    .whereNull('ended_at')
    .first<ResendRow | undefined>(COLUMNS);
}

export async function findResend(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { endpointId, id }: { endpointId: string; id: string },
): Promise<ResendRow | undefined> {
  return trx(TABLE)
    .where({ ...tenantColumns(scope), endpoint_id: endpointId, id })
    .first<ResendRow | undefined>(COLUMNS);
}

/** Returns the id of a resend's endpoint; undefined if the resend was deleted. */
export async function readEndpointOf(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<string | undefined> {
  const row = await trx(TABLE)
    .where({ ...tenantColumns(scope), id })
    .first<{ endpointId: string } | undefined>({ endpointId: 'endpoint_id' });
  return row?.endpointId;
}

/**
 * Whether every transaction that was open when the row was written has ended. Such a transaction may hold a message
 * that it wrote while the endpoint was disabled, so that no delivery exists. Transaction ids in rows wrap around at
 * 2^32.
 */
const IS_SETTLED = `(CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS bigint) % 4294967296
  - CAST(CAST(xmin AS text) AS bigint) + 4294967296) % 4294967296 BETWEEN 1 AND 2147483647`;

/**
 * Locks an open resend that no other process is working on. Returns undefined if another process has it, if it has
 * ended, or if it must not start yet: messages that were being written when it was requested belong to it.
 */
export async function takeResend(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<ResendRow | undefined> {
  return trx(TABLE)
    .where({ ...tenantColumns(scope), id })
    .whereNull('ended_at')
    .whereRaw(`(after_message IS NOT NULL OR ${IS_SETTLED})`)
    .forUpdate()
    .skipLocked()
    .first<ResendRow | undefined>(COLUMNS);
}

/** A message, and when it was written, in Postgres's own format: an instant would lose the microseconds. */
export interface WrittenMessage {
  id: string;
  createdAt: string;
}

export async function saveProgress(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  progress: { after: WrittenMessage | undefined; resent: number; endedAt: Instant | null },
): Promise<void> {
  await trx(TABLE)
    .where({ ...tenantColumns(scope), id })
    .update({
      ...(progress.after !== undefined && {
        after_created: progress.after.createdAt,
        after_message: progress.after.id,
      }),
      resent: progress.resent,
      ended_at: progress.endedAt === null ? null : new Date(progress.endedAt),
    });
}

/**
 * Returns the messages of a resend in the order in which they were written, after those already processed. Of the
 * pending ones, only those that wait for a retry: the others are being sent, or are about to be.
 *
 * @param page.waitingFrom a later `next_attempt_at` is a retry that is waited for
 */
export async function listMessagesToResend(
  trx: DbTransaction,
  { workspaceId, environment }: WorkspaceScope,
  resend: ResendRow,
  { limit, waitingFrom }: { limit: number; waitingFrom: Instant },
): Promise<WrittenMessage[]> {
  const { rows } = await trx.raw<{ rows: WrittenMessage[] }>(
    `SELECT m.id, m.created_at::text AS "createdAt"
       FROM tollgate.webhook_messages m
       JOIN tollgate.webhook_endpoints e
         ON e.workspace_id = m.workspace_id AND e.environment = m.environment AND e.id = :endpointId
       LEFT JOIN tollgate.webhook_deliveries d
         ON d.workspace_id = m.workspace_id AND d.environment = m.environment
        AND d.endpoint_id = e.id AND d.message_id = m.id
      WHERE m.workspace_id = :workspaceId AND m.environment = :environment
        AND (m.created_at, m.id) > (:since::timestamptz, :after::text) AND m.created_at <= :until
        AND (d.message_id IS NOT NULL OR e.event_types IS NULL OR m.type = ANY (e.event_types))
        AND (d.message_id IS NOT NULL OR m.type <> 'webhook_endpoint.test')
        AND (d.status IS NULL OR d.status IN ('failed', 'cancelled')
             OR (d.status = 'pending' AND d.next_attempt_at > :waitingFrom)
             OR (d.status = 'delivered' AND NOT :undeliveredOnly))
      ORDER BY m.created_at, m.id LIMIT :limit`,
    {
      workspaceId,
      environment,
      limit,
      endpointId: resend.endpointId,
      since: resend.afterCreated ?? new Date(resend.since).toISOString(),
      until: new Date(resend.until),
      undeliveredOnly: resend.undeliveredOnly,
      after: resend.afterMessage ?? '',
      waitingFrom: new Date(waitingFrom),
    },
  );
  return rows;
}
