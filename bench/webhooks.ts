import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { findFreePort } from '../src/embedded/free-port';
import { startPostgresCluster } from '../src/embedded/postgres-cluster';
import { openDatabase } from '../src/db/pools';
import { createLogger } from '../src/telemetry/logger';
import { announce, Children } from './children';
import { formatCost, startCost } from './cost';
import { percentile } from './percentile';
import type { Round, RoundResult } from './round';
import { benchSecrets, seedScratch, type Scratch } from './seed';
import { numberFrom } from './settings';
import { formatStatements, startCountingStatements, STATEMENT_SETTINGS } from './statements';
import { seedEndpoints, writeMessages, type Target } from './webhook-seed';

/**
 * `npm run bench:webhooks`: `BENCH_RATE` messages a second for `BENCH_SECONDS` to `BENCH_ENDPOINTS` endpoints in turn,
 * of which `BENCH_DEAD` are dead: half of those never answer, half refuse the connection. Prints how long messages to
 * the living ones were in transit, and the latency of check, at `BENCH_CHECKS` a second, before and during the run.
 */
const RATE = numberFrom('BENCH_RATE', 1_000, { least: 1 });
const SECONDS = numberFrom('BENCH_SECONDS', 30);
const ENDPOINTS = numberFrom('BENCH_ENDPOINTS', 100, { least: 1 });
const DEAD = numberFrom('BENCH_DEAD', 20);
const CHECKS = numberFrom('BENCH_CHECKS', 100);
/** Messages delivered earlier. */
const DELIVERED = numberFrom('BENCH_DELIVERED', 20_000);
const PROFILES = process.env['BENCH_PROFILES'];
const STATEMENTS = process.env['BENCH_STATEMENTS'] === '1';
const CUSTOMERS = 1_000;
/** How often a second messages are written: with ten endpoints to a workspace, each time for one workspace. */
const WRITES = 100;

