import { asOwner } from '../../src/db/owner-session';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { startSilentProxy } from '../support/silent-proxy';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a session of which Postgres says nothing more fails what waits for it', async () => {
  const url = new URL(database.url('tollgate_migrator'));
  const proxy = await startSilentProxy(Number(url.port));
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  try {
    const asking = asOwner(url.href, { role: 'tollgate_owner', silenceMs: 300 }, async (client) => {
      await client.query('SELECT 1');
      proxy.silence();
      await client.query('SELECT 1');
    });
    await expect(asking).rejects.toThrow('Connection terminated');
  } finally {
    await proxy.stop();
  }
});

test('time-outs that an operator has set do not apply to a session as an owner', async () => {
  await database.query(`ALTER DATABASE ${database.name} SET statement_timeout = '1s'`);
  await database.query(`ALTER DATABASE ${database.name} SET transaction_timeout = '1s'`);
  const limits = await asOwner(
    database.url('tollgate_migrator'),
    { role: 'tollgate_owner' },
    async (client) =>
      (
        await client.query<object>(
          "SELECT current_setting('statement_timeout') AS statement, current_setting('transaction_timeout') AS transaction",
        )
      ).rows,
  );
  expect(limits).toEqual([{ statement: '0', transaction: '0' }]);
});
