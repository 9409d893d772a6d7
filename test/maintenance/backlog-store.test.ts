import { openDatabase, type Database } from '../../src/db/pools';
import { countFailingJobs, readOutbox } from '../../src/maintenance/backlog-store';
import { createLogger } from '../../src/telemetry/logger';
import { HOUR_MS } from '../../src/domain/instant';
import { createTestDatabase, type TestDatabase } from '../support/database';

const NOW = Date.parse('2031-01-01T12:00:00Z');

let fresh: TestDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await createTestDatabase();
  const log = createLogger('test', 'silent');
  database = openDatabase(fresh.url('tollgate_worker'), { max: 1, applicationName: 'backlog', log });
});
beforeEach(() => fresh.query('DELETE FROM graphile_worker._private_jobs'));
afterAll(async () => {
  await database.destroy();
  await fresh.drop();
});

/** Adds a job created an hour before noon that may run from `runAt` on. */
async function leave(key: string, runAt: number): Promise<void> {
  await fresh.query(
    "SELECT tollgate.enqueue_each('poke-subscription', ARRAY['{}']::json[], ARRAY[$1], ARRAY[$2::timestamptz])",
    [key, new Date(runAt)],
  );
  await fresh.query('UPDATE graphile_worker._private_jobs SET created_at = $2 WHERE key = $1', [
    key,
    new Date(NOW - HOUR_MS),
  ]);
}

test('a job that may not run yet is no backlog', async () => {
  await leave('clock/subscription/sandbox/sub_1', NOW + 1);
  expect(await readOutbox(database, NOW)).toEqual({ items: 0, oldest: null });
});

test('a signal of the clock waits from when it may be sent, any other job from when it was left', async () => {
  await leave('clock/subscription/sandbox/sub_1', NOW - 1_000);
  await leave('clock/checkout/sandbox/chk_1', NOW - 2_000);
  expect(await readOutbox(database, NOW)).toEqual({ items: 2, oldest: NOW - 2_000 });
  await leave('subscription/sandbox/sub_1', NOW - 1_000);
  expect(await readOutbox(database, NOW)).toEqual({ items: 3, oldest: NOW - HOUR_MS });
});

test('a signal that failed five times is counted, also when it is no longer tried, until a newer one replaces it', async () => {
  await leave('subscription/sandbox/sub_1', NOW - 1_000);
  const failed = (attempts: number): Promise<unknown> =>
    fresh.query(
      "UPDATE graphile_worker._private_jobs SET attempts = $1, run_at = now() + interval '1 hour'",
      [attempts],
    );
  const counts: number[] = [];
  for (const attempts of [4, 5, 24, 25]) {
    await failed(attempts);
    counts.push(await countFailingJobs(database));
  }
  expect(counts).toEqual([0, 1, 1, 1]);
  await leave('subscription/sandbox/sub_1', NOW);
  expect(await countFailingJobs(database)).toBe(0);
});

test('a command, or new settings, without an outcome is a failing job only when it is no longer tried', async () => {
  const scope = { workspaceId: 'org_1', environment: 'sandbox' };
  const job = { ...scope, target: { kind: 'refund', id: 'ref_1' }, operationId: 'op_1', updateId: 'op_1' };
  await fresh.query('SELECT tollgate.keep_sending($1, $2)', [JSON.stringify(job), 'operation/sandbox/op_1']);
  await fresh.query('SELECT tollgate.enqueue($1, $2, $3)', [
    'reschedule-subscriptions',
    JSON.stringify(scope),
    'reschedule/sandbox/org_1',
  ]);
  await fresh.query('UPDATE graphile_worker._private_jobs SET attempts = 24');
  expect(await countFailingJobs(database)).toBe(0);
  await fresh.query('UPDATE graphile_worker._private_jobs SET attempts = 25');
  expect(await countFailingJobs(database)).toBe(2);
});

test('a job that a newer one has replaced while it ran is no failing job', async () => {
  await leave('subscription/sandbox/sub_1', NOW);
  await fresh.query("UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'relay'");
  await leave('subscription/sandbox/sub_1', NOW);
  expect(await fresh.query('SELECT FROM graphile_worker._private_jobs WHERE attempts = 25')).toHaveLength(1);
  expect(await countFailingJobs(database)).toBe(0);
});
