import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, type Pool } from 'pg';
import { classifyFailure } from '../../src/db/failure';
import { openDatabase, openPipelinedPool, type Database } from '../../src/db/pools';
import { findFreePort } from '../../src/embedded/free-port';
import { startPostgresCluster, type PostgresCluster } from '../../src/embedded/postgres-cluster';
import { openQueuePool } from '../../src/relay/queue-pool';
import { explain } from '../../src/server/explain';
import { createLogger } from '../../src/telemetry/logger';
import { startSwitchingProxy, type SwitchingProxy } from '../support/switching-proxy';
import { until } from '../support/until';

/** A failover: the database's address leads to the former primary, now a standby, until it leads to the new one. */
const log = createLogger('test', 'silent');
let directory: string;
let primary: PostgresCluster;
let standby: PostgresCluster;
let address: SwitchingProxy;
beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'tollgate-standby-'));
  chmodSync(directory, 0o755);
  const start = async (name: string) =>
    startPostgresCluster({
      dataDirectory: path.join(directory, name),
      port: await findFreePort(),
      superuserPassword: 'test-superuser',
      settings: { wal_level: 'replica', fsync: 'off' },
    });
  primary = await start('primary');
  await (await start('standby')).stop();
  writeFileSync(path.join(directory, 'standby', 'standby.signal'), '');
  standby = await start('standby');
  address = await startSwitchingProxy(standby.port);
});
afterAll(async () => {
  await address.stop();
  await standby.stop();
  await primary.stop();
  rmSync(directory, { recursive: true, force: true });
});

const url = (): string => {
  const through = new URL(primary.adminUrl);
  through.port = String(address.port);
  return through.href;
};
const ask = 'CREATE TEMPORARY TABLE written (id integer)';
const overPool = (open: () => Pool) => () => {
  const pool = open();
  return { write: () => pool.query(ask), end: () => pool.end() };
};
const overKnex = () => {
  const database: Database = openDatabase(url(), { max: 1, applicationName: 'standby', log });
  return { write: () => database.raw(ask), end: () => database.destroy() };
};

test.each([
  ['of the api', overKnex],
  [
    'of check and track',
    overPool(() => openPipelinedPool(url(), { max: 1, applicationName: 'standby', log })),
  ],
  ['of the relay', overPool(() => openQueuePool(url(), 1, log))],
])('the pool %s keeps no connection to a standby', async (_name, open) => {
  address.aim(standby.port);
  const { write, end } = open();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const failure: unknown = await write().catch((error: unknown) => error);
    expect(classifyFailure(failure)).toBe('connection');
    expect(explain(failure)).toBe(
      'Postgres accepts no writes (it is a standby). Set the address of the database (TOLLGATE_DATABASE_…) to that of the primary, or find out why its operator has set it read-only.',
    );
  }
  // The earlier connections are not cut, because the standby continues to run.
  address.aim(primary.port);
  await write();
  await end();
});

test('a process that only reads leaves a former primary, which its operator has set read-only', async () => {
  const portOf = async (database: Database): Promise<number> => {
    const { rows } = await database.raw<{ rows: { port: string }[] }>(
      "SELECT current_setting('port') AS port",
    );
    return Number(rows[0]?.port);
  };
  const connect = async (applicationName: string): Promise<Database> => {
    const database = openDatabase(url(), { max: 1, applicationName, log });
    expect(await portOf(database)).toBe(primary.port);
    return database;
  };
  address.aim(primary.port);
  const before = await connect('before');
  await run(primary, 'ALTER SYSTEM SET default_transaction_read_only = on');
  await run(primary, 'SELECT pg_reload_conf()');
  // While the name still leads there.
  const meanwhile = await connect('meanwhile');
  await run(standby, 'SELECT pg_promote()');
  address.aim(standby.port);
  for (const database of [before, meanwhile]) {
    await until(async () => (await portOf(database)) === standby.port);
    await database.destroy();
  }
});

async function run({ adminUrl }: PostgresCluster, statement: string): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}
