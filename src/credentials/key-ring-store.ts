import type { Database, DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';

/**
 * Condition for a running process: one not seen for this long is not running. Uses Postgres's clock on both sides,
 * because a process whose own clock is minutes behind is still running, and a switch must not skip it.
 */
export const SEEN_LATELY = "seen_at >= clock_timestamp() - interval '90 seconds'";

/** A running process, as of its last heartbeat. */
export interface KeyRingRuntime {
  id: string;
  process: string;
  /** Ids with check values. */
  keyIds: string[];
  startedAt: Instant;
  seenAt: Instant;
}

/** Prevents other processes from joining, leaving or switching until the transaction ends. */
export async function lockKeyRing(trx: DbTransaction): Promise<void> {
  await trx.raw('LOCK TABLE tollgate.key_ring_runtimes IN SHARE ROW EXCLUSIVE MODE');
}

/** Returns the active key; undefined if none has been chosen yet. */
export async function readActiveKeyId(database: Database): Promise<string | undefined> {
  const row = await database('tollgate.key_ring_state').first<{ active_key_id: string } | undefined>(
    'active_key_id',
  );
  return row?.active_key_id;
}

/** Returns the active key, and prevents a switch to another key from committing before this transaction has ended. */
export async function holdActiveKeyId(trx: DbTransaction): Promise<string | undefined> {
  const { rows } = await trx.raw<{ rows: { active_key_id: string }[] }>(
    'SELECT active_key_id FROM tollgate.key_ring_state FOR SHARE',
  );
  return rows[0]?.active_key_id;
}

export async function setActiveKeyId(trx: DbTransaction, keyId: string, now: Instant): Promise<void> {
  await trx('tollgate.key_ring_state')
    .insert({ active_key_id: keyId, switched_at: new Date(now) })
    .onConflict('singleton')
    .merge();
}

/** Counts the envelopes under each key: of all workspaces' connections and webhook endpoints, and of second factors. */
export async function countEnvelopesByKey(
  database: Database,
): Promise<{ keyId: string; envelopes: number }[]> {
  const { rows } = await database.raw<{ rows: { keyId: string; envelopes: number }[] }>(
    `SELECT key_id AS "keyId", sum(envelopes)::int AS envelopes FROM (
       SELECT key_id, count(*) AS envelopes FROM tollgate.list_connections('', 2147483647)
        WHERE key_id IS NOT NULL GROUP BY key_id
       UNION ALL
       SELECT k.key_id, count(*) FROM tollgate.list_webhook_endpoint_keys('', 2147483647) AS e
        CROSS JOIN unnest(ARRAY[e.key_id, e.previous_key_id] || e.older_key_ids) AS k (key_id)
        WHERE k.key_id IS NOT NULL GROUP BY k.key_id
       UNION ALL
       SELECT key_id, envelopes FROM tollgate.count_second_factors()) AS sealed
      GROUP BY key_id ORDER BY key_id`,
  );
  return rows;
}

/** Counts the second factors by key. */
export async function countSecondFactorsByKey(
  database: Database,
): Promise<{ keyId: string; envelopes: number }[]> {
  const { rows } = await database.raw<{ rows: { keyId: string; envelopes: number }[] }>(
    'SELECT key_id AS "keyId", envelopes::int AS envelopes FROM tollgate.count_second_factors()',
  );
  return rows;
}

/** Records a process's heartbeat; repeated for as long as it runs. */
export async function saveRuntime(
  database: Database,
  runtime: Omit<KeyRingRuntime, 'seenAt'>,
): Promise<void> {
  await database('tollgate.key_ring_runtimes')
    .insert({
      id: runtime.id,
      process: runtime.process,
      key_ids: runtime.keyIds,
      started_at: new Date(runtime.startedAt),
      seen_at: database.raw('clock_timestamp()'),
    })
    .onConflict('id')
    .merge(['seen_at']);
}

export async function deleteRuntime(database: Database, id: string): Promise<void> {
  await database('tollgate.key_ring_runtimes').where({ id }).delete();
}

/** Deletes processes that were last seen more than a day ago. */
export async function deleteEndedRuntimes(database: Database): Promise<void> {
  await database('tollgate.key_ring_runtimes')
    .whereRaw("seen_at < clock_timestamp() - interval '1 day'")
    .delete();
}

/** Counts the running api processes. */
export async function countApiProcesses(database: Database): Promise<number> {
  const row = await database('tollgate.key_ring_runtimes')
    .where('process', 'api')
    .whereRaw(SEEN_LATELY)
    .count<{ count: string }[]>({ count: '*' });
  return Number(row[0]?.count ?? 0);
}

/** Lists the running processes in the order in which they started. */
export async function listRuntimes(database: Database): Promise<KeyRingRuntime[]> {
  return database('tollgate.key_ring_runtimes')
    .whereRaw(SEEN_LATELY)
    .orderBy(['started_at', 'id'])
    .select<KeyRingRuntime[]>({
      id: 'id',
      process: 'process',
      keyIds: 'key_ids',
      startedAt: 'started_at',
      seenAt: 'seen_at',
    });
}
