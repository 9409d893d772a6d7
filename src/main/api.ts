// First, so that the process can be stopped while the other files load.
import { onStopSignal } from './stop-signal';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { systemClock } from '../clock/system-clock';
import { createSimulatorsClock } from '../sandbox-clock/simulators-clock';
import { addressesWithPath } from '../config/addresses-with-path';
import { readConfig, readTogether } from '../config/read-config';
import { readConnectionBounds } from '../config/connection-bounds';
import { readCredentialKeys } from '../config/credential-keys';
import { readProviderUrls, readSimulatorControl } from '../config/provider-urls';
import { readTemporalEndpoint } from '../config/temporal-endpoint';
import { MINUTE_MS } from '../domain/instant';
import { explain } from '../server/explain';
import { createProviderAdapters } from '../service/provider-adapters';
import { startApiService } from '../server/api-service';
import { createLogger } from '../telemetry/logger';
import { createProviderCallMetrics } from '../telemetry/provider-call-metrics';
import { startMetricsServer } from '../telemetry/metrics-server';
import { createTemporalClient, pingTemporal } from '../temporal/client';
import { createMigrationStart } from '../temporal/start-migration';
import { createCommandSender } from '../temporal/command-sender';
import { refuseArguments } from './refuse-arguments';
import { warnOfUnknownSettings } from './warn-of-unknown-settings';

/** `npm run api`: runs the sandbox, production and console hosts, until the process is asked to stop. */
async function run(): Promise<void> {
  warnOfUnknownSettings('api');
  refuseArguments('api', 'Serves the sandbox, production and console hosts.');
  const { config, credentialKeys, providerUrls, connectionBounds, simulators, endpoint } = readTogether({
    config: () =>
      readConfig([
        'TOLLGATE_LOG_LEVEL',
        'TOLLGATE_LISTEN_HOST',
        'TOLLGATE_CONSOLE_PORT',
        'TOLLGATE_SANDBOX_PORT',
        'TOLLGATE_PRODUCTION_PORT',
        'TOLLGATE_METRICS_PORT',
        'TOLLGATE_CONSOLE_URL',
        'TOLLGATE_SANDBOX_URL',
        'TOLLGATE_PRODUCTION_URL',
        'TOLLGATE_DATABASE_URL',
        'TOLLGATE_DATABASE_POOL',
        'TOLLGATE_USAGE_POOL',
        'TOLLGATE_WEBHOOK_POOL',
        'TOLLGATE_API_KEY_PEPPER',
        'TOLLGATE_CURSOR_SECRET',
        'TOLLGATE_TRUSTED_PROXIES',
        'TOLLGATE_DRAIN_SECONDS',
        'TOLLGATE_SECOND_FACTOR_MINUTES',
        'TOLLGATE_TEMPORAL_UI_URL',
        'TOLLGATE_WEBHOOK_LOOPBACK',
      ]),
    credentialKeys: () => readCredentialKeys(),
    providerUrls: () => readProviderUrls(),
    connectionBounds: () => readConnectionBounds(),
    simulators: () => readSimulatorControl(),
    endpoint: () => readTemporalEndpoint(),
  });
  const log = createLogger('api', config.TOLLGATE_LOG_LEVEL);
  for (const setting of addressesWithPath(config)) {
    log.warn(
      { setting },
      'this address has a path: the API can be called under it, but its pages (console, customer’s page, /docs) open at the root of a host only',
    );
  }
  const host = config.TOLLGATE_LISTEN_HOST;
  const temporal = endpoint && createTemporalClient(endpoint);
  const registry = new Registry();
  const observeCall = createProviderCallMetrics(registry);
  // Before the hosts, so that no request has been accepted if its port is taken.
  const metrics = await startMetricsServer(registry, { host, port: config.TOLLGATE_METRICS_PORT });
  const api = await startApiService({
    registry,
    databaseUrl: config.TOLLGATE_DATABASE_URL,
    databasePool: config.TOLLGATE_DATABASE_POOL,
    usagePool: config.TOLLGATE_USAGE_POOL,
    webhookPool: config.TOLLGATE_WEBHOOK_POOL,
    apiKeyPepper: config.TOLLGATE_API_KEY_PEPPER,
    cursorSecret: config.TOLLGATE_CURSOR_SECRET,
    urls: {
      console: config.TOLLGATE_CONSOLE_URL,
      sandbox: config.TOLLGATE_SANDBOX_URL,
      production: config.TOLLGATE_PRODUCTION_URL,
    },
    listen: {
      host,
      console: config.TOLLGATE_CONSOLE_PORT,
      sandbox: config.TOLLGATE_SANDBOX_PORT,
      production: config.TOLLGATE_PRODUCTION_PORT,
    },
    trustedProxies: config.TOLLGATE_TRUSTED_PROXIES,
    secondFactorFreshMs: config.TOLLGATE_SECOND_FACTOR_MINUTES * MINUTE_MS,
    ...(config.TOLLGATE_DRAIN_SECONDS > 0 && {
      drain: () => sleep(config.TOLLGATE_DRAIN_SECONDS * 1_000),
    }),
    ...(endpoint &&
      config.TOLLGATE_TEMPORAL_UI_URL !== undefined && {
        temporalUi: { uiUrl: config.TOLLGATE_TEMPORAL_UI_URL, namespace: endpoint.namespace },
      }),
    ...(temporal && {
      pingTemporal: () => pingTemporal(temporal, systemClock),
      commands: createCommandSender(temporal, systemClock),
      startMigration: createMigrationStart(temporal, systemClock),
    }),
    credentialKeys,
    webhookRules: { allowsLoopback: config.TOLLGATE_WEBHOOK_LOOPBACK },
    providerUrls,
    ...(simulators !== undefined && { clockFollower: createSimulatorsClock(simulators, log) }),
    providerAdapters: createProviderAdapters(() => systemClock.now(), connectionBounds, observeCall),
    clock: systemClock,
    log,
  });
  onStopSignal(() => {
    log.info('stopping: finishing what was accepted');
    const stopInOrder = async (): Promise<void> => {
      await api.stop();
      // After the API, because accepted commands wait for their answers through it.
      await temporal?.connection.close();
      await metrics.stop();
    };
    stopInOrder().then(
      () => {
        log.info('stopped');
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'did not stop in order');
        process.exit(1);
      },
    );
  });
  // Last, because a reader of this line may immediately ask the process to stop.
  log.info({ ...api.ports, metrics: metrics.port }, 'listening');
}

run().catch((error: unknown) => {
  console.error(`api: ${explain(error)}`);
  process.exit(1);
});
