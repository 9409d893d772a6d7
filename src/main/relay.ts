// First, so that the process can be stopped while the other files load.
import { onStopSignal } from './stop-signal';
import { Registry } from 'prom-client';
import { systemClock } from '../clock/system-clock';
import { readConfig, readTogether } from '../config/read-config';
import { requireTemporalEndpoint } from '../config/temporal-endpoint';
import { refuseTransactionPooling } from '../db/pooler-guard';
import { openDatabase } from '../db/pools';
import { refuseWrongRole } from '../db/role-guard';
import { untilMigrated } from '../db/until-migrated';
import { consoleToLog } from '../relay/console-to-log';
import { runRelay } from '../relay/run-relay';
import { explain } from '../server/explain';
import { serveHealth } from '../server/process-health';
import { createLogger } from '../telemetry/logger';
import { createTemporalClient } from '../temporal/client';
import { requirePermission } from '../temporal/require-permission';
import { refuseArguments } from './refuse-arguments';
import { warnOfUnknownSettings } from './warn-of-unknown-settings';

/** `npm run relay`: delivers committed jobs to Temporal, until the process is asked to stop. */
async function run(): Promise<void> {
  warnOfUnknownSettings('relay');
  refuseArguments('relay', 'Passes committed jobs from Postgres to Temporal.');
  const { config, temporal } = readTogether({
    config: () =>
      readConfig([
        'TOLLGATE_LOG_LEVEL',
        'TOLLGATE_LISTEN_HOST',
        'TOLLGATE_HEALTH_PORT',
        'TOLLGATE_DATABASE_RELAY_URL',
      ]),
    temporal: () => requireTemporalEndpoint(),
  });
  const client = createTemporalClient(temporal);
  const log = createLogger('relay', config.TOLLGATE_LOG_LEVEL);
  const databaseUrl = config.TOLLGATE_DATABASE_RELAY_URL;
  const database = openDatabase(databaseUrl, { max: 1, applicationName: 'tollgate-relay', log });
  const health = await refuseTransactionPooling(databaseUrl)
    .then(() => refuseWrongRole(database, 'tollgate_relay'))
    .then(() =>
      serveHealth({
        registry: new Registry(),
        host: config.TOLLGATE_LISTEN_HOST,
        port: config.TOLLGATE_HEALTH_PORT,
        database,
        log,
        pingTemporal: () => requirePermission(client, systemClock),
      }),
    )
    .catch(async (error: unknown) => {
      await database.destroy();
      throw error;
    });
  const stopping = new AbortController();
  onStopSignal(() => {
    log.info('stopping: finishing work in progress');
    stopping.abort();
  });
  await untilMigrated(database, { log, stopping: stopping.signal });
  const restoreConsole = consoleToLog(log);
  await runRelay({ databaseUrl, client, clock: systemClock, log }, stopping.signal).finally(restoreConsole);
  await health.stop();
  await database.destroy();
  await client.connection.close();
  log.info('stopped');
}

run().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(`relay: ${explain(error)}`);
    process.exit(1);
  },
);
