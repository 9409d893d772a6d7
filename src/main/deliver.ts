// First, so that the process can be stopped while the other files load.
import { onStopSignal } from './stop-signal';
import os from 'node:os';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { systemClock } from '../clock/system-clock';
import { readConfig, readTogether } from '../config/read-config';
import { readCredentialKeys } from '../config/credential-keys';
import { createKeyRing } from '../credentials/key-ring';
import { joinKeyRing } from '../credentials/key-ring-runtime';
import { databaseCounts } from '../db/pool-counts';
import { refuseTransactionPooling } from '../db/pooler-guard';
import { openDatabase } from '../db/pools';
import { refuseWrongRole } from '../db/role-guard';
import { untilMigrated } from '../db/until-migrated';
import { explain } from '../server/explain';
import { serveHealth } from '../server/process-health';
import { createLogger } from '../telemetry/logger';
import { registerPoolMetrics } from '../telemetry/pool-metrics';
import { AttemptsUnderWay } from '../webhook-deliveries/attempts-under-way';
import { runDeliverer } from '../webhook-deliveries/deliverer';
import { createDelivererMetrics } from '../webhook-deliveries/deliverer-metrics';
import { createSendAttempt } from '../webhook-deliveries/send-attempt';
import { createResolveHost } from '../webhook-endpoints/resolve-host';
import { createRenderMessage, createRenderMessages } from '../webhook-messages/render-message';
import { refuseArguments } from './refuse-arguments';
import { warnOfUnknownSettings } from './warn-of-unknown-settings';

/** Niceness as in setpriority(2): 0 is normal, 19 the lowest priority. */
const NICENESS = 10;

/** Lowers the priority, so that requests come before webhooks on a machine shared with the API. */
function yieldToRequests(log: Logger): void {
  try {
    os.setPriority(NICENESS);
  } catch (error) {
    log.warn({ err: error }, 'the priority of this process could not be lowered');
  }
}

/** `npm run deliver`: sends webhooks to integrators, until the process is asked to stop. */
async function run(): Promise<void> {
  warnOfUnknownSettings('deliver');
  refuseArguments('deliver', 'Sends webhooks to the endpoints of integrators.');
  const { config, credentialKeys } = readTogether({
    config: () =>
      readConfig([
        'TOLLGATE_LOG_LEVEL',
        'TOLLGATE_LISTEN_HOST',
        'TOLLGATE_HEALTH_PORT',
        'TOLLGATE_DATABASE_DELIVERER_URL',
        'TOLLGATE_DATABASE_POOL',
        'TOLLGATE_WEBHOOK_LOOPBACK',
        'TOLLGATE_WEBHOOK_ATTEMPTS',
        'TOLLGATE_WEBHOOK_ATTEMPTS_EACH',
      ]),
    credentialKeys: () => readCredentialKeys(),
  });
  const keyRing = createKeyRing(credentialKeys);
  const log = createLogger('deliver', config.TOLLGATE_LOG_LEVEL);
  yieldToRequests(log);
  const clock = systemClock;
  const database = openDatabase(config.TOLLGATE_DATABASE_DELIVERER_URL, {
    max: config.TOLLGATE_DATABASE_POOL,
    applicationName: 'tollgate-deliver',
    log,
  });
  const registry = new Registry();
  registerPoolMetrics(registry, { general: () => databaseCounts(database) });
  const underWay = new AttemptsUnderWay();
  const metrics = createDelivererMetrics(registry, { database, clock, underWay: () => underWay.total });
  const rules = { allowsLoopback: config.TOLLGATE_WEBHOOK_LOOPBACK };
  const stopping = new AbortController();
  onStopSignal(() => {
    log.info('stopping: finishing work in progress');
    stopping.abort();
  });
  try {
    await refuseTransactionPooling(config.TOLLGATE_DATABASE_DELIVERER_URL);
    await refuseWrongRole(database, 'tollgate_deliverer');
    const membership = await joinKeyRing({ database, keyRing, process: 'deliver', clock, log });
    const health = await serveHealth({
      registry,
      host: config.TOLLGATE_LISTEN_HOST,
      port: config.TOLLGATE_HEALTH_PORT,
      database,
      log,
    });
    try {
      await untilMigrated(database, { log, stopping: stopping.signal });
      log.info('delivering');
      await runDeliverer(
        {
          database,
          keyRing,
          clock,
          metrics,
          underWay,
          log,
          send: createSendAttempt({ rules, resolveHost: createResolveHost() }),
          render: createRenderMessage({ database, clock }),
          renderMany: createRenderMessages({ database, clock }),
          random: Math.random,
          limits: { total: config.TOLLGATE_WEBHOOK_ATTEMPTS, each: config.TOLLGATE_WEBHOOK_ATTEMPTS_EACH },
        },
        stopping.signal,
      );
    } finally {
      await health.stop();
      await membership.leave();
    }
  } finally {
    await database.destroy();
  }
  log.info('stopped');
}

run().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`deliver: ${explain(error)}`);
    process.exit(1);
  },
);
