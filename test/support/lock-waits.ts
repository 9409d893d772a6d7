import type { TestDatabase } from './database';
import { until } from './until';

/** Resolves once at least this many transactions of the database wait for a lock, a row's or an advisory one. */
export async function untilLockWaits(database: Pick<TestDatabase, 'query'>, transactions = 1): Promise<void> {
  await until(async () => {
    const waiting = await database.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return waiting.length >= transactions;
  });
}
