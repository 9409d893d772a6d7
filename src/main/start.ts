import path from 'node:path';
import { readConfig, readTogether } from '../config/read-config';
import { ConfigurationError } from '../config/configuration-error';
import { readTemporalEndpoint, temporalVariables } from '../config/temporal-endpoint';
import {
  DirectoryInUseError,
  DirectoryUnusableError,
  lockDataDirectory,
  toFileSystemError,
} from '../embedded/data-directory';
import { PortForbiddenError, PortTakenError } from '../embedded/free-port';
import { startInstallation } from '../embedded/installation';
import type { LocalSettings } from '../embedded/local-environment';
import { assertPortsFree, PortSettingError, type WantedPort } from '../embedded/ports';
import { StartError } from '../embedded/start-error';
import { Supervisor } from '../embedded/supervisor';
import { warnOfUnknownSettings } from './warn-of-unknown-settings';

/**
 * `npm start`: runs the whole service on this machine. Its script (scripts/start.mjs) has installed and built what is
 * needed. Ctrl-C or SIGTERM stops everything in order; a second one does not wait.
 */
const stop = new AbortController();
const hurry = new AbortController();

/** npm forwards the terminal's signal, so one Ctrl-C arrives twice. A second Ctrl-C comes later than this. */
const SAME_KEYSTROKE = 500;

const print = (message: string): void => {
  console.log(message);
};

