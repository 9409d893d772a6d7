import { systemClock } from '../clock/system-clock';
import { readConfig } from '../config/read-config';
import { readCredentialKeys } from '../config/credential-keys';
import { openDatabase, openPipelinedPool, type Database } from '../db/pools';
import { inOrganization } from '../db/workspace-transaction';
import { DEMO_EMAIL, makeDemo, makeDemoPartitions } from '../embedded/demo/make-demo';
import { demoCalls, readDemoFile, writeDemoFile } from '../embedded/demo/demo-file';
import { simulatorUrls } from '../embedded/simulators';
import { findOrganization } from '../organizations/organization-store';
import { explain } from '../server/explain';
import { createLogger } from '../telemetry/logger';

/** Run once by `npm start`: creates the demo data if they are missing, and demo.json with all addresses. */
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
  const operatorPassword = config.TOLLGATE_OPERATOR_PASSWORD ?? '';
  const urls = { sandbox: config.TOLLGATE_SANDBOX_URL, production: config.TOLLGATE_PRODUCTION_URL };
  const log = createLogger('demo', config.TOLLGATE_LOG_LEVEL);
  const pool = { max: 2, applicationName: 'tollgate-demo', log };
  const database = openDatabase(config.TOLLGATE_DATABASE_URL, pool);
  const demo = await knownOrMade();
  await writeDemoFile(config.TOLLGATE_DATA_DIR, {
    // Ports may differ from those of the last start.
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

  /**
   * Returns the demo of the file, or creates one. The file may belong to another database: one that was deleted since,
   * or that was not copied with the directory.
   */
  async function knownOrMade(): ReturnType<typeof makeDemo> {
    try {
      const written = await readDemoFile(config.TOLLGATE_DATA_DIR);
      const isKnown = written !== undefined && (await isOrganization(database, written.organizationId));
      return isKnown ? written : await make();
    } finally {
      await database.destroy();
    }
  }

  async function make(): ReturnType<typeof makeDemo> {
    const pipelined = openPipelinedPool(config.TOLLGATE_DATABASE_URL, { ...pool, max: 1 });
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
      await pipelined.end();
    }
  }
}

function isOrganization(database: Database, workspaceId: string): Promise<boolean> {
  return inOrganization(
    database,
    workspaceId,
    'SYSTEM',
    async (trx) => (await findOrganization(trx, workspaceId)) !== undefined,
  );
}

run().catch((error: unknown) => {
  console.error(`demo: ${explain(error)}`);
  process.exit(1);
});
