import { systemClock } from '../clock/system-clock';
import { readConfig } from '../config/read-config';
import { readCredentialKeys } from '../config/credential-keys';
import { openDatabase, openPipelinedPool } from '../db/pools';
import { DEMO_EMAIL, makeDemo, makeDemoPartitions } from '../embedded/demo/make-demo';
import { demoCalls, readDemoFile, writeDemoFile } from '../embedded/demo/demo-file';
import { simulatorUrls } from '../embedded/simulators';
import { createLogger } from '../telemetry/logger';

/** What `npm start` runs once: the demo data where they are missing, and demo.json with where everything is. */
async function run(): Promise<void> {
  const config = readConfig([
    'TOLLGATE_LOG_LEVEL',
    'TOLLGATE_DATABASE_URL',
    'TOLLGATE_DATABASE_MIGRATOR_URL',
    'TOLLGATE_API_KEY_PEPPER',
    'TOLLGATE_OPERATOR_PASSWORD',
    'TOLLGATE_CONSOLE_URL',
    'TOLLGATE_SANDBOX_URL',
    'TOLLGATE_PRODUCTION_URL',
    'TOLLGATE_TEMPORAL_UI_URL',
    'TOLLGATE_SIMULATOR_A_PORT',
    'TOLLGATE_SIMULATOR_B_PORT',
    'TOLLGATE_SIMULATOR_C_PORT',
    'TOLLGATE_SIMULATOR_CONTROL_PORT',
    'TOLLGATE_DATA_DIR',
  ]);
  const known = await readDemoFile(config.TOLLGATE_DATA_DIR);
  const operatorPassword = config.TOLLGATE_OPERATOR_PASSWORD ?? '';
  const urls = { sandbox: config.TOLLGATE_SANDBOX_URL, production: config.TOLLGATE_PRODUCTION_URL };
  const demo = known ?? (await make());
  await writeDemoFile(config.TOLLGATE_DATA_DIR, {
    // Ports may be others than at the last start.
    consoleUrl: config.TOLLGATE_CONSOLE_URL,
    sandboxBaseUrl: urls.sandbox,
    productionBaseUrl: urls.production,
    temporalUiUrl: config.TOLLGATE_TEMPORAL_UI_URL ?? null,
    operator: { email: DEMO_EMAIL, password: operatorPassword },
    organizationId: demo.organizationId,
    sandboxKey: demo.sandboxKey,
    productionKey: demo.productionKey,
    simulators: simulatorUrls({
      a: config.TOLLGATE_SIMULATOR_A_PORT,
      b: config.TOLLGATE_SIMULATOR_B_PORT,
      c: config.TOLLGATE_SIMULATOR_C_PORT,
      control: config.TOLLGATE_SIMULATOR_CONTROL_PORT,
    }),
    connections: demo.connections,
    curl: demoCalls(urls.sandbox, demo.sandboxKey),
  });

  async function make(): ReturnType<typeof makeDemo> {
    const log = createLogger('demo', config.TOLLGATE_LOG_LEVEL);
    const database = openDatabase(config.TOLLGATE_DATABASE_URL, {
      max: 2,
      applicationName: 'tollgate-demo',
      log,
    });
    const pipelined = openPipelinedPool(config.TOLLGATE_DATABASE_URL, {
      max: 1,
      applicationName: 'tollgate-demo',
      log,
    });
    try {
      log.info('creating the demo data');
      await makeDemoPartitions(config.TOLLGATE_DATABASE_MIGRATOR_URL);
      return await makeDemo({
        database,
        pipelined,
        apiKeyPepper: config.TOLLGATE_API_KEY_PEPPER,
        credentialKeys: readCredentialKeys(),
        operatorPassword,
        urls,
        clock: systemClock,
        log,
      });
    } finally {
      await Promise.all([database.destroy(), pipelined.end()]);
    }
  }
}

run().catch((error: unknown) => {
  console.error(`demo: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
