import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '../src/embedded/free-port';
import { startPostgresCluster } from '../src/embedded/postgres-cluster';
import { announce, Children } from './children';
import { cpuOfTree } from './cpu';
import type { Round, RoundResult } from './load';
import { seedScratch, type Scratch } from './seed';

/**
 * `npm run bench`: check and track against the limit of the same HTTP stack, side by side in one run on a
 * scratch database, the load from a process of its own. `--large` repeats check and spread track on a million
 * customers with ten million usage events. Durations stand here and in notes, never in tests.
 */
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 8);
const WARM_UP_SECONDS = Number(process.env['BENCH_WARM_UP_SECONDS'] ?? 2);
/** Names of loads, to run only these (the limit always runs). */
const ONLY = process.env['BENCH_ONLY'];
const CUSTOMERS = 1_000;
const CONNECTIONS = (process.env['BENCH_CONNECTIONS'] ?? '1,32,128').split(',').map(Number);

interface Load {
  name: string;
  target: 'limit' | 'service';
  path: string;
  customers: number;
}

const LOADS: readonly Load[] = [
  { name: 'limit', target: 'limit', path: '/v1/usage/check', customers: CUSTOMERS },
  { name: 'check', target: 'service', path: '/v1/usage/check', customers: CUSTOMERS },
  {
    name: 'track, 1,000 customers',
    target: 'service',
    path: '/v1/usage/track',
    customers: CUSTOMERS,
  },
  { name: 'track, one hot customer', target: 'service', path: '/v1/usage/track', customers: 1 },
];

async function measure(
  scratch: Scratch,
  postgresPid: number,
  loads: readonly Load[],
  customersOf: (load: Load) => number,
): Promise<Map<string, number>> {
  const children = new Children();
  const server = children.fork('server', [scratch.appUrl]);
  const ports = await children.reply<{ service: number; limit: number }>(server);
  const generator = children.fork('load');
  const serverPid = server.pid ?? 0;
  const rates = new Map<string, number>();
  try {
    console.log(
      'connections  load                       requests/s   ratio    p50 ms   p99 ms   CPU ms a request: service + Postgres   failures',
    );
    for (const connections of CONNECTIONS) {
      let limit = 0;
      for (const load of loads) {
        const round: Round = {
          url: `http://127.0.0.1:${ports[load.target]}`,
          path: load.path,
          key: scratch.key,
          connections,
          seconds: SECONDS,
          customers: customersOf(load),
        };
        generator.send({ ...round, seconds: WARM_UP_SECONDS });
        await children.reply<RoundResult>(generator);
        const before = { service: cpuOfTree(serverPid), postgres: cpuOfTree(postgresPid) };
        generator.send(round);
        const result = await children.reply<RoundResult>(generator);
        const service = (cpuOfTree(serverPid) - before.service) / result.requests;
        const postgres = (cpuOfTree(postgresPid) - before.postgres) / result.requests;
        const rate = result.requests / result.seconds;
        if (load.target === 'limit') limit = rate;
        rates.set(`${connections} ${load.name}`, rate);
        console.log(
          [
            String(connections).padStart(11),
            load.name.padEnd(25),
            rate.toFixed(0).padStart(11),
            limit === 0 ? '       ' : (rate / limit).toFixed(2).padStart(7),
            String(result.p50).padStart(9),
            String(result.p99).padStart(8),
            `${(service + postgres).toFixed(3)} = ${service.toFixed(3)} + ${postgres.toFixed(3)}`.padStart(
              38,
            ),
            String(result.failures).padStart(10),
          ].join('  '),
        );
      }
    }
  } finally {
    for (const child of [server, generator]) children.letGo(child);
  }
  return rates;
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
      BENCH_WARM_UP_SECONDS: WARM_UP_SECONDS,
      BENCH_CONNECTIONS: CONNECTIONS.join(),
      BENCH_CUSTOMERS: CUSTOMERS,
    },
    'Postgres with fsync on',
  );
  try {
    const small = await seedScratch(cluster.adminUrl, CUSTOMERS, 0);
    const chosen = LOADS.filter(
      (load) => load.target === 'limit' || ONLY === undefined || ONLY.split(';').includes(load.name),
    );
    const rates = await measure(small, cluster.pid, chosen, (load) => load.customers);
    await small.drop();
    if (!process.argv.includes('--large')) return;
    console.log(
      '\n1,000,000 customers and 10,000,000 usage events; calls spread over 1,000 of the customers',
    );
    const large = await seedScratch(cluster.adminUrl, 1_000_000, 10_000_000);
    const largeLoads = LOADS.filter((load) => load.name !== 'track, one hot customer');
    const largeRates = await measure(large, cluster.pid, largeLoads, (load) =>
      load.target === 'service' ? 1_000_000 : load.customers,
    );
    console.log('\ncost at 1,000,000 customers over cost at 1,000 (limit-adjusted)');
    for (const connections of CONNECTIONS) {
      for (const load of largeLoads.filter((one) => one.target === 'service')) {
        const ratio = (all: Map<string, number>): number =>
          (all.get(`${connections} ${load.name}`) ?? 0) / (all.get(`${connections} limit`) ?? 1);
        console.log(`${connections} ${load.name}: ${(ratio(rates) / ratio(largeRates)).toFixed(2)}`);
      }
    }
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
