import { Client } from 'pg';
import { refuseTransactionPooling, shareSession } from '../../src/db/pooler-guard';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { EntryPoint } from '../support/entry-point';
import { startTransactionPooler, type TransactionPooler } from '../support/transaction-pooler';

let database: TestDatabase;
let pooler: TransactionPooler;
beforeAll(async () => {
  database = await createTestDatabase();
  pooler = await startTransactionPooler(database.url('tollgate_app'));
});
afterAll(async () => {
  await pooler.stop();
  await database.drop();
});

test('an address with sessions of its own is taken', async () => {
  await expect(refuseTransactionPooling(database.url('tollgate_app'))).resolves.toBeUndefined();
});

test('a pooler that shares one session between connections is refused, with what to do', async () => {
  await expect(refuseTransactionPooling(pooler.url)).rejects.toThrow(
    /pooler in transaction mode.*the address of Postgres itself, or of a pooler in session mode/,
  );
});

test('verify behind one ends and says so', async () => {
  const verify = new EntryPoint('verify', { TOLLGATE_DATABASE_URL: pooler.url });
  expect((await verify.exit).code).toBe(1);
  expect(verify.output).toContain('verify: The database address leads to a pooler in transaction mode');
});

test('two connections share a session only where it is one', async () => {
  const clients = [1, 2].map(() => new Client({ connectionString: database.adminUrl }));
  const [one, other] = clients;
  if (one === undefined || other === undefined) throw new Error('There are two.');
  await Promise.all(clients.map((client) => client.connect()));
  expect(await shareSession(one, other)).toBe(false);
  expect(await shareSession(one, one)).toBe(true);
  await Promise.all(clients.map((client) => client.end()));
});
