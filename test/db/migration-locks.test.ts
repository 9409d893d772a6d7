import { Client } from 'pg';
import { migrate } from '../../src/db/migrate';
import { asOnlyMigrator } from '../../src/db/migration-lock';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { until } from '../support/until';

let database: TestDatabase;
let service: Client;

beforeAll(async () => {
  database = await createTestDatabase();
  service = new Client({ connectionString: database.adminUrl });
  await service.connect();
});
beforeEach(async () => {
  await database.query('DROP INDEX tollgate.credit_grants_unspent, tollgate.usage_events_entity');
  await database.query(`CREATE INDEX credit_grants_spendable ON tollgate.credit_grants
    (workspace_id, environment, customer_id) WHERE remaining > 0`);
  await database.query(`DELETE FROM tollgate_migrations.applied WHERE name ~ '^009[34]_'`);
});

afterAll(async () => {
  await service.end();
  await database.drop();
});

const waitingLocks = (mode: string, table: string): Promise<object[]> =>
  database.query(
    `SELECT pid FROM pg_locks WHERE NOT granted AND mode = $1 AND relation = CAST($2 AS regclass)`,
    [mode, table],
  );

test('grants are read while the index of entities is built, and a track that has read them can spend them', async () => {
  await service.query('BEGIN; LOCK TABLE tollgate.usage_events IN ROW EXCLUSIVE MODE');
  const retries: string[] = [];
  const migration = migrate(database.url('tollgate_migrator'), (reason) => retries.push(reason));
  await until(async () => (await waitingLocks('ShareLock', 'tollgate.usage_events')).length > 0);
  await database.query('SET lock_timeout = 1000');
  expect(await database.query('SELECT id FROM tollgate.credit_grants')).toEqual([]);

  await service.query('COMMIT; BEGIN; SELECT FROM tollgate.credit_grants');
  await until(async () => (await waitingLocks('AccessExclusiveLock', 'tollgate.credit_grants')).length > 0);
  await service.query('UPDATE tollgate.credit_grants SET remaining = 0');
  await service.query('COMMIT');
  expect(await migration).toEqual(['0093_grants_and_entities.sql', '0094_former_grant_index.sql']);
  expect(retries.filter((reason) => reason.includes('deadlock'))).toEqual([]);
});

test('time-outs that an operator has set end no migration', async () => {
  await database.query(`ALTER DATABASE ${database.name} SET statement_timeout = '1s'`);
  await database.query(`ALTER DATABASE ${database.name} SET transaction_timeout = '1s'`);
  await service.query('BEGIN; LOCK TABLE tollgate.usage_events IN ROW EXCLUSIVE MODE');
  const retries: string[] = [];
  const migration = migrate(database.url('tollgate_migrator'), (reason) => retries.push(reason));
  let ended = false;
  void migration.catch(() => (ended = true));
  await until(() => retries.length > 0 || ended);
  await service.query('COMMIT');
  expect(await migration).toEqual(['0093_grants_and_entities.sql', '0094_former_grant_index.sql']);
  expect(retries[0]).toContain('lock timeout');
});

test('the session that keeps other migrations away may be idle for as long as the migration takes', async () => {
  await database.query(`ALTER DATABASE ${database.name} SET idle_session_timeout = '1h'`);
  const { rows } = await asOnlyMigrator(
    database.url('tollgate_migrator'),
    (client) => client.query<object>("SELECT current_setting('idle_session_timeout') AS idle"),
    () => undefined,
  );
  expect(rows).toEqual([{ idle: '0' }]);
});