async function main(): Promise<void> {
  const dataDirectory = mkdtempSync(path.join(tmpdir(), 'tollgate-bench-'));
  const cluster = await startPostgresCluster({
    dataDirectory,
    port: await findFreePort(),
    superuserPassword: randomBytes(8).toString('hex'),
    settings: { shared_buffers: '512MB', max_wal_size: '4GB', ...(STATEMENTS && STATEMENT_SETTINGS) },
  });
  announce(
    {
      BENCH_RATE: RATE,
      BENCH_SECONDS: SECONDS,
      BENCH_ENDPOINTS: ENDPOINTS,
      BENCH_DEAD: DEAD,
      BENCH_CHECKS: CHECKS,
      BENCH_DELIVERED: DELIVERED,
    },
    'webhooks to living and dead endpoints',
  );
  const children = new Children();
  try {
    const scratch = await seedScratch(cluster.adminUrl, CUSTOMERS, 0);
    const receiver = children.fork('webhook-receiver');
    const { port } = await children.reply<{ port: number }>(receiver);
    const closed = await findFreePort();
    const targets = await seedEndpoints(
      scratch.url(),
      { endpoints: ENDPOINTS, dead: DEAD, delivered: DELIVERED },
      (index) => {
        if (index >= DEAD) return `http://127.0.0.1:${port}/living/${index}`;
        return `http://127.0.0.1:${index % 2 === 0 ? port : closed}/dead/${index}`;
      },
    );
    const { api, check } = await startChecks(children, scratch);
    const deliver = startDeliver(children, scratch);
    await check(Math.min(3, SECONDS));
    const before = await check(SECONDS);
    if (STATEMENTS) await startCountingStatements(scratch.url());
    const cost = startCost({
      deliver: deliver.pid ?? 0,
      Postgres: cluster.pid,
      'this process, which writes,': process.pid,
      receiver: receiver.pid ?? 0,
      api: api.pid ?? 0,
    });
    const during = check(SECONDS);
    const written = await children.during(write(scratch, targets));
    const meanwhile = await during;
    const arrived = await arrivals(children, receiver, targets, written);
    console.log(formatCost('messages and checks', cost(written)));
    if (STATEMENTS) {
      const admin = new Client({ connectionString: scratch.url() });
      await admin.connect();
      console.log(await formatStatements(admin, 'messages and checks', written));
      await admin.end();
    }
    // It would wait for the dead endpoints' answers.
    children.letGo(deliver);
    deliver.kill(PROFILES === undefined ? 'SIGKILL' : 'SIGTERM');
    if (PROFILES !== undefined) await new Promise((resolve) => deliver.once('exit', resolve));
    const at = (share: number): string => percentile(arrived, share).toFixed(0);
    console.log(
      `living endpoints: ${arrived.length} messages, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`,
    );
    console.log(
      `check, ${CHECKS} a second: p99 ${before.p99.toFixed(1)} ms before, ${meanwhile.p99.toFixed(1)} ms meanwhile (p50 ${before.p50.toFixed(1)} and ${meanwhile.p50.toFixed(1)}, failures ${before.failures + meanwhile.failures})`,
    );
  } finally {
    await children.end();
    await cluster.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

async function startChecks(
  children: Children,
  scratch: Scratch,
): Promise<{ api: ChildProcess; check: (seconds: number) => Promise<RoundResult> }> {
  const server = children.fork('server', [scratch.appUrl]);
  const { service } = await children.reply<{ service: number }>(server);
  const generator = children.fork('load');
  const check = (seconds: number): Promise<RoundResult> => {
    const round: Round = {
      url: `http://127.0.0.1:${service}`,
      path: '/v1/usage/check',
      key: scratch.key,
      connections: 4,
      seconds,
      customers: CUSTOMERS,
      rate: CHECKS,
    };
    generator.send(round);
    return children.reply<RoundResult>(generator);
  };
  return { api: server, check };
}

/** Starts the process as it is deployed. */
function startDeliver(children: Children, scratch: Scratch): ChildProcess {
  const file = path.join(__dirname, '..', 'src', 'main', `deliver${path.extname(__filename)}`);
  const env = {
    PATH: process.env['PATH'] ?? '',
    TOLLGATE_DATABASE_DELIVERER_URL: scratch.url('tollgate_deliverer'),
    TOLLGATE_CREDENTIAL_KEYS: benchSecrets.credentialKeys.keys
      .map(({ id, key }) => `${id}:${key.toString('base64')}`)
      .join(','),
    TOLLGATE_WEBHOOK_LOOPBACK: 'true',
    TOLLGATE_LOG_LEVEL: 'warn',
  };
  const flags = PROFILES === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${PROFILES}`];
  return children.watch('deliver', fork(file, [], { execArgv: [...process.execArgv, ...flags], env }));
}

/** Writes messages at their rate. @returns how many */
async function write(scratch: Scratch, targets: readonly Target[]): Promise<number> {
  const log = createLogger('bench', 'warn');
  const database = openDatabase(scratch.appUrl, { max: 4, applicationName: 'tollgate-bench-writer', log });
  const begun = performance.now();
  let written = 0;
  for (let turn = 0; turn < SECONDS * WRITES; turn += 1) {
    const due = Math.round((RATE * (turn + 1)) / WRITES);
    await writeMessages(database, targets, written, due - written);
    written = due;
    await pause(Math.max(0, begun + ((turn + 1) * 1_000) / WRITES - performance.now()));
  }
  await database.destroy();
  const seconds = (performance.now() - begun) / 1_000;
  console.log(`${written} messages written in ${seconds.toFixed(1)} s = ${(written / seconds).toFixed(0)}/s`);
  return written;
}

/** Waits until all messages to living endpoints have arrived. */
async function arrivals(
  children: Children,
  receiver: ChildProcess,
  targets: readonly Target[],
  written: number,
): Promise<number[]> {
  const isLiving = (n: number): boolean => targets[n % targets.length]?.isLiving === true;
  const expected = Array.from({ length: written }, (_, n) => n).filter(isLiving).length;
  const arrived: number[] = [];
  while (arrived.length < expected) {
    receiver.send('latencies');
    const { latencies } = await children.reply<{ latencies: number[] }>(receiver);
    for (const latency of latencies) arrived.push(latency);
    await pause(100);
  }
  return arrived;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
