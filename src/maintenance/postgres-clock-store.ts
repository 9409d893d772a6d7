import type { Database } from '../db/pools';
import type { Instant } from '../domain/instant';

/** Reads the clock of the machine on which Postgres runs. */
export async function readPostgresClock(database: Database): Promise<Instant> {
  const { rows } = await database.raw<{ rows: [{ now: Instant }] }>('SELECT clock_timestamp() AS now');
  return rows[0].now;
}
