import type { Database } from '../db/pools';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';

/** What waits somewhere, in every workspace of an environment. */
export interface Backlog {
  backlog: 'overdue_wakes' | 'open_operations' | 'past_due';
  environment: Environment;
  /** At most `COUNTED`. */
  items: number;
  /** Since when the oldest waits; null where nothing waits, and for `past_due`. */
  oldest: Instant | null;
}

/** Rows counted of each; a longer backlog is no more alarming. */
const COUNTED = 100_000;

export async function readBacklogs(database: Database, at: Instant): Promise<Backlog[]> {
  const { rows } = await database.raw<{ rows: (Omit<Backlog, 'items'> & { items: string })[] }>(
    'SELECT backlog, environment, items, oldest FROM tollgate.measure_backlog(?, ?)',
    [new Date(at), COUNTED],
  );
  return rows.map((row) => ({ ...row, items: Number(row.items) }));
}

/** Jobs that may run and are not running, and since when the oldest is in the queue. */
export async function readOutbox(
  database: Database,
  at: Instant,
): Promise<{ items: number; oldest: Instant | null }> {
  const { rows } = await database.raw<{ rows: { items: string; oldest: Instant | null }[] }>(
    'SELECT items, oldest FROM tollgate.measure_outbox(?, ?)',
    [new Date(at), COUNTED],
  );
  return { items: Number(rows[0]?.items ?? 0), oldest: rows[0]?.oldest ?? null };
}
