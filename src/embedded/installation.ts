import path from 'node:path';
import { startupBanner } from './startup-banner';
import type { RunningProcess } from './child-process';
import { ensureDatabase, startPostgresCluster } from './postgres-cluster';
import { ensureDirectory } from './data-directory';
import { clearUnfinishedDemo } from './demo/clear-unfinished-demo';
import { readDemoFile } from './demo/demo-file';
import { simulatorAccounts } from './demo/simulator-accounts';
import { showProvidersUnlessReset } from './demo/show-providers';
import { DATABASE, localDatabaseUrl, serviceEnvironments, type LocalSettings } from './local-environment';
import { logFile, readableLine } from './log-lines';
import { postgresLocation } from './postgres-account';
import { waitUntilReady } from './wait-until-ready';
import { latestSandboxTime } from './sandbox-time';
import { localSecrets } from './secrets';
import { runEntry, startEntry, type Entry } from './service-entries';
import { followSandbox, startSimulators, simulatorsState } from './simulators';
import type { Supervisor } from './supervisor';
import { startTemporalServer } from './temporal-server';

export interface InstallationOptions {
  settings: LocalSettings;
  /** The Temporal server to run; undefined when none is available, or an external one is used. */
  temporalServer: { cliPath: string; port: number; uiPort: number } | undefined;
  supervisor: Supervisor;
  /** Writes a message to the terminal. */
  print: (message: string) => void;
  /** Ends the start early. */
  stopped: AbortSignal;
}

/** How long a process may take to finish its work after SIGTERM. */
const GRACE_MS = 15_000;

/**
 * Starts the servers, migrates the schema, creates missing demo data, and starts the service's processes. Each is added
 * to the supervisor, which stops them in the reverse order.
 *
 * @throws Error of the first one that does not start, or the reason of `stopped`
 */
export async function startInstallation(options: InstallationOptions): Promise<void> {
  const { settings, temporalServer, supervisor, print, stopped } = options;
  const { dataDirectory, ports } = settings;
  const secrets = await localSecrets(dataDirectory);
  const environments = serviceEnvironments(settings, secrets);
  const log = (name: string) => (line: string) => {
    print(readableLine(name, line));
  };
  const once = async (entry: 'migrate' | 'demo'): Promise<void> =>
    runEntry(entry, { env: environments[entry], log: log(entry), grace: GRACE_MS, stopped });
  const keep = async (entry: Entry): Promise<void> =>
    supervisor.add({
      name: entry,
      start: () => startEntry(entry, { env: environments[entry], log: log(entry), grace: GRACE_MS }),
    });

  const databaseUrl = localDatabaseUrl(ports.postgres, 'postgres', secrets.postgresSuperuser);
  const logs = path.join(dataDirectory, 'logs');
  await ensureDirectory(logs);
  const cluster = {
    dataDirectory: await postgresLocation(dataDirectory),
    port: ports.postgres,
    superuserPassword: secrets.postgresSuperuser,
    log: logFile(path.join(logs, 'postgres.log')),
    stopped,
  };
  let adminUrl = '';
  const startPostgres = async (): Promise<RunningProcess> => {
    const running = await startPostgresCluster(cluster);
    adminUrl = running.adminUrl;
    return running;
  };
  const makeData = async (): Promise<void> => {
    print(`Starting Postgres (${cluster.dataDirectory}) …`);
    await supervisor.add({ name: 'postgres', start: startPostgres });
    stopped.throwIfAborted();
    await ensureDatabase(adminUrl, DATABASE);
    await once('migrate');
    stopped.throwIfAborted();
    await clearUnfinishedDemo(databaseUrl);
    await once('demo');
  };
  const makeTemporal = async (): Promise<void> => {
    if (temporalServer === undefined) return;
    const file = path.join(dataDirectory, 'temporal.db');
    const own = { databaseFile: file, log: logFile(path.join(logs, 'temporal.log')), stopped };
    const temporal = { ...temporalServer, ...own };
    print('Starting Temporal …');
    await supervisor.add({ name: 'temporal', start: () => startTemporalServer(temporal) });
  };
  // Both complete before a failure of either is reported, so that whatever was started can be stopped in order.
  const servers = await Promise.allSettled([makeData(), makeTemporal()]);
  const failed = servers.find((server) => server.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  stopped.throwIfAborted();

  const demo = await readDemoFile(dataDirectory);
  if (demo === undefined) throw new Error(`The demo data left no readable demo.json in ${dataDirectory}.`);
  const simulators = {
    ports: ports.simulators,
    accounts: simulatorAccounts(demo.connections, demo.sandboxBaseUrl),
    stateFile: simulatorsState(dataDirectory),
    sandboxNow: () => latestSandboxTime(adminUrl, DATABASE),
    log: logFile(path.join(logs, 'simulators.log')),
    grace: GRACE_MS,
    stopped,
  };
  await supervisor.add({ name: 'simulators', start: () => startSimulators(simulators) });
  await keep('maintain');
  if (settings.temporal !== undefined) {
    await keep('relay');
    await keep('worker');
  }
  await keep('deliver');
  const isReady = (): Promise<boolean> =>
    waitUntilReady(`http://127.0.0.1:${ports.sandbox}/readyz`, 60_000, stopped);
  const lead = async (): Promise<void> => {
    try {
      // The simulators send their webhooks to the API.
      if (await isReady()) await followSandbox(simulators);
    } catch (error) {
      if (!stopped.aborted) print(`The simulators did not follow the sandbox’s clock (${String(error)})`);
    }
  };
  await supervisor.add({
    name: 'api',
    start: async () => {
      const running = await startEntry('api', { env: environments.api, log: log('api'), grace: GRACE_MS });
      void lead();
      return running;
    },
  });
  const ready = await isReady();
  if (!ready) print('The API is not ready yet; what it printed is above.');
  print(startupBanner(demo, dataDirectory));
  // Last, because everything above is useful without it.
  if (ready) {
    const runsTemporal = settings.temporal !== undefined;
    await showProvidersUnlessReset({
      demo,
      adminUrl: databaseUrl,
      dataDirectory,
      runsTemporal,
      print,
      stopped,
    });
  }
  stopped.throwIfAborted();
}
