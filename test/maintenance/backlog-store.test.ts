import { openDatabase, type Database } from '../../src/db/pools';
import { readOutbox } from '../../src/maintenance/backlog-store';
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
