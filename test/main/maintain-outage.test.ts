import { Client } from 'pg';
import { PARTITIONS_LOCK } from '../../src/db/advisory-locks';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { DAY_MS } from '../../src/domain/instant';
import { EntryPoint } from '../support/entry-point';
import { until } from '../support/until';
import { createWorkspace } from '../support/workspace';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const environment = (): Record<string, string> => ({
  TOLLGATE_DATABASE_WORKER_URL: database.url('tollgate_worker'),
  TOLLGATE_DATABASE_MIGRATOR_URL: database.url('tollgate_migrator'),
  TOLLGATE_HEALTH_PORT: '0',
});

test('maintain outlives the loss of the session that makes partitions, and its next round takes over', async () => {
  const holder = new Client({ connectionString: database.adminUrl });
  await holder.connect();
  await holder.query(`SELECT pg_advisory_lock(${PARTITIONS_LOCK})`);
  const maintain = new EntryPoint('maintain', environment());
  try {
    const ended = async (): Promise<boolean> => {
      // It polls for the lock, and its session is idle in between.
      const sessions = await database.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND usename = 'tollgate_migrator' AND query LIKE '%pg_try_advisory_lock%'
            AND state = 'idle'`,
      );
      return sessions.length > 0;
    };
    await until(ended);
    await maintain.says(/a round of maintenance failed and is retried by the next one/);
    maintain.child.kill('SIGTERM');
    expect(await maintain.exit).toEqual({ code: 0, signal: null });
  } finally {
    maintain.kill();
    await holder.end();
  }
});

test.each([
  { args: [], code: 0 },
  { args: ['--once'], code: 1 },
])('maintain $args that is stopped ends after the batch in progress', async ({ args, code }) => {
  const { sandbox } = await createWorkspace(database);
  // One more than a batch.
  await database.query(
    `INSERT INTO tollgate.idempotency_answers (workspace_id, environment, idempotency_key, fingerprint, status, body, created_at)
     SELECT $1, $2, 'old ' || number, '\\x00', 200, '{}', $3 FROM generate_series(1, 5001) AS number`,
    [sandbox.workspaceId, sandbox.environment, new Date(Date.now() - 31 * DAY_MS)],
  );
  const holder = new Client({ connectionString: database.adminUrl });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM tollgate.idempotency_answers WHERE workspace_id = $1 FOR UPDATE', [
    sandbox.workspaceId,
  ]);
  const maintain = new EntryPoint('maintain', environment(), { args });
  try {
    await until(async () => {
      const waiting = await database.query(
        `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'tollgate-maintain' AND wait_event = 'transactionid'`,
      );
      return waiting.length > 0;
    });
    maintain.child.kill('SIGTERM');
    await maintain.says(/stopping: finishing work in progress/);
    await holder.query('COMMIT');
    expect(await maintain.exit).toEqual({ code, signal: null });
    const left = await database.query('SELECT FROM tollgate.idempotency_answers WHERE workspace_id = $1', [
      sandbox.workspaceId,
    ]);
    expect(left).toHaveLength(1);
  } finally {
    maintain.kill();
    await holder.end();
  }
});

test.each([
  { args: [], code: 0 },
  { args: ['--once'], code: 1 },
])(
  'maintain $args that is stopped does not wait for the one that changes the partitions',
  async ({ args, code }) => {
    const holder = new Client({ connectionString: database.adminUrl });
    await holder.connect();
    await holder.query(`SELECT pg_advisory_lock(${PARTITIONS_LOCK})`);
    const maintain = new EntryPoint('maintain', environment(), { args });
    try {
      await until(async () => {
        const waiting = await database.query(
          `SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND usename = 'tollgate_migrator' AND query LIKE '%pg_try_advisory_lock%'`,
        );
        return waiting.length > 0;
      });
      maintain.child.kill('SIGTERM');
      expect(await maintain.exit).toEqual({ code, signal: null });
      expect(maintain.output).not.toContain('failed');
    } finally {
      maintain.kill();
      await holder.end();
    }
  },
);
