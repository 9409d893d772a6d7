import type { DbTransaction } from '../db/pools';
import { tenantCondition } from '../db/tenant-columns';
import type { WorkspaceScope } from '../tenancy/actor';

/** How far a workspace's usage sums reach. */
export interface RollupState {
  /** The sums contain exactly what transactions before this one (`xid8`, as text) wrote. */
  watermark: string;
  /** Of the uses without a transaction, those up to this id are also included; null: all. */
  earlierAfter: string | null;
  /** False if another cluster built the sums, so that its transaction ids are meaningless here. */
  isOfThisCluster: boolean;
}

/** State of sums that were never built, or that belong to another cluster. */
export const NOTHING_ROLLED: RollupState = { watermark: '0', earlierAfter: '', isOfThisCluster: true };

const THIS_CLUSTER = '(SELECT system_identifier FROM pg_control_system())';
const COLUMNS = `CAST(watermark AS text) AS watermark, earlier_after AS "earlierAfter",
  cluster = ${THIS_CLUSTER} AS "isOfThisCluster"`;
const TENANT_CONDITION = tenantCondition();

export async function readRollupState(
  trx: DbTransaction,
  scope: WorkspaceScope,
): Promise<RollupState | undefined> {
  const { rows } = await trx.raw<{ rows: RollupState[] }>(
    `SELECT ${COLUMNS} FROM tollgate.usage_rollups WHERE ${TENANT_CONDITION}`,
    { ...scope },
  );
  return rows[0];
}

/**
 * Reads the state and locks it until the transaction ends. Every change of the sums takes this lock first.
 *
 * @param whenLocked what to do if another transaction holds the lock
 * @returns undefined if it was skipped
 */
export async function lockRollupState(
  trx: DbTransaction,
  scope: WorkspaceScope,
  whenLocked: 'wait' | 'skip',
): Promise<RollupState | undefined> {
  const lock = `SELECT ${COLUMNS} FROM tollgate.usage_rollups WHERE ${TENANT_CONDITION}
                 FOR UPDATE ${whenLocked === 'skip' ? 'SKIP LOCKED' : ''}`;
  const { rows } = await trx.raw<{ rows: RollupState[] }>(lock, { ...scope });
  if (rows[0] !== undefined) return rows[0];
  await trx.raw(
    `INSERT INTO tollgate.usage_rollups (workspace_id, environment, watermark, earlier_after, cluster)
     VALUES (:workspaceId, :environment, CAST('0' AS xid8), '', ${THIS_CLUSTER}) ON CONFLICT DO NOTHING`,
    { ...scope },
  );
  return (await trx.raw<{ rows: RollupState[] }>(lock, { ...scope })).rows[0];
}

/** Saves how far the sums reach; the transaction must hold the lock. */
export async function saveRollupState(
  trx: DbTransaction,
  scope: WorkspaceScope,
  { watermark, earlierAfter }: Omit<RollupState, 'isOfThisCluster'>,
): Promise<void> {
  await trx.raw(
    `UPDATE tollgate.usage_rollups SET watermark = CAST(:watermark AS xid8), earlier_after = :earlierAfter, cluster = ${THIS_CLUSTER}
      WHERE ${TENANT_CONDITION}`,
    { ...scope, watermark, earlierAfter },
  );
}

/**
 * Finds the end of the next batch: after the transaction of its last row, or before the oldest running transaction,
 * whichever comes first. Everything written below either is committed, and visible from now on.
 *
 * @param limit maximum number of rows, not counting those of one further transaction
 * @returns whether the batch is empty, and whether it is the last one
 */
export async function findBatchEnd(
  trx: DbTransaction,
  scope: WorkspaceScope,
  watermark: string,
  limit: number,
): Promise<{ until: string; isEmpty: boolean; isLast: boolean }> {
  const part = (table: string): string =>
    `(SELECT transaction_id FROM tollgate.${table}
       WHERE ${TENANT_CONDITION} AND transaction_id >= CAST(:watermark AS xid8) AND transaction_id < h.horizon
       ORDER BY transaction_id LIMIT ${limit})`;
  const { rows } = await trx.raw<{ rows: { horizon: string; last: string | null; found: string }[] }>(
    `SELECT CAST(h.horizon AS text) AS horizon, CAST(b.last AS text) AS last, b.found
       FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon) AS h
      CROSS JOIN LATERAL (
        SELECT max(transaction_id) AS last, count(*) AS found
          FROM (SELECT transaction_id FROM (${part('usage_events')} UNION ALL ${part('usage_reversals')}) AS p
                 ORDER BY transaction_id LIMIT ${limit}) AS f) AS b`,
    { ...scope, watermark },
  );
  const [batch] = rows;
  if (batch === undefined) throw new Error('Postgres answered no snapshot.');
  const { horizon, last } = batch;
  if (last === null) return { until: horizon, isEmpty: true, isLast: true };
  const isLast = Number(batch.found) < limit;
  return { until: isLast ? horizon : (BigInt(last) + 1n).toString(), isEmpty: false, isLast };
}

/** Returns the last id of the next batch of uses without a transaction; null if there are none after `after`. */
export async function findEarlierBatchEnd(
  trx: DbTransaction,
  scope: WorkspaceScope,
  after: string,
  limit: number,
): Promise<string | null> {
  const { rows } = await trx.raw<{ rows: { last: string | null }[] }>(
    `SELECT max(id) AS last FROM (
       SELECT id FROM tollgate.usage_events WHERE ${TENANT_CONDITION} AND transaction_id IS NULL AND id > :after
        ORDER BY id LIMIT ${limit}) AS b`,
    { ...scope, after },
  );
  return rows[0]?.last ?? null;
}

/** Keeps the sums from being used or added to until their state is saved again. */
export async function setRollupsAside(trx: DbTransaction, scope: WorkspaceScope): Promise<void> {
  await trx.raw(`UPDATE tollgate.usage_rollups SET cluster = 0 WHERE ${TENANT_CONDITION}`, { ...scope });
}
