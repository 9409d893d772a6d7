import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { migrate, prepareRoles, type LoginRole } from '../../src/db/migrate';
import { DAY_MS } from '../../src/domain/instant';
import { findFreePort } from '../../src/embedded/free-port';
import { startPostgresCluster, type PostgresCluster } from '../../src/embedded/postgres-cluster';
import { makePartitions } from '../../src/events/partitions-store';
import { startApiProcess } from '../support/api-process';
import { CatalogueSeeder } from '../support/catalogue';
import { databaseUrl, testPasswords } from '../support/cluster';
import { copyCluster } from '../support/copy-cluster';
import type { TestDatabase } from '../support/database';
import { Integrator } from '../support/integrator';
import { startSwitchingProxy } from '../support/switching-proxy';
import { until } from '../support/until';
import { createWorkspace } from '../support/workspace';

const PASSWORD = 'test-superuser';
const CUSTOMERS = ['acct_1', 'acct_2', 'acct_3'];
/** Number of callers, and of uses acknowledged before the failover and after it. */
const [CALLERS, ACKNOWLEDGED] = [20, 300];

let directory: string;
const stops: (() => Promise<unknown>)[] = [];
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'tollgate-failover-'));
  chmodSync(directory, 0o755);
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
  rmSync(directory, { recursive: true, force: true });
});

async function startCluster(name: string): Promise<PostgresCluster> {
  const cluster = await startPostgresCluster({
    dataDirectory: path.join(directory, name),
    port: await findFreePort(),
    superuserPassword: PASSWORD,
    settings: { wal_level: 'replica', fsync: 'off' },
  });
  stops.push(() => cluster.stop());
  return cluster;
}

/** The database of the server behind a port, which may change. */
function databaseAt(port: number): TestDatabase {
  const adminUrl = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`;
  return {
    name: 'postgres',
    adminUrl,
    url: (role: LoginRole) => databaseUrl(adminUrl, 'postgres', role),
    query: async <Row extends object>(sql: string, values?: unknown[]) => {
      const client = new Client({ connectionString: adminUrl });
      await client.connect();
      try {
        return (await client.query<Row>(sql, values)).rows;
      } finally {
        await client.end();
      }
    },
    drop: () => Promise.resolve(),
  };
}

/** Starts a standby for which each commit of the primary waits from now on. */
async function startSynchronousStandby(primary: PostgresCluster): Promise<PostgresCluster> {
  await copyCluster(primary, path.join(directory, 'standby'), {
    'standby.signal': '',
    'postgresql.auto.conf': `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres password=${PASSWORD} application_name=standby'\n`,
  });
  const standby = await startCluster('standby');
  const atPrimary = databaseAt(primary.port);
  await atPrimary.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
  await atPrimary.query('SELECT pg_reload_conf()');
  await until(async () => {
    const [state] = await atPrimary.query<{ sync: string }>(
      'SELECT sync_state AS sync FROM pg_stat_replication',
    );
    return state?.sync === 'sync';
  });
  return standby;
}

test('a failover to a synchronous standby under load loses and doubles no acknowledged use', async () => {
  const primary = await startCluster('primary');
  const address = await startSwitchingProxy(primary.port);
  stops.push(() => address.stop());
  const database = databaseAt(address.port);
  await prepareRoles(primary.adminUrl, testPasswords);
  await migrate(database.url('tollgate_migrator'));
  await makePartitions(database.url('tollgate_migrator'), { from: Date.now() - DAY_MS, days: 3 });
  const { sandbox, sandboxKey } = await createWorkspace(database);
  const seed = new CatalogueSeeder(database, sandbox);
  const plan = await seed.plan('pro', [{ feature: 'ai_tokens', quota: 1e6 }]);
  for (const externalId of CUSTOMERS) await seed.subscription(await seed.customer(externalId), plan);
  const standby = await startSynchronousStandby(primary);
  const processes = [await startApiProcess(database), await startApiProcess(database)];
  for (const process of processes) stops.push(() => process.kill('SIGKILL'));
  const apis = processes.map(({ sandboxUrl }) => new Integrator(sandboxUrl, sandboxKey));

  const eventIds = new Map<string, unknown>();
  let over = false;
  const caller = async (_: unknown, place: number): Promise<void> => {
    while (!over) {
      const key = randomUUID();
      // Like an integrator, it sends the same key again until the outcome is certain.
      for (let sent = place; !eventIds.has(key); sent += 1) {
        const api = apis[sent % apis.length];
        const use = [CUSTOMERS[place % CUSTOMERS.length] ?? '', 'ai_tokens', 1, key] as const;
        const answer = await api?.track(...use).catch(() => undefined);
        if (answer?.status === 200) eventIds.set(key, answer.body['eventId']);
        else await pause(50);
      }
    }
  };
  const callers = Promise.all(Array.from({ length: CALLERS }, caller));
  await until(() => eventIds.size > ACKNOWLEDGED);
  // The former primary dies without a last word to its standby.
  process.kill(primary.pid, 'SIGQUIT');
  await primary.exited;
  const before = eventIds.size;
  await databaseAt(standby.port).query('SELECT pg_promote()');
  address.aim(standby.port);
  await until(() => eventIds.size > before + ACKNOWLEDGED);
  over = true;
  await callers;

  const recorded = await database.query<{ key: string; id: string }>(
    'SELECT idempotency_key AS key, id FROM tollgate.usage_events',
  );
  expect(new Map(recorded.map(({ key, id }) => [key, id]))).toEqual(eventIds);
  const used = CUSTOMERS.map(async (externalId) => (await apis[0]?.check(externalId, 'ai_tokens'))?.body);
  const usages = (await Promise.all(used)).map((body) => Number(body?.['usage']));
  expect(usages.reduce((sum, usage) => sum + usage, 0)).toBe(eventIds.size);
});
