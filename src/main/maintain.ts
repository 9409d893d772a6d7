// First, so that the process can be stopped while the other files load.
import { onStopSignal } from './stop-signal';
import { Command } from 'commander';
import { Registry } from 'prom-client';
import { systemClock } from '../clock/system-clock';
import { readConfig } from '../config/read-config';
import { refuseTransactionPooling } from '../db/pooler-guard';
import { openDatabase } from '../db/pools';
import { refuseWrongMigrator, refuseWrongRole } from '../db/role-guard';
import { untilMigrated } from '../db/until-migrated';
import { registerBacklogMetrics } from '../maintenance/backlog-metrics';
import { timeUnlessSkewed } from '../maintenance/clock-skew';
import { maintain } from '../maintenance/maintain';
import { createRounds } from '../maintenance/rounds';
import { requeueOpenOperations } from '../operations/requeue-open-operations';
import { releaseAbandonedJobs } from '../outbox/abandoned-jobs-store';
import { explain } from '../server/explain';
import { serveHealth } from '../server/process-health';
import { createLogger } from '../telemetry/logger';
import { rollUpUsage } from '../usage-history/roll-up';
import { warnOfUnknownSettings } from './warn-of-unknown-settings';
import { HOUR_MS, MINUTE_MS } from '../domain/instant';

/** Uses not rolled up yet are read one by one: at 500 tracks a second, these are 7,500. */
const USAGE_MS = 15_000;

/**
 * `npm run maintain`: rolls usage up every 15 seconds; requeues open operations without a job every minute, and
 * releases the jobs of killed relays; creates partitions and deletes expired rows every hour. `--once` does each once.
 */
async function run(): Promise<void> {
  warnOfUnknownSettings('maintain');
  const { once } = new Command('maintain')
    .description(
      'Rolls usage up, restores lost jobs, creates partitions and deletes expired rows, until it is stopped.',
    )
    .option('--once', 'do each of these once and exit', false)
    .parse()
    .opts<{ once: boolean }>();
  const config = readConfig([
    'TOLLGATE_DATABASE_WORKER_URL',
    'TOLLGATE_DATABASE_MIGRATOR_URL',
    'TOLLGATE_EVENT_RETENTION_DAYS',
    'TOLLGATE_PLATFORM_AUDIT_RETENTION_DAYS',
    'TOLLGATE_LOG_LEVEL',
    'TOLLGATE_LISTEN_HOST',
    'TOLLGATE_HEALTH_PORT',
  ]);
  const log = createLogger('maintain', config.TOLLGATE_LOG_LEVEL);
  const database = openDatabase(config.TOLLGATE_DATABASE_WORKER_URL, {
    // For the rounds and one scrape.
    max: 4,
    applicationName: 'tollgate-maintain',
    log,
  });
  const stopping = new AbortController();
  onStopSignal(() => {
    log.info('stopping: finishing work in progress');
    stopping.abort();
  });
  const options = {
    database,
    migratorUrl: config.TOLLGATE_DATABASE_MIGRATOR_URL,
    retentionDays: config.TOLLGATE_EVENT_RETENTION_DAYS,
    platformAuditDays: config.TOLLGATE_PLATFORM_AUDIT_RETENTION_DAYS,
    log,
    stopping: stopping.signal,
  };
  const restoreJobs = async (): Promise<void> => {
    await requeueOpenOperations(database, systemClock.now(), log, stopping.signal);
    const released = await releaseAbandonedJobs(options.migratorUrl);
    if (released > 0)
      log.warn({ jobs: released }, 'released the jobs of a relay that has ended without them');
  };
  const keepRetention = async (): Promise<void> =>
    maintain(options, await timeUnlessSkewed(database, systemClock));
  const rollUp = (): Promise<void> => rollUpUsage(database, log, { signal: stopping.signal });
  try {
    await refuseTransactionPooling(config.TOLLGATE_DATABASE_WORKER_URL);
    await refuseWrongRole(database, 'tollgate_worker');
    await refuseWrongMigrator(options.migratorUrl);
    if (once) {
      const rounds = [restoreJobs, keepRetention, rollUp];
      // They do not depend on each other.
      for (const round of rounds) await round().catch(report);
      if (stopping.signal.aborted) report('It was stopped before everything was done. Run it again.');
      return;
    }
    const registry = new Registry();
    registerBacklogMetrics(registry, database, systemClock);
    const health = await serveHealth({
      registry,
      host: config.TOLLGATE_LISTEN_HOST,
      port: config.TOLLGATE_HEALTH_PORT,
      database,
      log,
    });
    const every = createRounds({
      registry,
      clock: systemClock,
      log,
      explain,
      ready: untilMigrated(database, { log, stopping: stopping.signal }),
      stopping: stopping.signal,
    });
    try {
      await Promise.all([
        every('usage', USAGE_MS, rollUp),
        every('minute', MINUTE_MS, restoreJobs),
        every('hour', HOUR_MS, keepRetention),
      ]);
    } finally {
      await health.stop();
    }
  } finally {
    await database.destroy();
  }
  log.info('stopped');
}

function report(error: unknown): void {
  console.error(`maintain: ${explain(error)}`);
  process.exitCode = 1;
}

run().catch(report);
