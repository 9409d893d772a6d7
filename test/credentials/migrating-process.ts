import { systemClock } from '../../src/clock/system-clock';
import { createCredentialMigrationSteps } from '../../src/connections/credential-migration-steps';
import { createKeyRing } from '../../src/credentials/key-ring';
import { openDatabase } from '../../src/db/pools';
import { createLogger } from '../../src/telemetry/logger';
import { testKeys } from './keys';

/** Migrates from the first connection on, and prints a word after each. Stands still after so many. */
async function run(): Promise<void> {
  const [databaseUrl = '', migrationId = '', most = ''] = process.argv.slice(2);
  const log = createLogger('test', 'silent');
  const database = openDatabase(databaseUrl, { max: 1, applicationName: 'test-migration', log });
  const keyRing = createKeyRing(testKeys('k1', 'k2'));
  const steps = createCredentialMigrationSteps({ database, keyRing, clock: systemClock });
  let [said, skipped] = [0, 0];
  for (let after: string | null = ''; after !== null;) {
    const batch = await steps.migrateBatch(migrationId, after, () => {
      process.stdout.write('one\n');
      said += 1;
      if (said >= Number(most)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });
    skipped += batch.skipped;
    after = batch.after;
  }
  await steps.end(migrationId, skipped);
  await database.destroy();
}

void run();
