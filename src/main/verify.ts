import { readConfig } from '../config/config';
import { openDatabase } from '../db/pools';
import { refusePrivilegedRole } from '../db/role-guard';
import { createLogger } from '../telemetry/logger';
import { verifyAll } from '../verification/verify';

/** `npm run verify`: exits 1 when any counter, credit or event is not what the others say. */
async function run(): Promise<void> {
  const config = readConfig(['TOLLGATE_DATABASE_URL']);
  const database = openDatabase(config.TOLLGATE_DATABASE_URL, {
    max: 1,
    applicationName: 'tollgate-verify',
    log: createLogger('verify', 'error'),
  });
  try {
    await refusePrivilegedRole(database);
    let differences = 0;
    for await (const result of verifyAll(database)) {
      differences += result.differences;
      const { workspaceId, environment } = result.scope;
      const verdict = result.differences === 0 ? 'agrees' : `${result.differences} differences`;
      console.log(
        `${workspaceId} ${environment.padEnd(10)} ${result.events} events, ${result.counters} counters, ${result.grants} grants: ${verdict}`,
      );
      for (const example of result.examples) console.log(`  ${example}`);
    }
    console.log(differences === 0 ? 'Everything agrees.' : `${differences} differences.`);
    if (differences > 0) process.exitCode = 1;
  } finally {
    await database.destroy();
  }
}

run().catch((error: unknown) => {
  console.error(`verify: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
