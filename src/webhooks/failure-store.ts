import type { ConnectionRef } from '../connections/connection-ref';
import { webhookFailureLock } from '../db/advisory-locks';
import { newestFirst } from '../db/newest-first';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import { groupBy } from '../domain/group-by';
import { MINUTE_MS, type Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';
import type { CreationPart } from '../pagination/page-by-creation';
import type { WorkspaceScope } from '../tenancy/actor';
import type { PaymentProvider } from '../domain/provider';

/** A delivery that was refused or could not be processed. */
export interface WebhookFailure {
  kind: 'signature' | 'processing' | 'unavailable';
  /** In words. */
  reason: string;
}

/** Rows per connection and minute; further failures are only counted. */
const ROWS_A_MINUTE = 30;

const LOCK = `SELECT pg_advisory_xact_lock(${webhookFailureLock('?', '?', '?')})`;

const COUNT = `
INSERT INTO tollgate.webhook_failures AS f
  (workspace_id, environment, id, connection_id, provider, kind, reason, count, minute, overflow, first_at, last_at)
VALUES (:workspaceId, :environment, :id, :connectionId, :provider, :kind, :reason, :times, :minute, true, :at, :lastAt)
ON CONFLICT (workspace_id, environment, connection_id, kind, minute) WHERE overflow
DO UPDATE SET count = f.count + excluded.count, last_at = greatest(f.last_at, excluded.last_at)
RETURNING (xmax = 0) AS added`;

/** A failure and its time. */
export interface DatedFailure extends WebhookFailure {
  /** Real time. */
  at: Instant;
  requestId: string;
}

/**
 * Counts a connection's failures: each in its own row, or, above a number per minute, in the minute's row. The sum of
 * counts is the number of attempts, and a flood adds no rows.
 *
 * @returns the failures for which a row was added
 */
export async function countFailures(
  trx: DbTransaction,
  connection: ConnectionRef,
  failures: readonly DatedFailure[],
): Promise<DatedFailure[]> {
  const { scope, id: connectionId } = connection;
  // Concurrent failures would each find room for one more row.
  await trx.raw(LOCK, [scope.workspaceId, scope.environment, connectionId]);
  const added: DatedFailure[] = [];
  for (const [minute, ofMinute] of groupBy(failures, ({ at }) => at - (at % MINUTE_MS))) {
    const room = ROWS_A_MINUTE - (await countRows(trx, connection, minute));
    const own = ofMinute.slice(0, Math.max(0, room));
    await insertRows(trx, connection, own, minute);
    added.push(...own);
    for (const more of groupBy(ofMinute.slice(own.length), ({ kind }) => kind).values()) {
      if (await countMore(trx, connection, more, minute)) added.push(...more.slice(0, 1));
    }
  }
  return added;
}

async function countRows(trx: DbTransaction, { scope, id }: ConnectionRef, minute: Instant): Promise<number> {
  const rows = await trx('tollgate.webhook_failures')
    .where(tenantColumns(scope))
    .where({ connection_id: id, minute: new Date(minute), overflow: false })
    .count<{ count: string }[]>();
  return Number(rows[0]?.count ?? 0);
}

async function insertRows(
  trx: DbTransaction,
  { scope, id, provider }: ConnectionRef,
  failures: readonly DatedFailure[],
  minute: Instant,
): Promise<void> {
  if (failures.length === 0) return;
  await trx('tollgate.webhook_failures').insert(
    failures.map(({ kind, reason, at }) => ({
      ...tenantColumns(scope),
      id: newIdentifier('webhookFailure'),
      connection_id: id,
      provider,
      kind,
      reason,
      minute: new Date(minute),
      first_at: new Date(at),
      last_at: new Date(at),
    })),
  );
}

/** @returns whether the minute's row was added */
async function countMore(
  trx: DbTransaction,
  { scope, id: connectionId, provider }: ConnectionRef,
  failures: readonly DatedFailure[],
  minute: Instant,
): Promise<boolean> {
  const [first] = failures;
  if (first === undefined) return false;
  const last = failures.at(-1) ?? first;
  const { rows } = await trx.raw<{ rows: { added: boolean }[] }>(COUNT, {
    ...scope,
    id: newIdentifier('webhookFailure'),
    connectionId,
    provider,
    kind: first.kind,
    reason: first.reason,
    times: failures.length,
    minute: new Date(minute),
    at: new Date(first.at),
    lastAt: new Date(last.at),
  });
  return rows[0]?.added === true;
}

export interface WebhookFailureRow extends WebhookFailure {
  id: string;
  connectionId: string;
  provider: PaymentProvider;
  /** int8, as text */
  count: string;
  firstAt: Instant;
  lastAt: Instant;
}

interface WebhookFailureFilter {
  connectionId?: string;
  kind?: WebhookFailure['kind'];
}

/** Lists failures, newest first by first occurrence and then id. */
export async function listWebhookFailures(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: WebhookFailureFilter & CreationPart,
): Promise<WebhookFailureRow[]> {
  const query = trx
    .from(
      trx('tollgate.webhook_failures')
        .where(tenantColumns(scope))
        .select('*', { created_at: 'first_at' })
        .as('f'),
    )
    .select<WebhookFailureRow[]>({
      id: 'f.id',
      connectionId: 'f.connection_id',
      provider: 'f.provider',
      kind: 'f.kind',
      reason: 'f.reason',
      count: 'f.count',
      firstAt: 'f.first_at',
      lastAt: 'f.last_at',
    });
  const { connectionId, kind } = page;
  if (connectionId !== undefined) void query.where('f.connection_id', connectionId);
  if (kind !== undefined) void query.where('f.kind', kind);
  newestFirst(query, 'f', page);
  return query;
}
