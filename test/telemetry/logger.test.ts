import { Client } from 'pg';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from '../support/database';

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.adminUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

/** Returns the log lines for a statement that Postgres refuses, as the driver throws it and as Objection wraps it. */
async function logOf(statement: string): Promise<string[]> {
  const lines: string[] = [];
  const log = createLogger('test', 'info', { write: (line: string) => lines.push(line) });
  const failure: unknown = await client.query(statement).then(
    () => undefined,
    (error: unknown) => error,
  );
  log.error({ err: failure }, 'a statement failed');
  log.error({ err: Object.assign(new Error('it failed'), { nativeError: failure }) }, 'a statement failed');
  return lines;
}

const OPERATOR = (id: string): string =>
  `INSERT INTO tollgate.operators (id, email, name, password_hash, is_platform_administrator, created_at, password_changed_at)
   VALUES (${id}, 'ada@example.test', 'Ada Lovelace', 'argon2-hash', false, now(), now())`;

test('the row that Postgres quotes when it refuses it is in no line, and what it refused it by is', async () => {
  const notNull = await logOf(OPERATOR('NULL'));
  await client.query(OPERATOR(`'op_1'`));
  const duplicate = await logOf(OPERATOR(`'op_2'`));
  const lines = [...notNull, ...duplicate];
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    expect(line).not.toMatch(/ada@example\.test|Lovelace|argon2-hash/);
    expect(line).toContain('"code":"23');
  }
});
