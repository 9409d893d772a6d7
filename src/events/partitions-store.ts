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
  /** Days (YYYY-MM-DD) without a partition: their events are, or may be, in the default partition, where they stay. */
  blocked: string[];
}

/**
 * Creates the missing daily partitions of developer_events for `days` days from `from`.
 *
 * @param range.from today
 * @param migratorUrl connection URL of tollgate_migrator, because the running service's roles may not create tables
 */
export async function makePartitions(
  migratorUrl: string,
  range: { from: Instant; days: number },
): Promise<MadePartitions> {
  const days = Array.from({ length: range.days }, (_, ahead) => dayOf(range.from + ahead * DAY_MS));
  return oneAtATime(migratorUrl, async (client) => {
    const missing = await findMissing(client, days);
    if ((await readDefaultSize(client)) === 0) return makeEach(client, missing);
    // The events of the first day are being written to the default partition, which must not be locked only to find them.
    const [first] = days;
    const ahead = missing.filter((day) => day !== first);
    const { made, blocked } = await makeTogether(client, ahead);
    return { made, blocked: [...missing.filter((day) => day === first), ...blocked] };
  });
}

function dayOf(at: Instant): string {
  return new Date(at).toISOString().slice(0, 10);
}

async function findMissing(client: Client, days: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ day: string }>(
    `SELECT day FROM unnest($1::text[]) AS day
      WHERE to_regclass('tollgate.developer_events_' || replace(day, '-', '')) IS NULL`,
    [days],
  );
  return rows.map(({ day }) => day);
}

async function makeEach(client: Client, days: readonly string[]): Promise<MadePartitions> {
  const result: MadePartitions = { made: 0, blocked: [] };
  for (const day of days) {
    try {
      await patiently(() => makeDay(client, day));
      result.made += 1;
    } catch (error) {
      if (!hasSqlState(error, 'check_violation')) throw error;
      result.blocked.push(day);
    }
  }
  return result;
}

async function makeDay(client: Client, day: string): Promise<void> {
  await client.query('SELECT tollgate.make_developer_event_partition($1::date)', [day]);
}

/**
 * Creates the partitions of several days while the default partition holds rows. For each of them Postgres would read
 * all of these rows, and hold up whatever is written to it. A constraint has them read only once, unless there are events of
 * one of these days among them.
 *
 * @param days in ascending order
 */
async function makeTogether(client: Client, days: readonly string[]): Promise<MadePartitions> {
  const [first, last] = [days.at(0), days.at(-1)];
  if (first === undefined || last === undefined || first === last) return makeEach(client, days);
  const holdsNone = `created_at < '${first} 00:00:00+00' OR created_at >= '${dayOf(Date.parse(last) + DAY_MS)} 00:00:00+00'`;
  const inTransaction = async (): Promise<void> => {
    await client.query('BEGIN');
    try {
      await client.query(
        `ALTER TABLE tollgate.developer_events_default ADD CONSTRAINT holds_no_event_of_these_days CHECK (${holdsNone})`,
      );
      for (const day of days) await makeDay(client, day);
      await client.query(
        'ALTER TABLE tollgate.developer_events_default DROP CONSTRAINT holds_no_event_of_these_days',
      );
      await client.query('COMMIT');
    } catch (error) {
      // Its own failure, of a lost connection, would hide the first one.
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  };
  try {
    await patiently(inTransaction);
    return { made: days.length, blocked: [] };
  } catch (error) {
    if (!hasSqlState(error, 'check_violation')) throw error;
    // It holds events of at least one of the days.
    return makeEach(client, days);
  }
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
  return oneAtATime(migratorUrl, readDefaultSize);
}

async function readDefaultSize(client: Client): Promise<number> {
  const { rows } = await client.query<{ size: string }>(
    "SELECT pg_relation_size('tollgate.developer_events_default') AS size",
  );
  return Number(rows[0]?.size ?? 0);
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
