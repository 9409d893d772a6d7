import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import { PARTITIONS_LOCK } from '../db/advisory-locks';
import { takeSessionLock } from '../db/migration-lock';
import { asOwner } from '../db/owner-session';
import { hasSqlState } from '../db/sql-state';
import { DAY_MS, HOUR_MS, type Instant } from '../domain/instant';

/** Longer than it takes to read a default partition that was filled for months. */
const READING_MS = HOUR_MS;

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
 * @param range.besideEvents also while the default partition holds events
 * @param range.stopping ends the wait for another process that changes the partitions
 * @param range.onWait called once if there is such a process, because it may read a large default partition for minutes
 * @param migratorUrl connection URL of tollgate_migrator, because the running service's roles may not create tables
 */
export async function makePartitions(
  migratorUrl: string,
  range: {
    from: Instant;
    days: number;
    besideEvents?: boolean;
    stopping?: AbortSignal | undefined;
    onWait?: () => void;
  },
): Promise<MadePartitions> {
  const { stopping, onWait } = range;
  const days = Array.from({ length: range.days }, (_, ahead) => dayOf(range.from + ahead * DAY_MS));
  const make = async (client: Client): Promise<MadePartitions> => {
    await dropConstraint(client);
    const missing = await findMissing(client, days);
    if ((await readDefaultSize(client)) === 0) return makeEach(client, missing);
    // Events of the first day are being written to the default partition, and soon those of the second.
    const soon = days.slice(0, 2);
    const ahead = range.besideEvents === true ? missing.filter((day) => !soon.includes(day)) : [];
    const { made, blocked } = await makeBesideEvents(client, ahead);
    return { made, blocked: [...missing.filter((day) => !ahead.includes(day)), ...blocked] };
  };
  return oneAtATime(migratorUrl, make, { silenceMs: READING_MS, stopping, onWait });
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

const CONSTRAINT = 'holds_no_event_of_these_days';

/**
 * Creates the partitions of several days while the default partition holds events. For each of them Postgres would read
 * all of its rows under a lock against writes to it, so that every check and track of today would wait for minutes. A
 * constraint proves that it holds no event of these days: it is added unproven, which takes a moment, and is validated
 * while events are written.
 *
 * If this process is killed in between, the constraint stays, and would refuse events of a day that has no partition.
 * The next round drops it, so the days begin more than a day ahead.
 *
 * @param days in ascending order
 */
async function makeBesideEvents(client: Client, days: readonly string[]): Promise<MadePartitions> {
  const [first, last] = [days.at(0), days.at(-1)];
  if (first === undefined || last === undefined) return { made: 0, blocked: [] };
  try {
    await patiently(() => addConstraint(client, first, last));
    await patiently(() =>
      client.query(`ALTER TABLE tollgate.developer_events_default VALIDATE CONSTRAINT ${CONSTRAINT}`),
    );
    const made = await makeEach(client, days);
    await dropConstraint(client);
    return made;
  } catch (error) {
    // Its own failure, of a lost connection, would hide the first one.
    await dropConstraint(client).catch(() => undefined);
    if (!hasSqlState(error, 'check_violation')) throw error;
  }
  if (days.length === 1) return { made: 0, blocked: [...days] };
  // It holds events of at least one of the days.
  const result: MadePartitions = { made: 0, blocked: [] };
  for (const day of days) {
    const { made, blocked } = await makeBesideEvents(client, [day]);
    result.made += made;
    result.blocked.push(...blocked);
  }
  return result;
}

async function addConstraint(client: Client, first: string, last: string): Promise<void> {
  const after = dayOf(Date.parse(last) + DAY_MS);
  await client.query(
    `ALTER TABLE tollgate.developer_events_default ADD CONSTRAINT ${CONSTRAINT}
       CHECK (created_at < '${first} 00:00:00+00' OR created_at >= '${after} 00:00:00+00') NOT VALID`,
  );
}

/** Also drops the one that a killed process has left. Takes no lock if there is none. */
async function dropConstraint(client: Client): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT FROM pg_constraint WHERE conrelid = 'tollgate.developer_events_default'::regclass AND conname = $1",
    [CONSTRAINT],
  );
  if (rowCount === 0) return;
  await patiently(() =>
    client.query(`ALTER TABLE tollgate.developer_events_default DROP CONSTRAINT ${CONSTRAINT}`),
  );
}

/** Drops the daily partitions that end at or before `before`, and returns their names. */
export async function dropPartitions(
  migratorUrl: string,
  before: Instant,
  stopping?: AbortSignal,
): Promise<string[]> {
  const drop = async (client: Client): Promise<string[]> => {
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
  };
  return oneAtATime(migratorUrl, drop, { stopping });
}

/**
 * Returns the size in bytes of the default partition, which receives events if maintenance has stopped; it should be 0.
 * Forced row-level security hides its rows even from the owner, but not its size.
 */
export async function defaultPartitionSize(migratorUrl: string, stopping?: AbortSignal): Promise<number> {
  return oneAtATime(migratorUrl, readDefaultSize, { stopping });
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
  {
    stopping,
    onWait = () => undefined,
    ...limits
  }: { silenceMs?: number; stopping: AbortSignal | undefined; onWait?: (() => void) | undefined },
): Promise<Result> {
  const session = { role: 'tollgate_owner', lockTimeoutMs: 1_000, ...limits } as const;
  return asOwner(migratorUrl, session, async (client) => {
    await takeSessionLock(client, PARTITIONS_LOCK, { stopping, onWait });
    return work(client);
  });
}
