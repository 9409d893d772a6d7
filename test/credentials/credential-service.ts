import { createCredentialMigrationSteps } from '../../src/connections/credential-migration-steps';
import type { StartMigration } from '../../src/connections/credential-migration-service';
import { createKeyRing, type CredentialKeys } from '../../src/credentials/key-ring';
import { openDatabase } from '../../src/db/pools';
import { startApiService } from '../../src/server/api-service';
import { createLogger } from '../../src/telemetry/logger';
import { createTestAdapters, UNANSWERED } from '../support/adapters';
import type { TestDatabase } from '../support/database';
import { TestClock, testSecrets, type TestService } from '../support/service';
import { testKeys } from './keys';
import type { ProviderAdapters } from '../../src/providers/provider-adapter';

export interface CredentialService {
  database: TestDatabase;
  clock: TestClock;
  urls: TestService['urls'];
  stop(): Promise<void>;
}

/** Starts an API process with keys of its own; the migration runs in it, in place of Temporal. */
export async function startCredentialService(
  database: TestDatabase,
  options: { keys?: CredentialKeys; adapters?: Partial<ProviderAdapters>; clock?: TestClock } = {},
): Promise<CredentialService> {
  const { keys = testKeys('k1'), adapters, clock = new TestClock() } = options;
  const log = createLogger('test', 'silent');
  const worker = openDatabase(database.url('tollgate_worker'), { max: 2, applicationName: 'test', log });
  const steps = createCredentialMigrationSteps({ database: worker, keyRing: createKeyRing(keys), clock });
  const runs = new Set<Promise<void>>();
  const startMigration: StartMigration = (migrationId) => {
    const run = migrateAll(steps, migrationId).finally(() => runs.delete(run));
    runs.add(run);
    return Promise.resolve();
  };
  const api = await startApiService({
    databaseUrl: database.url('tollgate_app'),
    databasePool: 10,
    usagePool: 1,
    webhookPool: 3,
    ...testSecrets,
    credentialKeys: keys,
    startMigration,
    providerAdapters: { ...createTestAdapters(), ...adapters },
    providerUrls: UNANSWERED,
    urls: {
      console: 'http://console.test',
      sandbox: 'http://sandbox.test',
      production: 'http://production.test',
    },
    listen: { host: '127.0.0.1', console: 0, sandbox: 0, production: 0 },
    trustedProxies: 0,
    lazyDocuments: true,
    clock,
    log,
  }).catch(async (error: unknown) => {
    await worker.destroy();
    throw error;
  });
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  return {
    database,
    clock,
    urls: {
      console: at(api.ports.console),
      sandbox: at(api.ports.sandbox),
      production: at(api.ports.production),
    },
    stop: async () => {
      await Promise.all(runs);
      await api.stop();
      await worker.destroy();
    },
  };
}

/** Runs the migration workflow's steps without Temporal. */
async function migrateAll(
  steps: ReturnType<typeof createCredentialMigrationSteps>,
  migrationId: string,
): Promise<void> {
  let after: string | null = '';
  let skipped = 0;
  while (after !== null) {
    const batch = await steps.migrateBatch(migrationId, after, () => undefined);
    skipped += batch.skipped;
    after = batch.after;
  }
  await steps.end(migrationId, skipped);
}
