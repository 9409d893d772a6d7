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
