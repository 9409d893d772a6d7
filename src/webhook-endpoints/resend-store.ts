import { keyLookupsCall, together } from '../db/calls';
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
interface WrittenMessage {
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

/** Messages read for one batch, of which perhaps only a few are sent. */
const READ = 10_000;

/** The next batch of a resend. */
interface ResendBatch {
  /** Ids of the messages to send, in the order in which they were written. */
  ids: string[];
  /** The last message processed; undefined if none remained. */
  last: WrittenMessage | undefined;
  isLast: boolean;
}

/**
 * Reads the next messages of a resend, after those already processed. Of the pending ones, only those that wait for a
 * retry are sent: the others are being sent, or are about to be.
 *
 * Each delivery is looked up by its key, which LATERAL asks for: in a table without statistics, a join would compare
 * each message with each delivery.
 *
 * @param limit maximum number of messages to send
 * @param waitingFrom a delivery whose `next_attempt_at` is later waits for a retry
 */
export async function readResendBatch(
  trx: DbTransaction,
  { workspaceId, environment }: WorkspaceScope,
  resend: ResendRow,
  { limit, waitingFrom }: { limit: number; waitingFrom: Instant },
): Promise<ResendBatch> {
  await together(trx, [keyLookupsCall()]);
  const { rows } = await trx.raw<{ rows: (WrittenMessage & { isWanted: boolean })[] }>(
    `SELECT m.id, m.created_at::text AS "createdAt",
            (d.message_id IS NOT NULL OR e.event_types IS NULL OR m.type = ANY (e.event_types))
            AND (d.message_id IS NOT NULL OR m.type <> 'webhook_endpoint.test')
            AND (d.status IS NULL OR d.status IN ('failed', 'cancelled')
                 OR (d.status = 'pending' AND d.next_attempt_at > :waitingFrom)
                 OR (d.status = 'delivered' AND NOT :undeliveredOnly)) AS "isWanted"
       FROM (SELECT workspace_id, environment, id, type, created_at FROM tollgate.webhook_messages
              WHERE workspace_id = :workspaceId AND environment = :environment
                AND (created_at, id) > (:since::timestamptz, :after::text) AND created_at <= :until
              ORDER BY created_at, id LIMIT ${READ}) m
       JOIN tollgate.webhook_endpoints e
         ON e.workspace_id = m.workspace_id AND e.environment = m.environment AND e.id = :endpointId
       LEFT JOIN LATERAL (
         SELECT message_id, status, next_attempt_at FROM tollgate.webhook_deliveries
          WHERE workspace_id = :workspaceId AND environment = :environment AND endpoint_id = :endpointId
            AND message_id = m.id
          LIMIT 1) d ON true
      ORDER BY m.created_at, m.id`,
    {
      workspaceId,
      environment,
      endpointId: resend.endpointId,
      since: resend.afterCreated ?? new Date(resend.since).toISOString(),
      until: new Date(resend.until),
      undeliveredOnly: resend.undeliveredOnly,
      after: resend.afterMessage ?? '',
      waitingFrom: new Date(waitingFrom),
    },
  );
  const wanted = rows.filter(({ isWanted }) => isWanted);
  const batch = wanted.slice(0, limit);
  const isFull = batch.length < wanted.length;
  return {
    ids: batch.map(({ id }) => id),
    last: isFull ? batch.at(-1) : rows.at(-1),
    isLast: !isFull && rows.length < READ,
  };
}
