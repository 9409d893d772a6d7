import { setTimeout as pause } from 'node:timers/promises';
import { Command } from 'commander';
import { systemClock } from '../clock/clock';
import { readConfig } from '../config/config';
import { openDatabase } from '../db/pools';
import { refusePrivilegedRole } from '../db/role-guard';
import { maintain } from '../maintenance/maintain';
import { requeueOpenOperations } from '../operations/requeue-open-operations';
import { createLogger } from '../telemetry/logger';
import { whenAskedToStop } from './stop-signal';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * `npm run maintain`: requeues open operations without a job every minute; creates partitions and deletes expired rows
 * every hour. `--once` does both once.
 */
async function run(): Promise<void> {
  const { once } = new Command('maintain')
    .option('--once', 'do one round and exit', false)
    .parse()
    .opts<{ once: boolean }>();
  const config = readConfig([
    'TOLLGATE_DATABASE_WORKER_URL',
    'TOLLGATE_DATABASE_MIGRATOR_URL',
    'TOLLGATE_EVENT_RETENTION_DAYS',
    'TOLLGATE_PLATFORM_AUDIT_RETENTION_DAYS',
    'TOLLGATE_LOG_LEVEL',
  ]);
  const log = createLogger('maintain', config.TOLLGATE_LOG_LEVEL);
  const database = openDatabase(config.TOLLGATE_DATABASE_WORKER_URL, {
    max: 2,
    applicationName: 'tollgate-maintain',
    log,
  });
  const stopping = new AbortController();
  whenAskedToStop(() => {
    stopping.abort();
  });
  const options = {
    database,
    migratorUrl: config.TOLLGATE_DATABASE_MIGRATOR_URL,
    retentionDays: config.TOLLGATE_EVENT_RETENTION_DAYS,
    platformAuditDays: config.TOLLGATE_PLATFORM_AUDIT_RETENTION_DAYS,
    log,
  };
  try {
    await refusePrivilegedRole(database);
    if (once) {
      await requeueOpenOperations(database, systemClock.now(), log);
      await maintain(options, systemClock.now());
      return;
    }
    const every = async (milliseconds: number, round: () => Promise<unknown>): Promise<void> => {
      while (!stopping.signal.aborted) {
        await round().catch((error: unknown) => {
          log.error({ err: error }, 'a round of maintenance failed and is retried by the next one');
        });
        await pause(milliseconds, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    };
    await Promise.all([
      every(MINUTE_MS, () => requeueOpenOperations(database, systemClock.now(), log)),
      every(HOUR_MS, () => maintain(options, systemClock.now())),
    ]);
  } finally {
    await database.destroy();
  }
}

run().catch((error: unknown) => {
  console.error(`maintain: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
