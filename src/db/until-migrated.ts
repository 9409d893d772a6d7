import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { migrationsAreCurrent } from './migrate';
import type { Database } from './pools';

const POLL_MS = 2_000;

/**
 * Waits until every migration of this build has run. A process that an upgrade starts before them would take work from
 * those of the earlier version, and fail at it. Ends early if the process stops.
 *
 * @throws the database's error, also if it was never migrated
 */
export async function untilMigrated(
  database: Database,
  { log, stopping }: { log: Logger; stopping: AbortSignal },
): Promise<void> {
  for (let isFirst = true; !stopping.aborted; isFirst = false) {
    if (await migrationsAreCurrent(database)) return;
    if (isFirst)
      log.warn('the database schema is older than this build: waiting until npm run migrate has run');
    await pause(POLL_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
}
