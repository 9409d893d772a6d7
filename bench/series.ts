import { randomUUID } from 'node:crypto';
import { openDatabase } from '../src/db/pools';
import { createLogger } from '../src/telemetry/logger';
import { rollUpUsage } from '../src/usage-history/roll-up';
import { announce, Children } from './children';
import { cpuOfTree } from './cpu';
import { ListCaller } from './list-caller';
import { makeOperator } from './list-seed';
import { percentile } from './percentile';
import type { Scratch } from './seed';
import { SERIES } from './series-calls';
import { openSeriesData } from './series-data';
import { seedMoreUses, seedUses } from './series-seed';
import { numberFrom } from './settings';

/**
 * `npm run bench:series`: usage over time in a workspace with `BENCH_USES` uses of one month by `BENCH_CUSTOMERS`
 * customers, one caller, calls in turns (`BENCH_TURNS`), while one application tracks and usage is rolled up. Also
 * prints what rolling up costs per use: all at once, and as uses arrive. `BENCH_DATA` names a folder that keeps the
 * uses for later runs.
 */
const USES = numberFrom('BENCH_USES', 10_000_000, { least: 1 });
const CUSTOMERS = numberFrom('BENCH_CUSTOMERS', 10_000, { least: 1 });
const TURNS = numberFrom('BENCH_TURNS', 40, { least: 1 });
/** Roll-up rounds, and the uses between two of them: 20 a second. */
const ROUNDS = numberFrom('BENCH_ROUNDS', 20);
const USES_A_ROUND = 300;
/** Uses of 15 seconds at 4,000 a second. */
const BUSY = Math.min(60_000, USES);

async function main(): Promise<void> {
  const data = await openSeriesData(process.env['BENCH_DATA'], { uses: USES, customers: CUSTOMERS });
  const { cluster, scratch } = data;
  announce(
    { BENCH_USES: USES, BENCH_CUSTOMERS: CUSTOMERS, BENCH_TURNS: TURNS, BENCH_ROUNDS: ROUNDS },
    'series of a month, one caller',
  );
  const children = new Children();
  const log = createLogger('bench', 'warn');
  try {
    if (!data.isKept) {
      const begun = performance.now();
      await seedUses(scratch, USES, CUSTOMERS);
      console.log(`${USES} uses generated in ${seconds(begun)} s`);
    }
    const database = openDatabase(scratch.url('tollgate_worker'), {
      max: 2,
      applicationName: 'bench-roll',
      log,
    });
    const rollUp = async (): Promise<undefined> => {
      await rollUpUsage(database, log);
      return undefined;
    };
    const postgresCpu = (): number => cpuOfTree(cluster.pid);
    if (!data.isKept) await costOf(`rolled up at once`, USES, postgresCpu, rollUp);
    data.keep();
    await costOf(`a busy round (${BUSY} of 1,000 customers)`, BUSY, postgresCpu, async () => {
      await seedMoreUses(scratch, `busy${process.pid}`, BUSY, Math.min(1_000, CUSTOMERS));
      const before = postgresCpu();
      await rollUp();
      return postgresCpu() - before;
    });
    await costOf(`as they come (${USES_A_ROUND} a round)`, ROUNDS * USES_A_ROUND, postgresCpu, async () => {
      let spent = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        await seedMoreUses(scratch, `more${process.pid}-${round}`, USES_A_ROUND, CUSTOMERS);
        const before = postgresCpu();
        await rollUp();
        spent += postgresCpu() - before;
      }
      return spent;
    });
    const operator = await makeOperator(scratch);
    const server = children.fork('server', [scratch.appUrl]);
    const ports = await children.reply<{ console: number; service: number }>(server);
    const caller = await ListCaller.logIn(`http://127.0.0.1:${ports.console}`, operator, scratch.workspaceId);
    const ended = new AbortController();
    const tracking = track(`http://127.0.0.1:${ports.service}`, scratch, ended.signal);
    const rolling = every(5_000, rollUp, ended.signal);
    await children.during(measure(caller));
    ended.abort();
    const tracks = await tracking;
    await rolling;
    const at = (share: number): string => percentile(tracks, share).toFixed(1);
    console.log(`meanwhile ${tracks.length} tracks, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`);
    await database.destroy();
  } finally {
    await children.end();
    await data.close();
  }
}

async function measure(caller: ListCaller): Promise<void> {
  const times = new Map<string, number[]>(SERIES.map(({ name }) => [name, []]));
  // The first turn fills caches, and is not counted.
  for (let turn = 0; turn <= TURNS; turn += 1) {
    for (const { name, query } of SERIES) {
      const taken = await caller.readPages('/api/billing/usage/series', query, 1);
      if (turn > 0) times.get(name)?.push(...taken);
    }
  }
  console.log(['series'.padEnd(46), 'calls', 'p50 ms', 'p95 ms'].join('  '));
  for (const [name, taken] of times) {
    const at = (share: number): string => percentile(taken, share).toFixed(1).padStart(6);
    console.log([name.padEnd(46), String(taken.length).padStart(5), at(0.5), at(0.95)].join('  '));
  }
}

/** Makes an application's tracks, one at a time with a pause, and returns the milliseconds of each. */
async function track(url: string, { key }: Scratch, signal: AbortSignal): Promise<number[]> {
  const taken: number[] = [];
  await every(
    50,
    async () => {
      const begun = performance.now();
      const answer = await fetch(`${url}/v1/usage/track`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': randomUUID(),
        },
        body: JSON.stringify({
          externalId: `c${1 + (taken.length % CUSTOMERS)}`,
          feature: 'ai_tokens',
          quantity: 1,
        }),
      });
      await answer.text();
      if (answer.status !== 200) throw new Error(`A track was answered ${answer.status}.`);
      taken.push(performance.now() - begun);
    },
    signal,
  );
  return taken;
}

async function every(milliseconds: number, work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await work();
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }
}

/** @param work returns the CPU milliseconds it spent, if that is not all that Postgres did in the meantime */
async function costOf(
  what: string,
  uses: number,
  cpu: () => number,
  work: () => Promise<number | undefined>,
): Promise<void> {
  const [begun, before] = [performance.now(), cpu()];
  const spent = (await work()) ?? cpu() - before;
  const each = ((spent * 1_000) / uses).toFixed(1);
  console.log(`${what}: ${seconds(begun)} s, ${each} µs of Postgres' CPU a use`);
}

function seconds(begun: number): string {
  return ((performance.now() - begun) / 1_000).toFixed(1);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
