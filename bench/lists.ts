import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '../src/embedded/free-port';
import { startPostgresCluster } from '../src/embedded/postgres-cluster';
import { announce, Children } from './children';
import { ListCaller } from './list-caller';
import { LISTS } from './list-calls';
import { seedLists } from './list-seed';
import { percentile } from './percentile';
import { seedScratch } from './seed';
import { numberFrom } from './settings';

/**
 * `npm run bench:lists`: every list and overview of the console on a workspace of many subscriptions and events, one
 * caller, calls in turns. `BENCH_LIST_PAGES` is how many pages of each list are read before the next list's turn.
 */
const SUBSCRIPTIONS = numberFrom('BENCH_SUBSCRIPTIONS', 50_000);
const EVENTS = numberFrom('BENCH_EVENTS', 1_000_000);
const TURNS = numberFrom('BENCH_LIST_TURNS', 20, { least: 1 });
const PAGES = numberFrom('BENCH_LIST_PAGES', 5, { least: 1 });

async function main(): Promise<void> {
  const dataDirectory = mkdtempSync(path.join(tmpdir(), 'tollgate-bench-'));
  const cluster = await startPostgresCluster({
    dataDirectory,
    port: await findFreePort(),
    superuserPassword: randomBytes(8).toString('hex'),
    settings: { shared_buffers: '1GB', max_wal_size: '4GB' },
  });
  announce(
    {
      BENCH_SUBSCRIPTIONS: SUBSCRIPTIONS,
      BENCH_EVENTS: EVENTS,
      BENCH_LIST_TURNS: TURNS,
      BENCH_LIST_PAGES: PAGES,
    },
    'lists of 50 rows, one caller',
  );
  const children = new Children();
  try {
    const scratch = await seedScratch(cluster.adminUrl, SUBSCRIPTIONS, 0);
    const operator = await seedLists(scratch, SUBSCRIPTIONS, EVENTS);
    const server = children.fork('server', [scratch.appUrl]);
    const { console: port } = await children.reply<{ console: number }>(server);
    const caller = await ListCaller.logIn(`http://127.0.0.1:${port}`, operator, scratch.workspaceId);
    const times = new Map<string, number[]>(LISTS.map(({ name }) => [name, []]));
    // The first turn fills caches, and is not counted.
    for (let turn = 0; turn <= TURNS; turn += 1) {
      for (const { name, path: at, query } of LISTS) {
        const taken = await children.during(caller.readPages(at, query, PAGES));
        if (turn > 0) times.get(name)?.push(...taken);
      }
    }
    console.log(['list'.padEnd(44), 'calls', 'p50 ms', 'p95 ms', 'p99 ms'].join('  '));
    for (const [name, taken] of times) {
      const at = (share: number): string => percentile(taken, share).toFixed(1).padStart(6);
      console.log(
        [name.padEnd(44), String(taken.length).padStart(5), at(0.5), at(0.95), at(0.99)].join('  '),
      );
    }
  } finally {
    await children.end();
    await cluster.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
