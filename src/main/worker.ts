// First, so that the process can be stopped while the other files load.
import { onStopSignal } from './stop-signal';
import { Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { systemClock } from '../clock/system-clock';
import { readConfig, readSetting, readTogether } from '../config/read-config';
import { ConfigurationError } from '../config/configuration-error';
import { readConnectionBounds } from '../config/connection-bounds';
import { readCredentialKeys } from '../config/credential-keys';
import { readProviderUrls } from '../config/provider-urls';
import { requireTemporalEndpoint } from '../config/temporal-endpoint';
import { createKeyRing } from '../credentials/key-ring';
import { joinKeyRing } from '../credentials/key-ring-runtime';
import { databaseCounts } from '../db/pool-counts';
import { refuseTransactionPooling } from '../db/pooler-guard';
import { openDatabase, type Database } from '../db/pools';
import { refuseWrongRole } from '../db/role-guard';
import { untilMigrated } from '../db/until-migrated';
import { explain } from '../server/explain';
import { createProviderAdapters } from '../service/provider-adapters';
import { createWorkerActivities } from '../service/worker-activities';
import { serveHealth } from '../server/process-health';
import { createLogger } from '../telemetry/logger';
import { registerPoolMetrics } from '../telemetry/pool-metrics';
import { createProviderCallMetrics } from '../telemetry/provider-call-metrics';
import { socketAddress } from '../telemetry/socket-address';
import { createTemporalClient } from '../temporal/client';
import { requirePermission } from '../temporal/require-permission';
import { createSdkLogger } from '../temporal/sdk-logger';
import { runWorkers, type WorkerBuild } from '../../activities/workers';
import { sandboxConnections } from '../temporal/worker-slots';
import { workflowCode } from '../temporal/workflow-code';
import { refuseArguments } from './refuse-arguments';
import { warnOfUnknownSettings } from './warn-of-unknown-settings';
import { errorMessage } from '../domain/errors';

/** `npm run worker`: runs workflows and their activities, until the process is asked to stop. */
async function run(): Promise<void> {
  warnOfUnknownSettings('worker');
  refuseArguments('worker', 'Runs workflows and their activities.');
  const { config, credentialKeys, providerUrls, connectionBounds, build, temporal } = readTogether({
    config: () =>
      readConfig([
        'NODE_ENV',
        'TOLLGATE_LOG_LEVEL',
        'TOLLGATE_LISTEN_HOST',
        'TOLLGATE_HEALTH_PORT',
        'TOLLGATE_WORKER_METRICS_PORT',
        'TOLLGATE_DATABASE_WORKER_URL',
        'TOLLGATE_DATABASE_POOL',
        'TOLLGATE_WORKER_QUEUES',
        'TOLLGATE_RENEWAL_SPREAD_SECONDS',
        'TOLLGATE_SANDBOX_URL',
        'TOLLGATE_PRODUCTION_URL',
      ]),
    credentialKeys: () => readCredentialKeys(),
    providerUrls: () => readProviderUrls(),
    connectionBounds: () => readConnectionBounds(),
    build: workerBuild,
    temporal: () => requireTemporalEndpoint(),
  });
  const keyRing = createKeyRing(credentialKeys);
  const registry = new Registry();
  const observeCall = createProviderCallMetrics(registry);
  const providerAdapters = createProviderAdapters(() => systemClock.now(), connectionBounds, observeCall);
  const urls = { sandbox: config.TOLLGATE_SANDBOX_URL, production: config.TOLLGATE_PRODUCTION_URL };
  const code = workflowCode(config.NODE_ENV !== 'test');
  const log = createLogger('worker', config.TOLLGATE_LOG_LEVEL);
  await installRuntime(log, { host: config.TOLLGATE_LISTEN_HOST, port: config.TOLLGATE_WORKER_METRICS_PORT });
  const connect = (max: number, applicationName: string): Database =>
    openDatabase(config.TOLLGATE_DATABASE_WORKER_URL, { max, applicationName, log });
  const pool = config.TOLLGATE_DATABASE_POOL;
  const database = connect(pool, 'tollgate-worker');
  const sandboxDatabase = connect(sandboxConnections(pool), 'tollgate-worker-sandbox');
  registerPoolMetrics(registry, {
    production: () => databaseCounts(database),
    sandbox: () => databaseCounts(sandboxDatabase),
  });
  const client = createTemporalClient(temporal);
  const clock = systemClock;
  const health = await serveHealth({
    registry,
    host: config.TOLLGATE_LISTEN_HOST,
    port: config.TOLLGATE_HEALTH_PORT,
    database,
    log,
    pingTemporal: () => requirePermission(client, clock),
  });
  const stopping = new AbortController();
  onStopSignal(() => {
    log.info('stopping: finishing work in progress');
    stopping.abort();
  });
  try {
    await refuseTransactionPooling(config.TOLLGATE_DATABASE_WORKER_URL);
    await refuseWrongRole(database, 'tollgate_worker');
    const membership = await joinKeyRing({ database, keyRing, process: 'worker', clock, log });
    const renewalSpreadMs = config.TOLLGATE_RENEWAL_SPREAD_SECONDS * 1_000;
    const shared = { client, clock, keyRing, providerUrls, urls, providerAdapters, renewalSpreadMs };
    const activities = {
      production: createWorkerActivities({ ...shared, database }),
      sandbox: createWorkerActivities({ ...shared, database: sandboxDatabase }),
    };
    const queues = config.TOLLGATE_WORKER_QUEUES;
    try {
      await untilMigrated(database, { log, stopping: stopping.signal });
      await runWorkers({ temporal, client, activities, code, queues, build, clock, log }, stopping.signal);
    } finally {
      await membership.leave();
    }
  } finally {
    await health.stop();
    await Promise.all([database.destroy(), sandboxDatabase.destroy()]);
    // Last: a check of readiness that is still retried after that ends the process.
    await client.connection.close();
  }
  log.info('stopped');
}

/**
 * Configures Temporal's SDK: its log goes to ours, and its metrics to a port, if one is set.
 *
 * @throws ConfigurationError if the port cannot be listened on
 */
async function installRuntime(
  log: Logger,
  metrics: { host: string; port: number | undefined },
): Promise<void> {
  const { host, port } = metrics;
  const bindAddress = port === undefined ? undefined : await socketAddress(host, port);
  try {
    Runtime.install({
      logger: createSdkLogger(log, systemClock),
      // We handle signals first (src/main/stop-signal.ts), and then stop the worker.
      shutdownSignals: [],
      telemetryOptions: {
        logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } },
        ...(bindAddress !== undefined && { metrics: { prometheus: { bindAddress } } }),
      },
    });
  } catch (error) {
    if (bindAddress === undefined) throw error;
    const reason = errorMessage(error);
    throw new ConfigurationError(
      `TOLLGATE_WORKER_METRICS_PORT: ${bindAddress} cannot be listened on. Stop the process that listens there, or set another port or TOLLGATE_LISTEN_HOST. (${reason})`,
    );
  }
}

/** Returns the worker's build; undefined if Worker Versioning is not used. */
function workerBuild(): WorkerBuild | undefined {
  const deploymentName = readSetting('TEMPORAL_WORKER_DEPLOYMENT_NAME');
  const buildId = readSetting('TEMPORAL_WORKER_BUILD_ID');
  if (deploymentName !== undefined && buildId !== undefined) return { deploymentName, buildId };
  if (deploymentName === undefined && buildId === undefined) return undefined;
  throw new ConfigurationError(
    'TEMPORAL_WORKER_DEPLOYMENT_NAME and TEMPORAL_WORKER_BUILD_ID are set together or not at all.',
  );
}

run().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`worker: ${explain(error)}`);
    process.exit(1);
  },
);
