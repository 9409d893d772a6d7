import path from 'node:path';
import { systemClock } from '../clock/system-clock';
import { ConfigurationError } from '../config/configuration-error';
import { readConfig } from '../config/read-config';
import { openDatabase, openPipelinedPool } from '../db/pools';
import { runningProcesses } from '../embedded/data-directory';
import { makeDemoPartitions, fillDemoSandbox, findDemoOrganization } from '../embedded/demo/make-demo';
import { readDemoFile, type DemoFile } from '../embedded/demo/demo-file';
import { DemoNotResetError, resetDemo } from '../embedded/demo/reset-demo';
import { showProviders } from '../embedded/demo/show-providers';
import { markResetFinished, markResetUnfinished } from '../embedded/demo/unfinished-reset';
import { emptySimulators } from '../embedded/empty-simulators';
import { localDatabaseUrl } from '../embedded/local-environment';
import { localSecrets } from '../embedded/secrets';
import { createLogger } from '../telemetry/logger';
import { warnOfUnknownSettings } from './warn-of-unknown-settings';

const USAGE = `npm run demo:reset restores the demo of a running npm start, and takes no arguments. Everything in the sandbox of
the demo's organization is recreated, except its API keys, provider connections, settings and audit records.`;

/** Time limit of the whole reset (milliseconds). */
const TIMEOUT_MS = 300_000;

const print = (message: string): void => {
  console.log(message);
};

let hasBegun = false;

/** A terminal's Ctrl-C arrives twice, because npm forwards it, so the process ends at the first. */
function listenForSignals(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    process.on(signal, () => {
      console.error(
        hasBegun
          ? '\nInterrupted: the demo is incomplete. Run npm run demo:reset again.'
          : '\nInterrupted: nothing was changed.',
      );
      process.exit(code);
    });
}

async function run(): Promise<void> {
  warnOfUnknownSettings('demo:reset');
  const [argument] = process.argv.slice(2);
  if (argument === '--help' || argument === '-h') {
    print(USAGE);
    return;
  }
  if (argument !== undefined) throw new DemoNotResetError(`Unknown argument ${argument}.\n${USAGE}`);
  const config = readConfig(['TOLLGATE_DATA_DIR', 'TOLLGATE_POSTGRES_PORT', 'TOLLGATE_LOG_LEVEL']);
  const dataDirectory = path.resolve(config.TOLLGATE_DATA_DIR);
  const demo = await readDemoFile(dataDirectory);
  if (demo === undefined)
    throw new DemoNotResetError(`There is no demo in ${dataDirectory}: npm start creates one.`);
  const processes = await runningProcesses(dataDirectory);
  if (processes?.has('api') !== true) {
    throw new DemoNotResetError(
      `Tollgate does not run on ${dataDirectory}: start it with npm start, and reset the demo from a second shell.`,
    );
  }
  const ended = AbortSignal.timeout(TIMEOUT_MS);
  print('Recreating the sandbox of the demo …');
  const runsTemporal = processes.has('worker');
  const isComplete = await reset({
    demo,
    dataDirectory,
    port: config.TOLLGATE_POSTGRES_PORT,
    runsTemporal,
    ended,
  });
  if (!isComplete) {
    throw new DemoNotResetError(
      'The demo is back to its first state, except for customers of the simulated providers. Run npm run demo:reset again, or restart npm start, which creates those that are missing.',
    );
  }
  print('The demo is back to its first state.');
}

/** @returns false if customers of the simulated providers are missing */
async function reset(options: {
  demo: DemoFile;
  dataDirectory: string;
  port: number;
  runsTemporal: boolean;
  ended: AbortSignal;
}): Promise<boolean> {
  const { demo, dataDirectory, port, runsTemporal, ended } = options;
  const secrets = await localSecrets(dataDirectory);
  const url = localDatabaseUrl(port, 'tollgate_app', secrets.app);
  const pool = {
    max: 2,
    applicationName: 'tollgate-demo-reset',
    log: createLogger('demo-reset', 'silent'),
  };
  const database = openDatabase(url, pool);
  const pipelined = openPipelinedPool(url, pool);
  let isComplete = false;
  try {
    const organizationId = await findDemoOrganization(database).catch((error: unknown) => {
      const message = `Postgres does not answer on port ${port} as it should: set TOLLGATE_POSTGRES_PORT as for npm start.`;
      throw new DemoNotResetError(message, { cause: error });
    });
    await resetDemo({
      demo,
      organizationId,
      adminUrl: localDatabaseUrl(port, 'postgres', secrets.postgresSuperuser),
      onBegin: () => {
        hasBegun = true;
        return markResetUnfinished(dataDirectory);
      },
      emptySimulators: () => emptySimulators(dataDirectory, ended),
      fillSandbox: async () => {
        await makeDemoPartitions(localDatabaseUrl(port, 'tollgate_migrator', secrets.migrator));
        await fillDemoSandbox({ database, pipelined }, demo.organizationId, systemClock.now());
        // The next start creates the customers of the providers that are missing.
        await markResetFinished(dataDirectory);
        if (runsTemporal) print('Subscribing its customers at the simulated providers …');
        isComplete = await showProviders({ demo, runsTemporal, print, stopped: ended });
      },
    });
  } finally {
    await Promise.all([database.destroy(), pipelined.end()]);
  }
  return isComplete;
}

listenForSignals();
run()
  .then(() => process.exit())
  .catch((error: unknown) => {
    const isExpected = error instanceof DemoNotResetError || error instanceof ConfigurationError;
    console.error(isExpected ? error.message : error);
    process.exit(1);
  });
