import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunningSimulators } from '../simulators/start';
import { findFreePort } from '../src/embedded/free-port';
import {
  serviceEnvironments,
  type LocalSettings,
  type ServiceEnvironments,
} from '../src/embedded/local-environment';
import { waitUntilReady } from '../src/embedded/wait-until-ready';
import { simulatorUrls } from '../src/embedded/simulators';
import { startTemporalServer } from '../src/embedded/temporal-server';
import { createTestDatabase, type TestDatabase } from '../test/support/database';
import { testSecrets } from '../test/support/service';
import { Children, type Child } from './children';

/** A process of the service. */
type ServiceProcess = 'api' | 'worker' | 'relay' | 'maintain' | 'deliver';

export interface InstallationOptions {
  /** Started in this order; a scenario may start more with {@link Installation.startProcess}. */
  processes: readonly ServiceProcess[];
  /** Whether to start a Temporal server, whose workflows survive its restarts. */
  temporal?: boolean;
  /** Further arguments of the Temporal server. */
  temporalArguments?: readonly string[];
  /**
   * The simulated providers that the processes use in place of the real ones: true for a separate process, or the URLs
   * of those that the scenario has started in its own process.
   */
  simulators?: boolean | RunningSimulators['urls'];
}

interface Urls {
  console: string;
  sandbox: string;
  production: string;
}

/** The service as it is deployed, in processes of the compiled code, with a database of its own. */
export interface Installation {
  /** For the helpers of test/support: `logIn({ database, urls })`, `createWorkspace(database)`. */
  database: TestDatabase;
  /** URLs of the first API process. */
  urls: Urls;
  /** host:port; '' without Temporal. */
  temporalAddress: string;
  /** URLs of the simulators' control and of each provider; undefined without simulators. */
  simulators: ReturnType<typeof simulatorUrls> | undefined;
  /** Returns the running process of this name that was started last. */
  readonly child: (name: ServiceProcess | 'temporal' | 'simulators') => Child;
  /**
   * Starts another process of the service, or one again, with further variables. `build` is the folder of another
   * version's compiled code.
   */
  readonly startProcess: (
    name: ServiceProcess,
    env?: Record<string, string>,
    build?: string,
  ) => Promise<{ child: Child; urls: Urls }>;
  /** Starts Temporal again with its stored state, after its child was stopped or killed. */
  readonly startTemporal: () => Promise<Child>;
  /** Rejects when a process ends unexpectedly. */
  failure: Promise<never>;
  readonly stop: () => Promise<void>;
}

const STARTUP_TIMEOUT_MS = 60_000;
/** Output folder of `npm run build`. */
export const BUILD = path.join(process.cwd(), 'dist');
const at = (port: number): string => `http://127.0.0.1:${port}`;

