import { releaseAbandonedJobs } from '../../src/outbox/abandoned-jobs-store';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('jobs of a killed relay may be taken again after two minutes, and are counted; jobs in progress are left to their relay', async () => {
  for (const key of ['killed', 'running', 'waiting']) {
    await database.query(`SELECT tollgate.enqueue('poke-subscription', '{"subscriptionId":"sub_1"}', $1)`, [
      key,
    ]);
  }
  const take = (key: string, seconds: number) =>
    database.query(
      `UPDATE graphile_worker._private_jobs SET attempts = 1, locked_by = 'relay', locked_at = now() - $2 * interval '1 second'
        WHERE key = $1`,
      [key, seconds],
    );
  await take('killed', 121);
  await take('running', 60);
  const waiting = async () =>
    (await database.query('SELECT items FROM tollgate.measure_outbox(now(), 9)'))[0]?.['items'];
  expect(await waiting()).toBe('1');

  expect(await releaseAbandonedJobs(database.url('tollgate_migrator'))).toBe(1);
  expect(
    await database.query(
      'SELECT key, attempts, locked_by, is_available FROM graphile_worker._private_jobs ORDER BY key',
    ),
  ).toEqual([
    { key: 'killed', attempts: 1, locked_by: null, is_available: true },
    { key: 'running', attempts: 1, locked_by: 'relay', is_available: false },
    { key: 'waiting', attempts: 0, locked_by: null, is_available: true },
  ]);
  expect(await waiting()).toBe('2');
  expect(await releaseAbandonedJobs(database.url('tollgate_migrator'))).toBe(0);
});

test('a relay that was only frozen ends the job that it held, and not what was enqueued under the same key since', async () => {
  const enqueue = (subscriptionId: string) =>
    database.query("SELECT tollgate.enqueue('poke-subscription', $1, 'frozen')", [
      JSON.stringify({ subscriptionId }),
    ]);
  const payloads = () =>
    database.query<{ id: string; payload: unknown }>(
      "SELECT id, payload FROM graphile_worker._private_jobs WHERE key = 'frozen'",
    );
  await enqueue('sub_1');
  const [held] = await payloads();
  await database.query(
    `UPDATE graphile_worker._private_jobs SET locked_by = 'relay', locked_at = now() - interval '3 minutes' WHERE id = $1`,
    [held?.id],
  );
  await releaseAbandonedJobs(database.url('tollgate_migrator'));
  await enqueue('sub_2');
  // How graphile-worker ends a job.
  await database.query('DELETE FROM graphile_worker._private_jobs WHERE id = $1', [held?.id]);
  expect((await payloads()).map(({ payload }) => payload)).toEqual([{ subscriptionId: 'sub_2' }]);
});
