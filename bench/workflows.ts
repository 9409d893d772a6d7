import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { systemClock } from '../src/clock/clock';
import { openDatabase, type Database } from '../src/db/pools';
import { findFreePort } from '../src/embedded/free-port';
import { startPostgresCluster } from '../src/embedded/postgres-cluster';
import { startTemporalServer } from '../src/embedded/temporal-server';
import { operationHandlers } from '../src/service/operation-handlers';
import { createOperations, type Operations } from '../src/subscriptions/commands/operations';
import { createLogger } from '../src/telemetry/logger';
import { createTemporalClient } from '../src/temporal/client';
import { createWorkflowSignals, type WorkflowSignals } from '../src/temporal/workflow-signals';
import { createCommandSender } from '../src/temporal/command-sender';
import type { Actor, WorkspaceScope } from '../src/tenancy/scope';
import { announce, Children } from './children';
import type { Round, RoundResult } from './load';
import { onServer, seedScratch, type Scratch } from './seed';

/**
 * `npm run bench:workflows`: commands a second, and renewals that are all due in the same second, with check's
 * latency before and meanwhile in one run. Real Postgres (fsync on), real Temporal, the worker as it is deployed.
 */
const RENEWALS = Number(process.env['BENCH_RENEWALS'] ?? 2_000);
const COMMANDS = Number(process.env['BENCH_COMMANDS'] ?? 600);
const CHECK_SECONDS = Number(process.env['BENCH_CHECK_SECONDS'] ?? 8);
const COMMAND_TARGETS = Number(process.env['BENCH_COMMAND_TARGETS'] ?? 40);
const CONCURRENCY = 20;
const CHECK_CONNECTIONS = 8;

const log = createLogger('bench', 'warn');

interface Bench {
  children: Children;
  scratch: Scratch;
  admin: Client;
  scope: WorkspaceScope;
  operations: Operations;
  pokes: WorkflowSignals;
}

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
      BENCH_COMMAND_TARGETS: COMMAND_TARGETS,
      BENCH_CHECK_SECONDS: CHECK_SECONDS,
    },
    "Postgres with fsync on; Temporal's development server with journal_mode=wal, synchronous=1; one worker process",
  );
  const scratch = await seedScratch(cluster.adminUrl, RENEWALS + COMMAND_TARGETS, 0);
  const children = new Children();
  children.watch('worker', startWorker(scratch, temporal.address));
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
      pokes: createWorkflowSignals(client, systemClock),
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
  return spawn(process.execPath, [path.join(process.cwd(), 'dist', 'src', 'main', 'worker.js')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      TOLLGATE_LOG_LEVEL: 'error',
      TOLLGATE_DATABASE_WORKER_URL: scratch.url('tollgate_worker'),
      TEMPORAL_ADDRESS: temporalAddress,
      TOLLGATE_SANDBOX_URL: 'http://sandbox.bench',
      TOLLGATE_PRODUCTION_URL: 'http://production.bench',
    },
  });
}

/** Seat increases and decreases, each an idempotent command of its own through its subscription's workflow. */
async function measureCommands({ operations, scope, admin, scratch }: Bench): Promise<void> {
  await onServer(scratch.url(), [
    `UPDATE tollgate.subscriptions SET pricing = 'per_seat' WHERE id IN (${targets().join(', ')})`,
  ]);
  const send = async (turn: number, key: string = randomUUID()): Promise<number> => {
    const begun = performance.now();
    const subscriptionId = `sub_${RENEWALS + 1 + (turn % COMMAND_TARGETS)}`;
    const submitted = await operations.submit(
      operatorOf(scope),
      {
        kind: 'change',
        subscriptionId,
        targetId: subscriptionId,
        input: { seats: 2 + Math.floor(turn / COMMAND_TARGETS) },
      },
      { key, fingerprint: createHash('sha256').update(key).digest() },
    );
    if (submitted.kind !== 'answered') throw new Error('A command was not answered in time.');
    return performance.now() - begun;
  };
  // The worker comes up, and each workflow is there, before the clock runs.
  for (let turn = 0; turn < COMMAND_TARGETS; turn += 1) {
    // Under one key: the first may be answered 202 while the worker comes up, and is done all the same.
    const key = randomUUID();
    await patiently(() => send(turn, key));
  }
  const begun = performance.now();
  const times: number[] = [];
  let next = COMMAND_TARGETS;
  const caller = async (): Promise<void> => {
    for (let turn = next++; turn < COMMANDS + COMMAND_TARGETS; turn = next++) times.push(await send(turn));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, caller));
  const seconds = (performance.now() - begun) / 1_000;
  const { rows } = await admin.query<{ count: string }>(
    "SELECT count(*) FROM tollgate.subscription_transactions WHERE kind = 'proration'",
  );
  console.log(
    `commands: ${COMMANDS} at ${CONCURRENCY} at once over ${COMMAND_TARGETS} subscriptions in ${seconds.toFixed(1)} s = ${(COMMANDS / seconds).toFixed(0)}/s, p50 ${percentile(times, 50)} ms, p99 ${percentile(times, 99)} ms; transactions ${rows[0]?.count ?? '?'} of ${COMMANDS + COMMAND_TARGETS}`,
  );
}

