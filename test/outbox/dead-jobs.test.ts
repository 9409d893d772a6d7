import { deleteDeadJobs } from '../../src/outbox/dead-jobs-store';
import { DAY_MS } from '../../src/domain/instant';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const enqueue = (key: string) =>
  database.query(`SELECT tollgate.enqueue('poke-subscription', '{"subscriptionId":"sub_1"}', $1)`, [key]);
const jobs = () =>
  database.query('SELECT key, attempts, max_attempts FROM graphile_worker._private_jobs ORDER BY id');
const deleteBefore = (at: number) => deleteDeadJobs(database.url('tollgate_migrator'), at);

test('a job that fails when a newer one waits under its key is dead: it is deleted, and the newer one stays', async () => {
  await enqueue('subscription/sandbox/sub_1');
  // A relay locks the job;
  await database.query(
    "UPDATE graphile_worker._private_jobs SET attempts = 1, locked_at = now(), locked_by = 'relay'",
  );
  // a newer fact is enqueued in the meantime,
  await enqueue('subscription/sandbox/sub_1');
  expect(await jobs()).toEqual([
    { key: null, attempts: 25, max_attempts: 25 },
    { key: 'subscription/sandbox/sub_1', attempts: 0, max_attempts: 25 },
  ]);
  // while the relay may still carry out the job;
  expect(await deleteBefore(Date.now() + DAY_MS)).toBe(0);
  // then the job fails.
  await database.query(
    'UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL WHERE key IS NULL',
  );
  expect(await deleteBefore(Date.now() - DAY_MS)).toBe(0);
  expect(await deleteBefore(Date.now() + DAY_MS)).toBe(1);
  expect(await jobs()).toEqual([{ key: 'subscription/sandbox/sub_1', attempts: 0, max_attempts: 25 }]);
  expect(await deleteBefore(Date.now() + DAY_MS)).toBe(0);
});