function listenForSignals(): void {
  let first: number | undefined;
  const onSignal = (): void => {
    if (first === undefined) {
      first = performance.now();
      print('\nStopping; Ctrl-C again stops without waiting …');
      stop.abort();
    } else if (performance.now() - first > SAME_KEYSTROKE) {
      hurry.abort();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
}

function configuration() {
  return readConfig([
    'TOLLGATE_DATA_DIR',
    'TOLLGATE_LOG_LEVEL',
    'TOLLGATE_DATABASE_POOL',
    'TOLLGATE_USAGE_POOL',
    'TOLLGATE_EVENT_RETENTION_DAYS',
    'TOLLGATE_CONSOLE_PORT',
    'TOLLGATE_SANDBOX_PORT',
    'TOLLGATE_PRODUCTION_PORT',
    'TOLLGATE_METRICS_PORT',
    'TOLLGATE_POSTGRES_PORT',
    'TOLLGATE_TEMPORAL_PORT',
    'TOLLGATE_TEMPORAL_UI_PORT',
    'TOLLGATE_TEMPORAL_UI_URL',
    'TOLLGATE_SIMULATOR_A_PORT',
    'TOLLGATE_SIMULATOR_B_PORT',
    'TOLLGATE_SIMULATOR_C_PORT',
    'TOLLGATE_SIMULATOR_CONTROL_PORT',
    'TEMPORAL_CLI_PATH',
  ]);
}
type Configuration = ReturnType<typeof configuration>;

/** Uses an external server if one is configured, otherwise runs one if the program is available, otherwise none. */
function temporalOf(config: Configuration, hasExternal: boolean) {
  const { TEMPORAL_CLI_PATH: cliPath } = config;
  if (hasExternal) {
    const client = { environment: temporalVariables(), uiUrl: config.TOLLGATE_TEMPORAL_UI_URL };
    return { client, server: undefined };
  }
  if (cliPath === undefined) return { client: undefined, server: undefined };
  const server = { cliPath, port: config.TOLLGATE_TEMPORAL_PORT, uiPort: config.TOLLGATE_TEMPORAL_UI_PORT };
  const uiUrl = `http://127.0.0.1:${server.uiPort}`;
  return { client: { environment: { TEMPORAL_ADDRESS: `127.0.0.1:${server.port}` }, uiUrl }, server };
}

function wantedPorts(config: Configuration, runsTemporal: boolean): WantedPort[] {
  const wanted = (
    variable: keyof Configuration & `TOLLGATE_${string}_PORT`,
    what: string,
    isHttp = true,
  ): WantedPort => ({ variable, port: config[variable], what, isHttp });
  return [
    wanted('TOLLGATE_CONSOLE_PORT', 'the console'),
    wanted('TOLLGATE_SANDBOX_PORT', 'the sandbox API'),
    wanted('TOLLGATE_PRODUCTION_PORT', 'the production API'),
    wanted('TOLLGATE_METRICS_PORT', 'metrics'),
    wanted('TOLLGATE_POSTGRES_PORT', 'Postgres', false),
    wanted('TOLLGATE_SIMULATOR_A_PORT', 'simulated provider A'),
    wanted('TOLLGATE_SIMULATOR_B_PORT', 'simulated provider B'),
    wanted('TOLLGATE_SIMULATOR_C_PORT', 'simulated provider C'),
    wanted('TOLLGATE_SIMULATOR_CONTROL_PORT', "the simulators' control"),
    ...(runsTemporal
      ? [
          wanted('TOLLGATE_TEMPORAL_PORT', 'Temporal', false),
          wanted('TOLLGATE_TEMPORAL_UI_PORT', "Temporal's web page"),
        ]
      : []),
  ];
}

async function run(): Promise<void> {
  warnOfUnknownSettings('start');
  const { config, endpoint } = readTogether({
    config: configuration,
    endpoint: () => readTemporalEndpoint(),
  });
  const temporal = temporalOf(config, endpoint !== undefined);
  const settings: LocalSettings = {
    dataDirectory: path.resolve(config.TOLLGATE_DATA_DIR),
    logLevel: config.TOLLGATE_LOG_LEVEL,
    databasePool: config.TOLLGATE_DATABASE_POOL,
    usagePool: config.TOLLGATE_USAGE_POOL,
    eventRetentionDays: config.TOLLGATE_EVENT_RETENTION_DAYS,
    ports: {
      console: config.TOLLGATE_CONSOLE_PORT,
      sandbox: config.TOLLGATE_SANDBOX_PORT,
      production: config.TOLLGATE_PRODUCTION_PORT,
      metrics: config.TOLLGATE_METRICS_PORT,
      postgres: config.TOLLGATE_POSTGRES_PORT,
      simulators: {
        a: config.TOLLGATE_SIMULATOR_A_PORT,
        b: config.TOLLGATE_SIMULATOR_B_PORT,
        c: config.TOLLGATE_SIMULATOR_C_PORT,
        control: config.TOLLGATE_SIMULATOR_CONTROL_PORT,
      },
    },
    temporal: temporal.client,
  };
  const directory = await lockDataDirectory(settings.dataDirectory, print);
  const supervisor = new Supervisor({ print, onChange: (processes) => directory.record(processes) });
  try {
    await assertPortsFree(wantedPorts(config, temporal.server !== undefined));
    await startInstallation({
      settings,
      temporalServer: temporal.server,
      supervisor,
      print,
      stopped: stop.signal,
    });
    await new Promise((resolve) => {
      stop.signal.addEventListener('abort', resolve);
    });
  } catch (error) {
    throw toFileSystemError(directory.path, error);
  } finally {
    await supervisor.stop(hurry.signal);
    await directory.release();
  }
}

/** Prints an error, without its stack if the user can fix it. */
function report(error: unknown): void {
  const known = [
    ConfigurationError,
    DirectoryInUseError,
    DirectoryUnusableError,
    PortTakenError,
    PortForbiddenError,
    PortSettingError,
    StartError,
  ];
  const isKnown = error instanceof Error && known.some((kind) => error instanceof kind);
  console.error(isKnown ? `\n${error.message}` : error);
}

// The reader of the output may end before everything has stopped in order: a terminal that is closed, or `tee`, which
// ends on the same Ctrl-C.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
listenForSignals();
run()
  .catch((error: unknown) => {
    if (stop.signal.aborted) return;
    report(error);
    process.exitCode = 1;
  })
  .finally(() => {
    if (process.exitCode === undefined) print('Stopped.');
    process.exit();
  });
