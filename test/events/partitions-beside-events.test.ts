import { Client } from 'pg';
import { DAY_MS } from '../../src/domain/instant';
import { dropPartitions, makePartitions } from '../../src/events/partitions-store';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { EntryPoint } from '../support/entry-point';
import { seedEvents } from '../support/events';
import { until } from '../support/until';
import { createWorkspace, type TestWorkspace } from '../support/workspace';

/** `maintain` was stopped until the days ahead were over: events are written to the default partition. */
let database: TestDatabase;
let workspace: TestWorkspace;
let url: string;
let holder: Client;
beforeEach(async () => {
  database = await createTestDatabase();
  workspace = await createWorkspace(database);
  url = database.url('tollgate_migrator');
  await dropPartitions(url, Date.now() + 60 * DAY_MS);
  await seedEvents(database, workspace.sandbox, [{ createdAt: Date.now() }]);
  holder = new Client({ connectionString: database.adminUrl });
  await holder.connect();
});
afterEach(async () => {
  await holder.end();
  await database.drop();
});

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const make = (from: number) => makePartitions(url, { from, days: 14, besideEvents: true });
const constraints = () =>
  database.query(
    `SELECT conname FROM pg_constraint
      WHERE conrelid = 'tollgate.developer_events_default'::regclass AND contype = 'c'`,
  );

/** Keeps whatever reads the default partition for a constraint from ending, until `holder` releases the lock 4711. */
async function holdReading(): Promise<void> {
  await holder.query('SELECT pg_advisory_lock(4711)');
  await database.query(
    `CREATE FUNCTION public.wait_for_lock() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
       WHILE current_query() ~ 'CONSTRAINT' AND current_query() !~ 'NOT VALID|DROP'
         AND EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND granted
                      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) LOOP
         PERFORM pg_sleep(0.02);
       END LOOP;
     END $$`,
  );
  await database.query(
    "CREATE EVENT TRIGGER wait_for_lock ON ddl_command_end WHEN TAG IN ('ALTER TABLE') EXECUTE FUNCTION public.wait_for_lock()",
  );
}

/** Returns the process that reads the default partition, once it does. */
async function readingProcess(): Promise<number> {
  let pid: number | undefined;
  await until(async () => {
    const reading = await database.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
    );
    pid = reading[0]?.pid;
    return pid !== undefined;
  });
  return pid ?? 0;
}

async function record(at: number): Promise<void> {
  const { workspaceId, environment } = workspace.sandbox;
  await holder.query("SET lock_timeout = '5s'");
  await holder.query(
    `INSERT INTO tollgate.developer_events (workspace_id, environment, id, type, status, message, source, data, created_at)
     VALUES ($1, $2, $3, 'USAGE_TRACKED', 'OK', '', 'api', '{}', $4)`,
    [workspaceId, environment, `evt_${at}`, new Date(at)],
  );
}

test('events are recorded while the default partition is read for the days ahead', async () => {
  const now = Date.now();
  await holdReading();
  const making = make(now);
  await readingProcess();
  await record(now + 1);
  await holder.query('SELECT pg_advisory_unlock(4711)');
  expect(await making).toEqual({ made: 12, blocked: [dayOf(now), dayOf(now + DAY_MS)] });
  expect(await constraints()).toEqual([]);
});

test('a round that was killed while it read refuses no event of today or tomorrow, and the next one takes over', async () => {
  const now = Date.now();
  await holdReading();
  const making = make(now);
  const failed = expect(making).rejects.toThrow('terminating connection');
  await database.query('SELECT pg_terminate_backend($1)', [await readingProcess()]);
  await failed;
  expect(await constraints()).toHaveLength(1);
  for (const ahead of [0, 1]) await record(now + ahead * DAY_MS);
  await holder.query('SELECT pg_advisory_unlock(4711)');
  expect((await make(now)).made).toBe(12);
  expect(await constraints()).toEqual([]);
});

test('a day whose events are there gets no partition, and the other days ahead do', async () => {
  const now = Date.now();
  const early = now + 5 * DAY_MS;
  await seedEvents(database, workspace.sandbox, [{ createdAt: early }]);
  expect(await make(now)).toEqual({
    made: 11,
    blocked: [dayOf(now), dayOf(now + DAY_MS), dayOf(early)],
  });
  expect(await constraints()).toEqual([]);
});

test('migrate leaves the days to maintain, and says so', async () => {
  const migration = new EntryPoint('migrate', { TOLLGATE_DATABASE_MIGRATOR_URL: url });
  expect((await migration.exit).code).toBe(0);
  expect(migration.output).toMatch(
    /^The default partition of developer_events holds events, so \S+, .+ have no partitions\. npm run maintain creates/m,
  );
});
