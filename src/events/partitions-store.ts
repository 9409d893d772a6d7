import { Client } from 'pg';
import type { Instant } from '../domain/instant';

const DAY_MS = 86_400_000;

/**
 * Makes the daily partitions of developer_events for `days` days from `from`, those that are missing.
 *
 * @param migratorUrl the address of tollgate_migrator: the running service's roles may not create tables
 * @returns how many were made
 */
export async function makePartitions(migratorUrl: string, range: { from: Instant; days: number }): Promise<number> {
  return asOwner(migratorUrl, async (client) => {
    let made = 0;
    for (let day = 0; day < range.days; day += 1) {
      const { rows } = await client.query<{ made: boolean }>('SELECT tollgate.make_developer_event_partition($1::date) AS made', [
        new Date(range.from + day * DAY_MS).toISOString().slice(0, 10),
      ]);
      if (rows[0]?.made === true) made += 1;
    }
    return made;
  });
}

/** Drops the daily partitions that end at or before `before`, and answers their names. */
export async function dropPartitions(migratorUrl: string, before: Instant): Promise<string[]> {
  return asOwner(migratorUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'tollgate.developer_events'::regclass AND c.relname ~ '^developer_events_\\d{8}$'
          AND to_date(right(c.relname, 8), 'YYYYMMDD') + 1 <= $1::date
        ORDER BY 1`,
      [new Date(before).toISOString().slice(0, 10)],
    );
    for (const { name } of rows) await client.query(`DROP TABLE tollgate.${client.escapeIdentifier(name)}`);
    return rows.map((row) => row.name);
  });
}

async function asOwner<Result>(migratorUrl: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: migratorUrl, options: '-c role=tollgate_owner' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
