import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../clock/system-clock';
import { readConfig, readTogether } from '../config/read-config';
import { readTemporalEndpoint } from '../config/temporal-endpoint';
import { refuseTransactionPooling } from '../db/pooler-guard';
import { openDatabase, VERIFIER } from '../db/pools';
import { refuseWrongRole } from '../db/role-guard';
import { countInWords } from '../domain/count-in-words';
import { explain } from '../server/explain';
import { createLogger } from '../telemetry/logger';
import { createTemporalClient } from '../temporal/client';
import { createWorkflowProbe } from '../temporal/workflow-probe';
import { verifyAll, type Verification } from '../verification/verify';
import type { WorkflowCheck } from '../verification/workflow-verification';
import { refuseArguments } from './refuse-arguments';
import { warnOfUnknownSettings } from './warn-of-unknown-settings';

/** Long enough for the relay to start a workflow that was just enqueued. */
const RECHECK_DELAY_MS = 3_000;

/** `npm run verify`: exits 1 if any redundantly stored data differs, or a workflow is missing. */
async function run(): Promise<void> {
  warnOfUnknownSettings('verify');
  refuseArguments(
    'verify',
    'Compares data that is stored twice, in every workspace, and with TEMPORAL_ADDRESS also the workflows. Exits with 1 if anything differs.',
  );
  const { config, temporal } = readTogether({
    config: () => readConfig(['TOLLGATE_DATABASE_URL']),
    temporal: () => readTemporalEndpoint(),
  });
  const client = temporal && createTemporalClient(temporal);
  const workflows: WorkflowCheck | undefined = client && {
    isRunning: createWorkflowProbe(client, systemClock),
    clock: systemClock,
    pause: () => sleep(RECHECK_DELAY_MS),
  };
  const database = openDatabase(config.TOLLGATE_DATABASE_URL, {
    max: 1,
    applicationName: VERIFIER,
    log: createLogger('verify', 'error'),
    // Its statements read entire histories.
    silenceMs: null,
  });
  try {
    await refuseTransactionPooling(config.TOLLGATE_DATABASE_URL);
    await refuseWrongRole(database, 'tollgate_app');
    if (workflows === undefined) console.log('Workflows are not compared: TEMPORAL_ADDRESS is not set.');
    let differences = 0;
    for await (const result of verifyAll(database, workflows)) {
      differences += result.differences;
      report(result);
    }
    console.log(differences === 0 ? 'Everything agrees.' : `${countInWords(differences, 'difference')}.`);
    if (differences > 0) process.exitCode = 1;
  } finally {
    await database.destroy();
    await client?.connection.close();
  }
}

function report({ scope, differences, examples, ...totals }: Verification): void {
  const counted = Object.entries(totals).map(([name, count]) => `${count} ${name}`);
  const verdict = differences === 0 ? 'agrees' : countInWords(differences, 'difference');
  console.log(`${scope.workspaceId} ${scope.environment.padEnd(10)} ${counted.join(', ')}: ${verdict}`);
  for (const example of examples) console.log(`  ${example}`);
}

run().catch((error: unknown) => {
  console.error(`verify: ${explain(error)}`);
  process.exitCode = 1;
});
