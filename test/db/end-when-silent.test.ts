import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { classifyFailure, failureError } from '../../src/db/failure';
import { PipelinedTransaction } from '../../src/db/pipeline';
import { openDatabase, openPipelinedPool, type Database } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { startSilentProxy, type SilentProxy } from '../support/silent-proxy';

/** Longer than Postgres may take for an answer on a loaded machine. */
const SILENCE_MS = 3_000;
const scope = { workspaceId: 'org_test', environment: 'sandbox' } as const;

let fresh: TestDatabase;
let proxy: SilentProxy;
let url: URL;
let options: { max: number; applicationName: string; log: Logger; silenceMs: number };
let database: Database;
let pipelined: Pool;
beforeAll(async () => {
  fresh = await createTestDatabase();
  await fresh.query('CREATE TABLE public.kept (id text); GRANT ALL ON public.kept TO PUBLIC');
});
beforeEach(async () => {
  url = new URL(fresh.url('tollgate_app'));
  proxy = await startSilentProxy(Number(url.port));
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  options = {
    max: 1,
    applicationName: 'silent',
    log: createLogger('test', 'silent'),
    silenceMs: SILENCE_MS,
  };
  database = openDatabase(url.href, options);
  pipelined = openPipelinedPool(url.href, options);
});
afterEach(async () => {
  await Promise.all([database.destroy(), pipelined.end()]);
  await proxy.stop();
});
afterAll(() => fresh.drop());

const SELECT = { name: 'backend', text: 'SELECT pg_backend_pid() AS pid', values: [] };
const backends = {
  knex: async (): Promise<unknown> => {
    const { rows } = await database.raw<{ rows: { pid: number }[] }>(SELECT.text);
    return rows[0]?.pid;
  },
  hot: () =>
    PipelinedTransaction.run(pipelined, async (transaction) => {
      const context = { scope, reason: 'API_KEY', lockTimeoutMs: 250 } as const;
      const [result] = await transaction.begin(context, [SELECT]);
      await transaction.commit([]);
      return result?.rows[0]?.['pid'];
    }),
};

test.each(['knex', 'hot'] as const)(
  '%s: what waits for an answer that does not come fails as unavailable, and the next has a new connection',
  async (pool) => {
    const before = await backends[pool]();
    proxy.silence();
    const error: unknown = await backends[pool]().catch((failure: unknown) => failure);
    expect(classifyFailure(error)).toBe('connection');
    expect(failureError(error)).toMatchObject({ code: 'service_unavailable', status: 503, retryAfter: 1 });
    proxy.speak();
    const after = await backends[pool]();
    expect(typeof after).toBe('number');
    expect(after).not.toBe(before);
  },
);

test.each(['knex', 'hot'] as const)('%s: a connection that is idle stays', async (pool) => {
  const before = await backends[pool]();
  await pause(2.2 * SILENCE_MS);
  expect(await backends[pool]()).toBe(before);
});

test('a transaction whose statements are apart stays, and one that falls silent leaves nothing', async () => {
  await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    await trx.raw("INSERT INTO public.kept VALUES ('slow')");
    await pause(1.5 * SILENCE_MS);
    await trx.raw("INSERT INTO public.kept VALUES ('slow, again')");
  });
  const cut = inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    await trx.raw("INSERT INTO public.kept VALUES ('cut')");
    proxy.silence();
    await trx.raw("INSERT INTO public.kept VALUES ('cut, again')");
  });
  expect(classifyFailure(await cut.catch((failure: unknown) => failure))).toBe('connection');
  const rows = await fresh.query<{ id: string }>('SELECT id FROM public.kept ORDER BY id');
  expect(rows.map(({ id }) => id)).toEqual(['slow', 'slow, again']);
});

test('the first statement of a transaction, which is sent when its BEGIN is answered, does not count as answered', async () => {
  await backends.knex();
  const cut = database.transaction(async (trx) => {
    const slow = trx.raw('SELECT pg_sleep(?)', [(2 * SILENCE_MS) / 1_000]).then();
    await pause(SILENCE_MS / 2);
    proxy.silence();
    await slow;
  });
  expect(classifyFailure(await cut.catch((failure: unknown) => failure))).toBe('connection');
});

/** A pool of three, behind knex or of the hot path. */
function openThree(pool: 'knex' | 'hot'): {
  run: (sql: string) => Promise<unknown>;
  close: () => Promise<void>;
} {
  if (pool === 'hot') {
    const three = openPipelinedPool(url.href, { ...options, max: 3 });
    return {
      run: async (sql) => (await three.query<{ pid: number }>(sql)).rows[0]?.pid,
      close: () => three.end(),
    };
  }
  const three = openDatabase(url.href, { ...options, max: 3 });
  return {
    run: async (sql) => (await three.raw<{ rows: { pid: number }[] }>(sql)).rows[0]?.pid,
    close: () => three.destroy(),
  };
}

const SLOW = 'SELECT pg_backend_pid() AS pid, pg_sleep(0.3)';

test.each(['knex', 'hot'] as const)(
  '%s: after a route was lost, one caller waits for an answer that does not come, not one for each connection',
  async (pool) => {
    const { run, close } = openThree(pool);
    try {
      const before = await Promise.all([run(SLOW), run(SLOW), run(SLOW)]);
      expect(new Set(before).size).toBe(3);
      proxy.silence();
      proxy.speak();
      const error: unknown = await run(SELECT.text).catch((failure: unknown) => failure);
      expect(classifyFailure(error)).toBe('connection');
      const after = await Promise.all([run(SLOW), run(SLOW), run(SLOW)]);
      for (const pid of after) expect(before).not.toContain(pid);
    } finally {
      await close();
    }
  },
);

test.each(['knex', 'hot'] as const)(
  '%s: a connection that was answered meanwhile stays when another one falls silent',
  async (pool) => {
    const { run, close } = openThree(pool);
    try {
      const silent = run(`SELECT pg_sleep(${(2 * SILENCE_MS) / 1_000})`).catch((failure: unknown) => failure);
      const before = await run(SELECT.text);
      const asking = { goesOn: true };
      const asked = (async () => {
        const seen = new Set<unknown>();
        while (asking.goesOn) {
          seen.add(await run(SELECT.text));
          await pause(SILENCE_MS / 10);
        }
        return seen;
      })();
      expect(classifyFailure(await silent)).toBe('connection');
      asking.goesOn = false;
      expect([...(await asked), await run(SELECT.text)]).toEqual([before, before]);
    } finally {
      await close();
    }
  },
);