/** Every subscription's period ends in one second, while checks go on. */
async function measureRenewals({ children, scratch, admin, scope, pokes }: Bench): Promise<void> {
  const server = children.fork('server', [scratch.appUrl]);
  const ports = await children.reply<{ service: number }>(server);
  const generator = children.fork('load');
  const check = (seconds: number): Promise<RoundResult> => {
    const round: Round = {
      url: `http://127.0.0.1:${ports.service}`,
      path: '/v1/usage/check',
      key: scratch.key,
      connections: CHECK_CONNECTIONS,
      seconds,
      customers: Math.min(1_000, RENEWALS + COMMAND_TARGETS),
    };
    generator.send(round);
    return children.reply<RoundResult>(generator);
  };
  try {
    // Room for starting the workflows and for measuring checks on their own.
    const due = Date.now() + (CHECK_SECONDS + 4) * 2_000 + RENEWALS * 20;
    await admin.query(
      `UPDATE tollgate.subscriptions SET billing_anchor = $1, current_period_end = $1, next_wake_at = $1,
              current_period_start = $1::timestamptz - interval '1 month'
        WHERE id NOT IN (${targets().join(', ')})`,
      [new Date(due)],
    );
    await eachOf(RENEWALS, (index) => pokes.subscription({ ...scope, subscriptionId: `sub_${index + 1}` }));
    await check(Math.min(2, CHECK_SECONDS));
    const before = await check(CHECK_SECONDS);
    await pause(Math.max(0, due - Date.now() - 500));
    const during = check(CHECK_SECONDS + 2);
    await untilRenewed(admin, due);
    const seconds = (Date.now() - due) / 1_000;
    const { rows } = await admin.query<{ once: string; more: string }>(
      `SELECT count(*) FILTER (WHERE n = 1) AS once, count(*) FILTER (WHERE n > 1) AS more FROM (
         SELECT count(*) AS n FROM tollgate.subscription_transactions WHERE kind = 'renewal' GROUP BY subscription_id) AS t`,
    );
    const meanwhile = await during;
    console.log(
      `renewals: ${RENEWALS} due in one second, done after ${seconds.toFixed(1)} s; renewed once ${rows[0]?.once ?? '?'}, more than once ${rows[0]?.more ?? '?'}`,
    );
    console.log(
      `check at ${CHECK_CONNECTIONS} connections: p99 ${before.p99} ms before, ${meanwhile.p99} ms meanwhile (${(before.requests / before.seconds).toFixed(0)}/s before, ${(meanwhile.requests / meanwhile.seconds).toFixed(0)}/s meanwhile, failures ${before.failures + meanwhile.failures})`,
    );
  } finally {
    for (const child of [server, generator]) children.letGo(child);
  }
}

async function untilRenewed(admin: Client, due: number): Promise<void> {
  for (;;) {
    const { rows } = await admin.query<{ left: string }>(
      'SELECT count(*) AS left FROM tollgate.subscriptions WHERE current_period_end = $1',
      [new Date(due)],
    );
    if (rows[0]?.left === '0') return;
    await pause(100);
  }
}

function targets(): string[] {
  return Array.from({ length: COMMAND_TARGETS }, (_, index) => `'sub_${RENEWALS + 1 + index}'`);
}

function operatorOf(scope: WorkspaceScope): Actor {
  const now = Date.now();
  return {
    scope,
    reason: 'OPERATOR',
    operatorId: null,
    ip: null,
    requestId: randomUUID(),
    receivedAt: now,
    now,
  };
}

async function eachOf(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, one));
}

/** The worker registers what it needs before it works: until then nothing can be started. */
async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (let failures = 0; ; failures += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (failures > 60) throw error;
      await pause(500);
    }
  }
}

function percentile(times: readonly number[], percent: number): string {
  const sorted = [...times].sort((one, other) => one - other);
  return (sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0).toFixed(0);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
