import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { PARTITIONS_LOCK } from '../db/advisory-locks';
import { takeSessionLock } from '../db/migration-lock';
import { asOwner } from '../db/owner-session';
import { hasSqlState } from '../db/sql-state';
import { DAY_MS, type Instant } from '../domain/instant';

/** Result of creating partitions. */
export interface MadePartitions {
  made: number;
  /** Days (YYYY-MM-DD) whose events are already in the default partition, where they stay. */
  blocked: string[];
}

/**
 * Creates the missing daily partitions of developer_events for `days` days from `from`.
 *
 * @param migratorUrl connection URL of tollgate_migrator, because the running service's roles may not create tables
 */
export async function makePartitions(
  migratorUrl: string,
  range: { from: Instant; days: number },
): Promise<MadePartitions> {
  return oneAtATime(migratorUrl, async (client) => {
    const result: MadePartitions = { made: 0, blocked: [] };
    for (let ahead = 0; ahead < range.days; ahead += 1) {
      const day = new Date(range.from + ahead * DAY_MS).toISOString().slice(0, 10);
      try {
        const { rows } = await patiently(() =>
          client.query<{ made: boolean }>(
            'SELECT tollgate.make_developer_event_partition($1::date) AS made',
            [day],
          ),
        );
        if (rows[0]?.made === true) result.made += 1;
      } catch (error) {
        if (!hasSqlState(error, 'check_violation')) throw error;
        result.blocked.push(day);
      }
    }
    return result;
  });
}

/** Drops the daily partitions that end at or before `before`, and returns their names. */
export async function dropPartitions(migratorUrl: string, before: Instant): Promise<string[]> {
  return oneAtATime(migratorUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'tollgate.developer_events'::regclass AND c.relname ~ '^developer_events_\\d{8}$'
          AND to_date(right(c.relname, 8), 'YYYYMMDD') + 1 <= $1::date
        ORDER BY 1`,
      [new Date(before).toISOString().slice(0, 10)],
    );
    for (const { name } of rows) {
      await patiently(() => client.query(`DROP TABLE tollgate.${client.escapeIdentifier(name)}`));
    }
    return rows.map((row) => row.name);
  });
}

/**
 * Returns the size in bytes of the default partition, which receives events if maintenance has stopped; it should be 0.
 * Forced row-level security hides its rows even from the owner, but not its size.
 */
export async function defaultPartitionSize(migratorUrl: string): Promise<number> {
  return oneAtATime(migratorUrl, async (client) => {
    const { rows } = await client.query<{ size: string }>(
      "SELECT pg_relation_size('tollgate.developer_events_default') AS size",
    );
    return Number(rows[0]?.size ?? 0);
  });
}

const ATTEMPTS = 10;

/**
 * Runs a change of partitions. It takes a lock that all writers queue behind, so it waits for the lock only briefly and
 * retries later.
 */
async function patiently<Result>(change: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change();
    } catch (error) {
      if (!hasSqlState(error, 'lock_not_available') || attempt === ATTEMPTS) throw error;
      await pause(500);
    }
  }
}

/**
 * Runs one process at a time. Otherwise the slower of two concurrent ones would create or drop a partition that the
 * other has already handled.
 */
async function oneAtATime<Result>(
  migratorUrl: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  return asOwner(migratorUrl, { role: 'tollgate_owner', lockTimeoutMs: 1_000 }, async (client) => {
    await takeSessionLock(client, PARTITIONS_LOCK);
    return work(client);
  });
}
