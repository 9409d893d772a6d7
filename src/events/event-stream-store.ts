import type { Database, DbTransaction } from '../db/pools';
import { textArray } from '../db/parameters';
import { DAY_MS, type Instant } from '../domain/instant';
import { SESSION_IDLE_MS } from '../operators/session-service';
import type { WorkspaceScope } from '../tenancy/actor';
import { EVENT_COLUMNS, type DeveloperEventRow } from './developer-event-store';
import type { StreamPosition } from './stream-position';

interface StreamedRow extends DeveloperEventRow {
  position: StreamPosition;
}

/** How far back a stream can be resumed. It also limits each read to the newest partitions. */
export const RESUME_WINDOW_MS = DAY_MS;

/**
 * Returns the oldest transaction that is still running. All rows of older transactions are committed and visible, so
 * reads below it are final: a transaction that commits late holds the horizon back, so its rows are not skipped.
 */
export async function readHorizon(database: Database): Promise<string> {
  const { rows } = await database.raw<{ rows: { horizon: string }[] }>(
    'SELECT CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text) AS horizon',
  );
  const horizon = rows[0]?.horizon;
  if (horizon === undefined) throw new Error('Postgres answered no snapshot.');
  return horizon;
}

/** Returns the workspace's rows after a position and below the horizon, in stream order. */
export async function readStream(
  trx: DbTransaction,
  scope: WorkspaceScope,
  range: { after: StreamPosition; horizon: string; since: Instant; limit: number },
): Promise<StreamedRow[]> {
  const { rows } = await trx.raw<{ rows: (DeveloperEventRow & StreamPosition)[] }>(
    `SELECT ${EVENT_COLUMNS}, CAST(transaction_id AS text) AS "transactionId", sequence
       FROM tollgate.developer_events
      WHERE workspace_id = :workspaceId AND environment = :environment AND created_at >= :since
        AND (transaction_id, sequence) > (CAST(:transactionId AS xid8), CAST(:sequence AS bigint))
        AND transaction_id < CAST(:horizon AS xid8)
      ORDER BY transaction_id, sequence LIMIT :limit`,
    { ...scope, ...range.after, horizon: range.horizon, since: new Date(range.since), limit: range.limit },
  );
  return rows.map(({ transactionId, sequence, ...row }) => ({
    ...row,
    position: { transactionId, sequence },
  }));
}

/** Whether any rows after a position are already older than the resume window. */
export async function hasMissedRows(
  trx: DbTransaction,
  scope: WorkspaceScope,
  after: StreamPosition,
  since: Instant,
): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `SELECT 1 FROM tollgate.developer_events
      WHERE workspace_id = :workspaceId AND environment = :environment AND created_at < :since
        AND (transaction_id, sequence) > (CAST(:transactionId AS xid8), CAST(:sequence AS bigint))
      LIMIT 1`,
    { ...scope, ...after, since: new Date(since) },
  );
  return rows.length > 0;
}

/**
 * Returns those of the sessions that are live and whose operator is a member of the organization, with the second
 * factor that it may require. Because it is read after the events to send, an operator who lost the right before an
 * event was written does not get it.
 */
export async function findAllowedSessions(
  trx: DbTransaction,
  workspaceId: string,
  sessionIds: readonly string[],
  now: Instant,
): Promise<Set<string>> {
  const { rows } = await trx.raw<{ rows: { id: string }[] }>(
    `SELECT s.id FROM tollgate.operator_sessions s
       JOIN LATERAL tollgate.find_memberships_of(s.operator_id) m
         ON m.workspace_id = :workspaceId AND NOT m.must_enrol
      WHERE s.id = ANY (CAST(:sessionIds AS text[])) AND s.revoked_at IS NULL
        AND s.expires_at > :now AND s.last_seen_at > :idleSince`,
    {
      workspaceId,
      sessionIds: textArray(sessionIds),
      now: new Date(now),
      idleSince: new Date(now - SESSION_IDLE_MS),
    },
  );
  return new Set(rows.map((row) => row.id));
}
