import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { systemClock } from '../src/clock/system-clock';
import { openDatabase, type Database } from '../src/db/pools';
import { findFreePort } from '../src/embedded/free-port';
import { startPostgresCluster } from '../src/embedded/postgres-cluster';
import { startTemporalServer } from '../src/embedded/temporal-server';
import { operationHandlers } from '../src/service/operation-handlers';
import { createOperations, type Operations } from '../src/subscriptions/commands/operation-service';
import { createLogger } from '../src/telemetry/logger';
import { createTemporalClient } from '../src/temporal/client';
import { createWorkflowSignals } from '../src/temporal/workflow-signals';
import { createCommandSender } from '../src/temporal/command-sender';
import { announce, Children } from './children';
import { numberFrom } from './settings';
import type { Bench } from './workflow-bench';
import { measureCommands } from './workflow-commands';
import { measureRenewals } from './workflow-renewals';
import { seedScratch, type Scratch } from './seed';
import { STATEMENT_SETTINGS } from './statements';

/**
 * `npm run bench:workflows`: commands a second, one caller's latency, and renewals that are all due in the same second,
 * with check's latency before and during them; for each, the CPU by process, and Temporal's events and actions. Real
 * Postgres (fsync on), real Temporal, the worker as it is deployed.
 */
const RENEWALS = numberFrom('BENCH_RENEWALS', 2_000);
const COMMANDS = numberFrom('BENCH_COMMANDS', 600);
const ALONE = numberFrom('BENCH_COMMANDS_ALONE', 100);
const CHECK_SECONDS = numberFrom('BENCH_CHECK_SECONDS', 8);
const TARGETS = numberFrom('BENCH_COMMAND_TARGETS', 40, { least: 1 });
/** The window over which renewals at the same instant are spread; none unless set. */
const SPREAD_SECONDS = numberFrom('BENCH_RENEWAL_SPREAD_SECONDS', 0);
/** Lists the statements that Postgres receives. Counting them costs a little itself. */
const STATEMENTS = process.env['BENCH_STATEMENTS'] === '1';
/** A folder for CPU profiles of the worker. */
const PROFILES = process.env['BENCH_PROFILES'];

const log = createLogger('bench', 'warn');

async function main(): Promise<void> {
  const cliPath = process.env['TEMPORAL_CLI_PATH'];
  if (cliPath === undefined)
    throw new Error('Set TEMPORAL_CLI_PATH, or run this with npm run bench:workflows.');
  const [dataDirectory, directory] = ['postgres', 'temporal'].map((name) =>
    mkdtempSync(path.join(tmpdir(), `tollgate-bench-${name}-`)),
  ) as [string, string];
  const cluster = await startPostgresCluster({
    dataDirectory,
    port: await findFreePort(),
    superuserPassword: 'bench-superuser',
    ...(STATEMENTS && { settings: STATEMENT_SETTINGS }),
  });
  const temporal = await startTemporalServer({
    cliPath,
    port: await findFreePort(),
    databaseFile: path.join(directory, 'temporal.db'),
  });
  announce(
    {
      BENCH_RENEWALS: RENEWALS,
      BENCH_COMMANDS: COMMANDS,
      BENCH_COMMANDS_ALONE: ALONE,
      BENCH_COMMAND_TARGETS: TARGETS,
      BENCH_CHECK_SECONDS: CHECK_SECONDS,
      BENCH_RENEWAL_SPREAD_SECONDS: SPREAD_SECONDS,
    },
    "Postgres with fsync on; Temporal's development server with journal_mode=wal, synchronous=1; one worker process",
  );
  const scratch = await seedScratch(cluster.adminUrl, RENEWALS + TARGETS, 0);
  const children = new Children();
  const worker = children.watch('worker', startWorker(scratch, temporal.address));
  const database = openDatabase(scratch.appUrl, { max: 20, applicationName: 'tollgate-bench', log });
  const client = createTemporalClient({ address: temporal.address, namespace: 'default' });
  const admin = new Client({ connectionString: scratch.url() });
  await admin.connect();
  try {
    const bench: Bench = {
      children,
      scratch,
      admin,
      scope: { workspaceId: scratch.workspaceId, environment: 'production' },
      operations: operationsOver(database, client),
      signals: createWorkflowSignals(client, systemClock),
      client,
      pids: { postgres: cluster.pid, worker: worker.pid ?? 0, temporal: temporal.pid },
      renewals: RENEWALS,
      commands: COMMANDS,
      alone: ALONE,
      targets: Array.from({ length: TARGETS }, (_, index) => `sub_${RENEWALS + 1 + index}`),
      checkSeconds: CHECK_SECONDS,
      countsStatements: STATEMENTS,
    };
    await children.during(measure(bench));
  } finally {
    await children.end();
    await client.connection.close();
    await Promise.all([admin.end(), database.destroy()]);
    await temporal.stop();
    await cluster.stop();
    for (const one of [dataDirectory, directory]) rmSync(one, { recursive: true, force: true });
  }
}

async function measure(bench: Bench): Promise<void> {
  await measureCommands(bench);
  await measureRenewals(bench);
}

function operationsOver(database: Database, client: ReturnType<typeof createTemporalClient>): Operations {
  const commands = createCommandSender(client, systemClock);
  return createOperations({ database, clock: systemClock, commands, handlers: operationHandlers });
}

function startWorker(scratch: Scratch, temporalAddress: string): ChildProcess {
  const flags = PROFILES === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${PROFILES}`];
  const entry = path.join(process.cwd(), 'dist', 'src', 'main', 'worker.js');
  return spawn(process.execPath, [...flags, entry], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      TOLLGATE_LOG_LEVEL: 'error',
      TOLLGATE_DATABASE_WORKER_URL: scratch.url('tollgate_worker'),
      TEMPORAL_ADDRESS: temporalAddress,
      TOLLGATE_SANDBOX_URL: 'http://sandbox.bench',
      TOLLGATE_PRODUCTION_URL: 'http://production.bench',
      TOLLGATE_RENEWAL_SPREAD_SECONDS: String(SPREAD_SECONDS),
    },
  });
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
