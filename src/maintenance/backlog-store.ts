import type { Database } from '../db/pools';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';

/** A backlog over all workspaces of an environment. */
export interface Backlog {
  backlog: 'overdue_wakes' | 'open_operations' | 'past_due';
  environment: Environment;
  /** At most `COUNTED`; of overdue wakes, as many of subscriptions and as many of checkouts. */
  items: number;
  /** Since when the oldest item has been waiting; null if nothing waits, and for `past_due`. */
  oldest: Instant | null;
}

/** Maximum number of rows counted of each. A longer backlog is no more alarming. */
const COUNTED = 100_000;

export async function readBacklogs(database: Database, at: Instant): Promise<Backlog[]> {
  const { rows } = await database.raw<{ rows: (Omit<Backlog, 'items'> & { items: string })[] }>(
    'SELECT backlog, environment, items, oldest FROM tollgate.measure_backlog(?, ?)',
    [new Date(at), COUNTED],
  );
  return rows.map((row) => ({ ...row, items: Number(row.items) }));
}

/** Returns the jobs that may run but are not running, and since when the oldest has been queued. */
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

/**
 * Returns the number of signals to workflows that have failed at least five times, and of jobs of any kind whose
 * attempts are used up.
 */
export async function countFailingJobs(database: Database): Promise<number> {
  const { rows } = await database.raw<{ rows: { items: string }[] }>(
    'SELECT tollgate.count_failing_jobs(?) AS items',
    [COUNTED],
  );
  return Number(rows[0]?.items ?? 0);
}
