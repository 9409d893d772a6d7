import { Client } from 'pg';
import type { LoginRole } from '../../src/db/migrate';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { expectCommitted } from '../support/snapshot';
import { rightsOf } from './role-rights';

/** The full rights of each login of the service, and attempts at what each must not do. */
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const ROLES = ['tollgate_app', 'tollgate_worker', 'tollgate_relay', 'tollgate_deliverer'] as const;

test.each(ROLES)('the rights of %s are those on the list', async (role) => {
  const rights = await rightsOf(database, role);
  expectCommitted(`test/db/rights/${role}.txt`, `${rights.join('\n')}\n`);
});

/** Returns the server's refusal of a statement; '' if the statement succeeds. */
async function refusal(role: LoginRole, sql: string): Promise<string> {
  const client = new Client({ connectionString: database.url(role) });
  await client.connect();
  try {
    await client.query(sql);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await client.end();
  }
}

test.each([
  ['tollgate_app', "UPDATE tollgate.platform_audit SET detail = '{}'"],
  ['tollgate_app', 'DELETE FROM tollgate.platform_audit'],
  ['tollgate_app', 'TRUNCATE tollgate.platform_audit'],
  ['tollgate_worker', "UPDATE tollgate.platform_audit SET detail = '{}'"],
  ['tollgate_worker', 'DELETE FROM tollgate.platform_audit'],
  ['tollgate_worker', 'SELECT FROM tollgate.operators'],
  ['tollgate_worker', 'SELECT password_hash FROM tollgate.operators'],
  ['tollgate_worker', 'SELECT id_hash FROM tollgate.operator_sessions'],
  ['tollgate_worker', 'SELECT operator_id FROM tollgate.operator_sessions'],
  ['tollgate_worker', 'UPDATE tollgate.operator_sessions SET revoked_at = NULL'],
  ['tollgate_worker', 'SELECT token_hash FROM tollgate.member_invitations'],
  ['tollgate_worker', 'SELECT envelope FROM tollgate.operator_second_factors'],
  ['tollgate_worker', 'SELECT code_hash FROM tollgate.operator_recovery_codes'],
  ['tollgate_worker', 'SELECT token_hash FROM tollgate.operator_login_challenges'],
  ['tollgate_worker', 'SELECT token_hash FROM tollgate.member_reset_links'],
  ['tollgate_worker', 'SELECT FROM tollgate.organization_members'],
  ['tollgate_worker', 'SELECT key_hash FROM tollgate.api_keys'],
  ['tollgate_worker', "SELECT tollgate.find_api_key('\\x00')"],
  ['tollgate_deliverer', 'SELECT FROM tollgate.operators'],
  ['tollgate_deliverer', 'SELECT key_hash FROM tollgate.api_keys'],
  ['tollgate_app', "SELECT FROM tollgate.find_due_webhook_endpoints(now(), '', 1)"],
  ['tollgate_relay', 'SELECT FROM tollgate.customers'],
  ['tollgate_relay', 'SELECT FROM tollgate.operations'],
  ['tollgate_relay', 'SET ROLE tollgate_outbox'],
  ['tollgate_relay', 'CREATE TABLE graphile_worker.made (id int)'],
  ['tollgate_relay', 'CREATE TABLE tollgate.made (id int)'],
  ['tollgate_relay', 'CREATE TABLE public.made (id int)'],
  ['tollgate_relay', 'CREATE TEMPORARY TABLE made (id int)'],
  ['tollgate_relay', 'CREATE SCHEMA made'],
  ['tollgate_relay', 'TRUNCATE graphile_worker._private_jobs'],
] as const)('%s: %s', async (role, sql) => {
  expect(await refusal(role, sql)).toMatch(/permission denied/);
});

test('a flood raises the count of one row, and of no other', async () => {
  const raise = `SELECT tollgate.count_platform_audit('paud_' || gen_random_uuid(), 'webhook.refused', 'sandbox', NULL, '2026-01-01', '2026-01-01', '2026-01-01T00:00:01Z', 3)`;
  await database.query(
    `INSERT INTO tollgate.platform_audit (id, action, host, detail, minute, created_at, last_at)
     VALUES ('paud_1', 'webhook.refused', 'sandbox', '{}', '2026-01-01', '2026-01-01', '2026-01-01')`,
  );
  expect(await refusal('tollgate_app', raise)).toBe('');
  expect(await refusal('tollgate_app', raise)).toBe('');
  expect(await refusal('tollgate_worker', raise)).toMatch(/permission denied/);
  expect(
    await database.query('SELECT count::int, overflow FROM tollgate.platform_audit ORDER BY overflow'),
  ).toEqual([
    { count: 1, overflow: false },
    { count: 6, overflow: true },
  ]);
});
