import type { LoginRole } from '../../src/db/migrate';
import { asOwner } from '../../src/db/owner-session';
import { openDatabase, openPipelinedPool } from '../../src/db/pools';
import { openQueuePool } from '../../src/relay/queue-pool';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from '../support/database';

const log = createLogger('test', 'silent');
const READ = `
SELECT current_setting('transaction_isolation') AS level, timestamptz '2026-11-29 15:00Z' AS time,
       current_setting('row_security') AS policies,
       current_setting('transaction_timeout') AS transaction, current_setting('idle_session_timeout') AS idle`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.query(`ALTER DATABASE ${database.name} SET default_transaction_isolation = 'serializable'`);
  await database.query(`ALTER DATABASE ${database.name} SET DateStyle = 'German'`);
  await database.query(`ALTER DATABASE ${database.name} SET row_security = off`);
  await database.query(`ALTER DATABASE ${database.name} SET transaction_timeout = '1h'`);
  await database.query(`ALTER DATABASE ${database.name} SET idle_session_timeout = '1h'`);
});
afterAll(() => database.drop());

/** Options that an address may carry for a proxy, or to set more. */
const OPTIONS = '-c default_transaction_isolation=serializable -c lock_timeout=7s';
const addressOf = (role: LoginRole, query: string): string => `${database.url(role)}${query}`;

const sessions: [string, (query: string) => Promise<unknown>][] = [
  [
    'of the api',
    async (query) => {
      const pool = openDatabase(addressOf('tollgate_app', query), {
        max: 1,
        applicationName: 'isolation',
        log,
      });
      const inTransaction = await pool.transaction((trx) => trx.raw<{ rows: unknown[] }>(READ));
      await pool.destroy();
      return inTransaction.rows;
    },
  ],
  [
    'of check and track',
    async (query) => {
      const pool = openPipelinedPool(addressOf('tollgate_app', query), {
        max: 1,
        applicationName: 'isolation',
        log,
      });
      const { rows } = await pool.query<object>(READ);
      await pool.end();
      return rows;
    },
  ],
  [
    'of the relay',
    async (query) => {
      const pool = openQueuePool(addressOf('tollgate_relay', query), 1, log);
      const { rows } = await pool.query<object>(READ);
      await pool.end();
      return rows;
    },
  ],
  [
    'of maintenance',
    (query) =>
      asOwner(
        addressOf('tollgate_migrator', query),
        { role: 'tollgate_owner' },
        async (client) => (await client.query<object>(READ)).rows,
      ),
  ],
];

describe.each(['', `?options=${encodeURIComponent(OPTIONS)}`])(
  'with an address that ends in "%s"',
  (query) => {
    test.each(sessions)(
      'the sessions %s read what is committed, and times, and have no limit, whatever the defaults of the database are',
      async (_name, read) => {
        expect(await read(query)).toEqual([
          {
            level: 'read committed',
            policies: 'on',
            time: Date.parse('2026-11-29T15:00:00Z'),
            transaction: '0',
            idle: '0',
          },
        ]);
      },
    );
  },
);

test('the options of an address are kept beside those of the service', async () => {
  const url = addressOf('tollgate_migrator', `?options=${encodeURIComponent(OPTIONS)}&application_name=mine`);
  const [found] = await asOwner(url, { role: 'tollgate_owner' }, async (client) => {
    const { rows } = await client.query<object>(
      "SELECT current_user AS role, current_setting('lock_timeout') AS lock, current_setting('application_name') AS name",
    );
    return rows;
  });
  expect(found).toEqual({ role: 'tollgate_owner', lock: '7s', name: 'mine' });
});
