import { asOwner } from '../../src/db/owner-session';
import { openDatabase, openPipelinedPool } from '../../src/db/pools';
import { openQueuePool } from '../../src/relay/queue-pool';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from '../support/database';

/** Locks are taken before reads, which must see what was committed while a lock was waited for. */
const log = createLogger('test', 'silent');
const LEVEL = 'SHOW transaction_isolation';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`ALTER DATABASE ${database.name} SET default_transaction_isolation = 'serializable'`);
});
afterAll(() => database.drop());

const url = (): string => database.url('tollgate_app');

test.each<[string, () => Promise<unknown>]>([
  [
    'of the api',
    async () => {
      const pool = openDatabase(url(), { max: 1, applicationName: 'isolation', log });
      const inTransaction = await pool.transaction((trx) => trx.raw<{ rows: unknown[] }>(LEVEL));
      await pool.destroy();
      return inTransaction.rows;
    },
  ],
  [
    'of check and track',
    async () => {
      const pool = openPipelinedPool(url(), { max: 1, applicationName: 'isolation', log });
      const { rows } = await pool.query<object>(LEVEL);
      await pool.end();
      return rows;
    },
  ],
  [
    'of the relay',
    async () => {
      const pool = openQueuePool(database.url('tollgate_relay'), 1, log);
      const { rows } = await pool.query<object>(LEVEL);
      await pool.end();
      return rows;
    },
  ],
  [
    'of maintenance',
    () =>
      asOwner(
        database.url('tollgate_migrator'),
        { role: 'tollgate_owner' },
        async (client) => (await client.query<object>(LEVEL)).rows,
      ),
  ],
])('the sessions %s read what is committed, whatever the default of the database is', async (_name, read) => {
  expect(await read()).toEqual([{ transaction_isolation: 'read committed' }]);
});
