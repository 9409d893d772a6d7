import type { Knex } from 'knex';
import type { Database, DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import { whereAnyOf } from '../db/where-any-of';
import type { Instant } from '../domain/instant';
import { OPEN_OPERATION_STATUSES } from '../domain/operation-status';
import type { WorkspaceScope } from '../tenancy/actor';

/** Rows per statement, so that no statement holds its locks for long. */
const BATCH_SIZE = 5_000;
/** More, because each statement reads the whole table, which has no index by expiry. */
const THROTTLES_BATCH_SIZE = 100_000;

/**
 * Deletes sessions that ended before an instant, expired login throttles, and log-ins that waited too long for their
 * code. None of these belong to a tenant.
 */
export async function deleteEndedSessions(
  database: Database,
  before: Instant,
  now: Instant,
): Promise<number> {
  await deleteExpiredThrottles(database, now);
  await database('tollgate.operator_login_challenges').where('expires_at', '<', new Date(now)).delete();
  return database('tollgate.operator_sessions')
    .where('expires_at', '<', new Date(before))
    .orWhere('revoked_at', '<', new Date(before))
    .delete();
}

/**
 * In batches, because anyone who fails to sign in adds rows. The batches are ranges of `expire`, because the role may
 * not read the key.
 */
async function deleteExpiredThrottles(database: Database, now: Instant): Promise<void> {
  const expired = (): Knex.QueryBuilder => database('tollgate.login_throttle').where('expire', '<', now);
  for (;;) {
    const last = await expired()
      .orderBy('expire')
      .offset(THROTTLES_BATCH_SIZE - 1)
      .first<{ expire: string } | undefined>('expire');
    if (last === undefined) break;
    await expired().where('expire', '<=', last.expire).delete();
  }
  await expired().delete();
}

/** Deletes the organization's invitations that were accepted, revoked or expired before an instant. */
export async function deleteOldInvitations(
  trx: DbTransaction,
  workspaceId: string,
  before: Instant,
): Promise<number> {
  return trx('tollgate.member_invitations')
    .where('workspace_id', workspaceId)
    .where((ended) => {
      void ended
        .where('expires_at', '<', new Date(before))
        .orWhere('accepted_at', '<', new Date(before))
        .orWhere('revoked_at', '<', new Date(before));
    })
    .delete();
}

/** Deletes the organization's reset links that expired before an instant, used or not. */
export async function deleteOldResetLinks(
  trx: DbTransaction,
  workspaceId: string,
  before: Instant,
): Promise<number> {
  return trx('tollgate.member_reset_links')
    .where('workspace_id', workspaceId)
    .where('expires_at', '<', new Date(before))
    .delete();
}

/** Deletes one batch of the workspace's reservations that expired before an instant; returns 0 if none remain. */
export function deleteOldReservations(
  trx: DbTransaction,
  scope: WorkspaceScope,
  before: Instant,
): Promise<number> {
  return deleteSome(trx, scope, { table: 'tollgate.usage_reservations', key: 'id' }, (rows) => {
    // The quantity implies the condition of usage_reservations_expiry, which holds for every row.
    void rows.where('expires_at', '<', new Date(before)).where('quantity', '>', 0);
  });
}

/**
 * Deletes one batch of the workspace's links to the customer's page, with their sessions, created before an instant.
 */
export function deleteOldPortalSessions(
  trx: DbTransaction,
  scope: WorkspaceScope,
  before: Instant,
): Promise<number> {
  return deleteSome(trx, scope, { table: 'tollgate.portal_sessions', key: 'id' }, (rows) => {
    void rows.where('created_at', '<', new Date(before));
  });
}

/** Deletes one batch of the workspace's stored answers from before an instant; returns 0 if none remain. */
export function deleteOldAnswers(
  trx: DbTransaction,
  scope: WorkspaceScope,
  before: Instant,
): Promise<number> {
  return deleteSome(trx, scope, { table: 'tollgate.idempotency_answers', key: 'idempotency_key' }, (rows) => {
    void rows.where('created_at', '<', new Date(before));
  });
}

/** Deletes one batch of the workspace's failed webhooks from before an instant; returns 0 if none remain. */
export function deleteOldWebhookFailures(
  trx: DbTransaction,
  scope: WorkspaceScope,
  before: Instant,
): Promise<number> {
  return deleteSome(trx, scope, { table: 'tollgate.webhook_failures', key: 'id' }, (rows) => {
    void rows.where('first_at', '<', new Date(before));
  });
}

/**
 * Deletes one batch of the workspace's webhooks from before an instant; returns 0 if none remain. Webhooks that failed
 * or match nothing known here are kept indefinitely, because a replay can apply them.
 */
export function deleteOldWebhooks(
  trx: DbTransaction,
  scope: WorkspaceScope,
  before: Instant,
): Promise<number> {
  return deleteSome(trx, scope, { table: 'tollgate.webhook_events', key: 'id' }, (rows) => {
    void rows.where('received_at', '<', new Date(before)).whereIn('status', ['applied', 'ignored']);
  });
}

/**
 * Deletes one batch of the workspace's operations that ended before an instant; returns 0 if none remain. Open ones are
 * kept indefinitely, because a provider's answer may still complete them.
 */
export function deleteOldOperations(
  trx: DbTransaction,
  scope: WorkspaceScope,
  before: Instant,
): Promise<number> {
  const hasEnded: Knex.QueryCallback = (operations) =>
    void operations.whereNotIn('status', OPEN_OPERATION_STATUSES).where('finished_at', '<', new Date(before));
  // A key that is sent again meanwhile reopens its operation, which the batch has selected already.
  const rows = { table: 'tollgate.operations', key: 'id', still: hasEnded };
  return deleteSome(trx, scope, rows, (operations) => {
    // Implied, and has an index.
    void operations.where(hasEnded).where('created_at', '<', new Date(before));
  });
}

/**
 * Deletes one batch of the workspace's developer events from before an instant that are in the default partition;
 * returns 0 if none remain. The others expire with the partition of their day.
 */
export function deleteOldEventsWithoutDay(
  trx: DbTransaction,
  scope: WorkspaceScope,
  before: Instant,
): Promise<number> {
  const rows = { table: 'tollgate.developer_events_default', key: ['created_at', 'id'] };
  return deleteSome(trx, scope, rows, (events) => {
    void events.where('created_at', '<', new Date(before));
  });
}

/**
 * @param rows.key column or columns that identify a row within the workspace and environment
 * @param rows.still what holds even for a row that another transaction changes while the statement waits for it
 */
async function deleteSome(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { table, key, still }: { table: string; key: string | string[]; still?: Knex.QueryCallback },
  isOld: Knex.QueryCallback,
): Promise<number> {
  const tenant = tenantColumns(scope);
  const some = trx(table).select(key).where(tenant).where(isOld).limit(BATCH_SIZE);
  const rows = trx(table).where(tenant);
  if (still !== undefined) void rows.where(still);
  if (typeof key === 'string') return whereAnyOf(rows, key, some).delete();
  return rows.whereIn(key, some).delete();
}
