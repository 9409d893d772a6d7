import { Runtime } from '@temporalio/worker';
import { createActivities } from '../../activities';
import { systemClock } from '../clock/clock';
import { readConfig, readSetting } from '../config/config';
import { openDatabase } from '../db/pools';
import { refusePrivilegedRole } from '../db/role-guard';
import { findOverdueSubscriptions } from '../subscriptions/overdue-subscription-store';
import { createPeriodTurns } from '../subscriptions/turn-period';
import { createLogger } from '../telemetry/logger';
import { runBillingWorker } from '../temporal/billing-worker';
import { createTemporalClient } from '../temporal/client';
import { createPokeSubscription } from '../temporal/poke-subscription';
import { createSdkLogger } from '../temporal/sdk-logger';
import { workflowCode } from '../temporal/workflow-code';
import { temporalAddress } from './temporal-address';
import { whenAskedToStop } from './stop-signal';

/** `npm run worker`: runs workflows and their activities, until the process is asked to stop. */
async function run(): Promise<void> {
  const config = readConfig([
    'NODE_ENV',
    'TOLLGATE_LOG_LEVEL',
    'TOLLGATE_LISTEN_HOST',
    'TOLLGATE_DATABASE_WORKER_URL',
    'TOLLGATE_DATABASE_POOL',
    'TEMPORAL_ADDRESS',
    'TEMPORAL_NAMESPACE',
  ]);
  const metricsPort = readSetting('TOLLGATE_WORKER_METRICS_PORT');
  const temporal = temporalAddress(config);
  const code = workflowCode(config.NODE_ENV !== 'test');
  const log = createLogger('worker', config.TOLLGATE_LOG_LEVEL);
  Runtime.install({
    logger: createSdkLogger(log),
    // Signals come to us (src/main/stop-signal.ts), and then to the worker.
    shutdownSignals: [],
    telemetryOptions: {
      logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } },
      ...(metricsPort !== undefined && {
        metrics: { prometheus: { bindAddress: `${config.TOLLGATE_LISTEN_HOST}:${metricsPort}` } },
      }),
    },
  });
  const database = openDatabase(config.TOLLGATE_DATABASE_WORKER_URL, {
    max: config.TOLLGATE_DATABASE_POOL,
    applicationName: 'tollgate-worker',
    log,
  });
  const client = createTemporalClient(temporal);
  const clock = systemClock;
  const stopping = new AbortController();
  whenAskedToStop(() => {
    log.info('stopping: finishing what was begun');
    stopping.abort();
  });
  try {
    await refusePrivilegedRole(database);
    const activities = createActivities({
      periodTurns: createPeriodTurns({ database, clock }),
      findOverdueSubscriptions: (before, most) => findOverdueSubscriptions(database, before, most),
      pokeSubscription: createPokeSubscription(client, clock),
    });
    await runBillingWorker({ temporal, client, activities, code, clock, log }, stopping.signal);
  } finally {
    await client.connection.close();
    await database.destroy();
  }
  log.info('stopped');
}

run().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`worker: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  },
);