/** @throws Error when something does not start; whatever was started is stopped */
export async function startInstallation(options: InstallationOptions): Promise<Installation> {
  const database = await createTestDatabase();
  const directory = await mkdtemp(path.join(tmpdir(), 'tollgate-endurance-'));
  const children = new Children();
  const latest = new Map<string, Child>();
  const keep = (child: Child): Child => {
    latest.set(child.name, child);
    return child;
  };
  const { simulators = false } = options;
  const simulatorPorts = typeof simulators === 'object' ? portsOf(simulators) : await fourPorts();
  const temporalPort = await findFreePort();
  const temporalAddress = options.temporal === true ? `127.0.0.1:${temporalPort}` : '';

  const startTemporal = async (): Promise<Child> => {
    const cliPath = process.env['TEMPORAL_CLI_PATH'];
    if (cliPath === undefined) throw new Error('Set TEMPORAL_CLI_PATH, or use npm run endurance.');
    const databaseFile = path.join(directory, 'temporal.db');
    const { temporalArguments: extraArguments = [] } = options;
    const server = await startTemporalServer({ cliPath, port: temporalPort, databaseFile, extraArguments });
    return keep(children.watch('temporal', server));
  };
  const startProcess: Installation['startProcess'] = async (name, env = {}, build = BUILD) => {
    const settings = await settingsOf(directory, temporalAddress, simulatorPorts);
    const environment = withTestDatabase(
      serviceEnvironments(settings, secrets)[name],
      database,
      simulators !== false,
    );
    const all = { ...environment, ...env };
    const child = await children.start(name, {
      command: process.execPath,
      args: [path.join(build, 'src', 'main', `${name}.js`)],
      env: all,
    });
    const url = (variable: string): string => all[variable] ?? '';
    const urls = {
      console: url('TOLLGATE_CONSOLE_URL'),
      sandbox: url('TOLLGATE_SANDBOX_URL'),
      production: url('TOLLGATE_PRODUCTION_URL'),
    };
    if (name === 'api') await ready(`${at(Number(all['TOLLGATE_SANDBOX_PORT']))}/readyz`, children);
    return { child: keep(child), urls };
  };
  const stop = async (): Promise<void> => {
    await children.stopAll();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  };

  let urls: Urls = { console: '', sandbox: '', production: '' };
  try {
    if (options.temporal === true) await startTemporal();
    if (simulators === true) {
      const { a, b, c, control } = simulatorPorts;
      const main = path.join(process.cwd(), 'dist', 'simulators', 'main.js');
      const args = [main, ...[a, b, c, control].map(String)];
      keep(await children.start('simulators', { command: process.execPath, args, env: {} }));
      await ready(`${at(control)}/clock`, children);
    }
    for (const name of options.processes) {
      const started = await startProcess(name);
      if (name === 'api' && urls.console === '') urls = started.urls;
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    database,
    urls,
    temporalAddress,
    simulators: simulators !== false ? simulatorUrls(simulatorPorts) : undefined,
    child: (name) => {
      const child = latest.get(name);
      if (child === undefined) throw new Error(`There is no process ${name}.`);
      return child;
    },
    startProcess,
    startTemporal,
    failure: children.failure,
    stop,
  };
}

function portsOf({ a, b, c, control }: RunningSimulators['urls']): LocalSettings['ports']['simulators'] {
  const port = (url: string): number => Number(new URL(url).port);
  return { a: port(a), b: port(b), c: port(c), control: port(control) };
}

async function fourPorts(): Promise<LocalSettings['ports']['simulators']> {
  const [a, b, c, control] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  return { a, b, c, control };
}

/** Returns settings with separate ports for each process, so that there may be two of a kind. */
async function settingsOf(
  dataDirectory: string,
  temporalAddress: string,
  simulators: LocalSettings['ports']['simulators'],
): Promise<LocalSettings> {
  return {
    dataDirectory,
    logLevel: 'fatal',
    databasePool: 10,
    usagePool: 4,
    eventRetentionDays: 90,
    ports: {
      console: await findFreePort(),
      sandbox: await findFreePort(),
      production: await findFreePort(),
      metrics: await findFreePort(),
      postgres: 0,
      simulators,
    },
    temporal:
      temporalAddress === ''
        ? undefined
        : { environment: { TEMPORAL_ADDRESS: temporalAddress }, uiUrl: undefined },
  };
}

const secrets = {
  postgresSuperuser: '',
  migrator: '',
  app: '',
  worker: '',
  relay: '',
  deliverer: '',
  operatorPassword: '',
  apiKeyPepper: testSecrets.apiKeyPepper,
  cursorSecret: testSecrets.cursorSecret,
  credentialKeys: testSecrets.credentialKeys.keys
    .map(({ id, key }) => `${id}:${key.toString('base64url')}`)
    .join(','),
};

const DATABASE_VARIABLES = {
  TOLLGATE_DATABASE_URL: 'tollgate_app',
  TOLLGATE_DATABASE_WORKER_URL: 'tollgate_worker',
  TOLLGATE_DATABASE_RELAY_URL: 'tollgate_relay',
  TOLLGATE_DATABASE_DELIVERER_URL: 'tollgate_deliverer',
  TOLLGATE_DATABASE_MIGRATOR_URL: 'tollgate_migrator',
} as const;
const SIMULATOR_VARIABLE = /^TOLLGATE_(SIMULATOR_CONTROL|PROVIDER_[ABC])_URL$/;

function withTestDatabase(
  environment: ServiceEnvironments[ServiceProcess],
  database: TestDatabase,
  withSimulators: boolean,
): Record<string, string> {
  const entries = Object.entries(environment).flatMap(([name, value]): [string, string][] => {
    if (!withSimulators && SIMULATOR_VARIABLE.test(name)) return [];
    for (const [variable, role] of Object.entries(DATABASE_VARIABLES)) {
      if (variable === name) return [[name, database.url(role)]];
    }
    return [[name, value]];
  });
  return Object.fromEntries(entries);
}

async function ready(url: string, children: Children): Promise<void> {
  const ended = new AbortController();
  children.failure.catch((error: unknown) => {
    ended.abort(error);
  });
  if (!(await waitUntilReady(url, STARTUP_TIMEOUT_MS, ended.signal)))
    throw new Error(`${url} does not answer.`);
}
