import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { migrate, prepareRoles, type LoginRole } from '../../src/db/migrate';
import { DAY_MS } from '../../src/domain/instant';
import { makePartitions } from '../../src/events/partitions-store';
import { findFreePort } from '../../src/embedded/free-port';
import { startPostgresCluster, type PostgresCluster } from '../../src/embedded/postgres-cluster';
import { CatalogueSeeder } from '../support/catalogue';
import { databaseUrl, testPasswords } from '../support/cluster';
import { copyCluster } from '../support/copy-cluster';
import type { TestDatabase } from '../support/database';
import { EntryPoint } from '../support/entry-point';
import { processSettings } from '../support/process-settings';
import { until } from '../support/until';
import { createWorkspace } from '../support/workspace';
import { startDevServer, startRelay, startWorker } from '../temporal/installation';

/**
 * docs/backup.md from beginning to end: a physical backup, another cluster restored from it, and a Temporal without
 * history.
 */
const PAGE = readFileSync(path.join(__dirname, '..', '..', 'docs', 'backup.md'), 'utf8');
const [, WAKE_ALL = ''] = /```sql\n(SELECT .*?)```/s.exec(PAGE) ?? [];
const [, SKIP_SEQUENCES = ''] = /```sql\n(INSERT .*?)```/s.exec(PAGE) ?? [];

let directory: string;
const stops: (() => Promise<unknown>)[] = [];
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'tollgate-backup-'));
  chmodSync(directory, 0o755);
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
  rmSync(directory, { recursive: true, force: true });
});

async function startCluster(name: string): Promise<{ cluster: PostgresCluster; database: TestDatabase }> {
  const cluster = await startPostgresCluster({
    dataDirectory: path.join(directory, name),
    port: await findFreePort(),
    superuserPassword: 'test-superuser',
    settings: { wal_level: 'replica' },
  });
  const { adminUrl } = cluster;
  const admin = new Client({ connectionString: adminUrl });
  admin.on('error', () => undefined);
  await admin.connect();
  stops.push(
    () => cluster.stop(),
    () => admin.end(),
  );
  const database: TestDatabase = {
    name: 'postgres',
    adminUrl,
    url: (role: LoginRole) => databaseUrl(adminUrl, 'postgres', role),
    query: async <Row extends object>(sql: string, values?: unknown[]) =>
      (await admin.query<Row>(sql, values)).rows,
    drop: () => Promise.resolve(),
  };
  return { cluster, database };
}

async function run(name: 'verify' | 'migrate', env: Record<string, string>): Promise<string> {
  const process = new EntryPoint(name, env);
  expect([(await process.exit).code, process.output]).toEqual([0, process.output]);
  return process.output;
}

test('a backup works in another cluster, with an empty Temporal', async () => {
  const first = await startCluster('first');
  await prepareRoles(first.cluster.adminUrl, testPasswords);
  await migrate(first.database.url('tollgate_migrator'));
  await makePartitions(first.database.url('tollgate_migrator'), { from: Date.now() - 40 * DAY_MS, days: 60 });
  const { sandbox } = await createWorkspace(first.database);
  const seed = new CatalogueSeeder(first.database, sandbox);
  const plan = await seed.plan('pro', [{ feature: 'ai_tokens', quota: 10 }], { price_amount: 0 });
  const end = new Date(Date.now() + 20 * DAY_MS);
  const subscribe = async (customer: string, wake: Date): Promise<string> =>
    seed.subscription(await seed.customer(customer), plan, {
      anchor: Date.now() - 10 * DAY_MS,
      unit_amount: 0,
      billing_anchor: wake,
      current_period_end: wake,
      next_wake_at: wake,
    });
  await subscribe('acct_later', end);
  const due = await subscribe('acct_due', new Date(Date.now() - 60_000));
  const unpaid = await seed.subscription(await seed.customer('acct_buying'), plan, {
    anchor: Date.now(),
    unit_amount: 0,
    status: 'incomplete',
    incomplete_until: end,
  });
  await first.database.query(
    `INSERT INTO tollgate.checkouts
       (workspace_id, environment, id, customer_id, subscription_id, provider, status, expires_at, next_wake_at, created_at, updated_at)
     SELECT workspace_id, environment, 'chk_open', customer_id, id, 'internal', 'open', $2, $2, $3, $3
       FROM tollgate.subscriptions WHERE id = $1`,
    [unpaid, end, new Date()],
  );
  await first.database.query(
    `INSERT INTO tollgate.webhook_sequences (workspace_id, environment, resource_kind, resource_id, last)
     SELECT workspace_id, environment, 'subscription', id, 7 FROM tollgate.subscriptions WHERE id = $1`,
    [due],
  );
  await copyCluster(first.cluster, path.join(directory, 'restored'));
  // Writes made after the backup are lost, and so is the whole first installation.
  await first.database.query('DELETE FROM tollgate.checkouts');
  await first.database.query('DELETE FROM tollgate.subscriptions');
  await first.cluster.stop();

  const { database } = await startCluster('restored');
  const settings = processSettings(database);
  expect(await run('migrate', settings)).toContain('The schema is current.');
  expect(await run('verify', settings)).toContain('Everything agrees.');

  await database.query(SKIP_SEQUENCES);
  const temporal = await startDevServer();
  stops.push(() => temporal.stop());
  const withTemporal = { ...settings, TEMPORAL_ADDRESS: temporal.address };
  const relay = startRelay(database, temporal.address);
  const worker = startWorker(database, temporal.address);
  stops.push(
    () => relay.stop(),
    () => worker.stop(),
  );
  await database.query(WAKE_ALL);
  const renewals = (): Promise<object[]> =>
    database.query(
      "SELECT FROM tollgate.subscription_history WHERE kind = 'period_turned' AND subscription_id = $1",
      [due],
    );
  await until(async () => (await renewals()).length > 0);
  expect(await run('verify', withTemporal)).toContain('Everything agrees.');
  expect(await renewals()).toHaveLength(1);
  const [message] = await database.query<{ sequence: string }>(
    "SELECT sequence FROM tollgate.webhook_messages WHERE type = 'subscription.renewed' AND resource_id = $1",
    [due],
  );
  // Its receivers may have had several hundred thousand since the backup.
  expect(Number(message?.sequence)).toBeGreaterThan(500_000);
  const unannounced = await database.query(
    `SELECT id FROM tollgate.customers
      WHERE id NOT IN (SELECT resource_id FROM tollgate.webhook_sequences WHERE last > 500000)`,
  );
  expect(unannounced).toEqual([]);
});
