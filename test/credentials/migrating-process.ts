import { systemClock } from '../../src/clock/system-clock';
import { createCredentialMigrationSteps } from '../../src/connections/credential-migration-steps';
import { createKeyRing } from '../../src/credentials/key-ring';
import { openDatabase } from '../../src/db/pools';
import { createLogger } from '../../src/telemetry/logger';
import { testKeys } from './keys';

/** Migrates from the first connection on, and prints a word after each. */
async function run(): Promise<void> {
  const [databaseUrl = '', migrationId = ''] = process.argv.slice(2);
  const log = createLogger('test', 'silent');
  const database = openDatabase(databaseUrl, { max: 1, applicationName: 'test-migration', log });
  const keyRing = createKeyRing(testKeys('k1', 'k2'));
  const steps = createCredentialMigrationSteps({ database, keyRing, clock: systemClock });
  let skipped = 0;
  for (let after: string | null = ''; after !== null;) {
    const batch = await steps.migrateBatch(migrationId, after, () => process.stdout.write('one\n'));
    skipped += batch.skipped;
    after = batch.after;
  }
  await steps.end(migrationId, skipped);
  await database.destroy();
}

void run();
