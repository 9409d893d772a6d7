import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '../src/embedded/free-port';
import { startPostgresCluster } from '../src/embedded/postgres-cluster';
import { announce } from './children';
import { headings, lineOf, rateOf, type Measurement } from './measurement';
import { seedScratch, type Scratch } from './seed';
import { namesFrom, numberFrom, numbersFrom } from './settings';
import { startUnderMeasurement, type Load, type UnderMeasurement } from './under-measurement';

/**
 * `npm run bench`: check and track next to two yardsticks, bare Koa and the same HTTP stack answering at once, on a
 * scratch database, with the load from a separate process. All loads take turns in short slices, so that other work of
 * the machine affects all alike. `--large` repeats check and spread track on a million customers with ten million usage
 * events. Durations belong here and in notes, never in tests.
 */
const SECONDS = numberFrom('BENCH_SECONDS', 8);
/** Number of slices into which each load's seconds are divided. */
const SLICES = numberFrom('BENCH_SLICES', 4, { least: 1 });
const WARM_UP_SECONDS = numberFrom('BENCH_WARM_UP_SECONDS', 2);
const CUSTOMERS = 1_000;
const CONNECTIONS = numbersFrom('BENCH_CONNECTIONS', [1, 32, 128]);

const BARE_KOA: Load = { name: 'bare Koa', target: 'bareKoa', path: '/', customers: CUSTOMERS };
const SAME_STACK: Load = {
  name: 'the stack alone',
  target: 'stack',
  path: '/v1/usage/check',
  customers: CUSTOMERS,
};
const TRACK: Load = {
  name: 'track, 1,000 customers',
  target: 'service',
  path: '/v1/usage/track',
  customers: CUSTOMERS,
};
/** By one caller, one at a time; each event counts as a request. */
const BATCHES: Load = {
  name: 'batches of 1,000, by event',
  target: 'service',
  path: '/v1/usage/batch',
  customers: CUSTOMERS,
  events: 1_000,
  connections: 1,
};
const LOADS: readonly Load[] = [
  { name: 'check', target: 'service', path: '/v1/usage/check', customers: CUSTOMERS },
  TRACK,
  { name: 'track, one hot customer', target: 'service', path: '/v1/usage/track', customers: 1 },
  BATCHES,
  { ...TRACK, name: 'track beside batches', beside: { ...BATCHES, connections: 2 } },
];
/** Names of loads, to run only these (the yardsticks always run). */
const ONLY = namesFrom(
  'BENCH_ONLY',
  LOADS.map(({ name }) => name),
);

/** Measures the loads at each number of connections, prints a line for each, and returns them all. */
async function measure(
  scratch: Scratch,
  postgresPid: number,
  loads: readonly Load[],
): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  const tested = await startUnderMeasurement(scratch, postgresPid);
  try {
    console.log(headings());
    for (const connections of CONNECTIONS) measured.push(...(await table(tested, connections, loads)));
  } finally {
    tested.letGo();
  }
  return measured;
}

async function table(
  tested: UnderMeasurement,
  connections: number,
  loads: readonly Load[],
): Promise<Measurement[]> {
  const times = { seconds: SECONDS, slices: SLICES, warmUpSeconds: WARM_UP_SECONDS };
  const all = await tested.inTurns([BARE_KOA, SAME_STACK, ...loads], connections, times);
  const [bareKoa, sameStack] = all;
  if (bareKoa === undefined || sameStack === undefined) throw new Error('The yardsticks were not measured.');
  for (const one of all) console.log(lineOf(one, bareKoa, sameStack));
  return all;
}

/** Prints the cost of a call with many rows over that with few, each in units of its run's stack alone. */
function compare(few: readonly Measurement[], many: readonly Measurement[], loads: readonly Load[]): void {
  console.log('\ncost at 1,000,000 customers over cost at 1,000 (each over the stack alone)');
  for (const connections of CONNECTIONS) {
    for (const { name } of loads) {
      const share = (of: readonly Measurement[]): number => {
        const rate = (load: string): number => {
          const found = of.find((one) => one.name === load && one.connections === connections);
          return found === undefined ? Number.NaN : rateOf(found);
        };
        return rate(name) / rate(SAME_STACK.name);
      };
      console.log(`${connections} ${name}: ${(share(few) / share(many)).toFixed(2)}`);
    }
  }
}

async function main(): Promise<void> {
  const dataDirectory = mkdtempSync(path.join(tmpdir(), 'tollgate-bench-'));
  const cluster = await startPostgresCluster({
    dataDirectory,
    port: await findFreePort(),
    superuserPassword: 'bench-superuser',
    settings: { shared_buffers: '1GB', max_wal_size: '4GB' },
  });
  announce(
    {
      BENCH_SECONDS: SECONDS,
      BENCH_SLICES: SLICES,
      BENCH_WARM_UP_SECONDS: WARM_UP_SECONDS,
      BENCH_CONNECTIONS: CONNECTIONS.join(),
    },
    'Postgres with fsync on',
  );
  try {
    const small = await seedScratch(cluster.adminUrl, CUSTOMERS, 0);
    const chosen = LOADS.filter(({ name }) => ONLY.includes(name));
    const few = await measure(small, cluster.pid, chosen);
    await small.drop();
    if (!process.argv.includes('--large')) return;
    console.log(
      '\n1,000,000 customers and 10,000,000 usage events; calls spread over 1,000 of the customers',
    );
    const large = await seedScratch(cluster.adminUrl, 1_000_000, 10_000_000);
    const spread = LOADS.filter((load) => load.customers > 1).map((load) => ({
      ...load,
      customers: 1_000_000,
    }));
    compare(few, await measure(large, cluster.pid, spread), spread);
    await large.drop();
  } finally {
    await cluster.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
