import { Client } from 'pg';
import { PARTITIONS_LOCK } from '../../src/db/advisory-locks';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { EntryPoint } from '../support/entry-point';
import { until } from '../support/until';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('maintain outlives the loss of the session that makes partitions, and its next round takes over', async () => {
  const holder = new Client({ connectionString: database.adminUrl });
  await holder.connect();
  await holder.query(`SELECT pg_advisory_lock(${PARTITIONS_LOCK})`);
  const maintain = new EntryPoint('maintain', {
    TOLLGATE_DATABASE_WORKER_URL: database.url('tollgate_worker'),
    TOLLGATE_DATABASE_MIGRATOR_URL: database.url('tollgate_migrator'),
    TOLLGATE_HEALTH_PORT: '0',
  });
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
