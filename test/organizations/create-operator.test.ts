import { openDatabase, type Database } from '../../src/db/pools';
import { createOperatorWithOrganization, type NewOperator } from '../../src/organizations/create-operator';
import { verifyPassword } from '../../src/operators/password';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from '../support/database';

let scratch: TestDatabase;
let database: Database;
beforeAll(async () => {
  scratch = await createTestDatabase();
  const log = createLogger('test', 'fatal');
  database = openDatabase(scratch.url('tollgate_app'), { max: 4, applicationName: 'test', log });
});
afterAll(async () => {
  await database.destroy();
  await scratch.drop();
});

const make = (more: Partial<NewOperator> = {}) =>
  createOperatorWithOrganization(database, {
    email: 'first@example.test',
    name: 'First',
    organization: 'Acme',
    isPlatformAdministrator: true,
    now: Date.now(),
    ...more,
  });
const passwordHash = async (email: string): Promise<string | null> => {
  const rows = await scratch.query<{ hash: string }>(
    'SELECT password_hash AS hash FROM tollgate.operators WHERE email = $1',
    [email],
  );
  return rows[0]?.hash ?? null;
};

test('makes an operator who owns a new organization, with a password that was generated', async () => {
  const made = await make();
  expect(made.generatedPassword).toMatch(/^[\w-]{24}$/);
  expect(
    await verifyPassword(
      { email: 'first@example.test', isKnown: false },
      await passwordHash('first@example.test'),
      made.generatedPassword ?? '',
    ),
  ).toBe(true);
  const [row] = await scratch.query(
    `SELECT m.role, o.is_platform_administrator, g.name, (SELECT count(*)::int FROM tollgate.workspace_settings s
        WHERE s.workspace_id = g.workspace_id) AS settings
       FROM tollgate.organization_members m JOIN tollgate.operators o ON o.id = m.operator_id
       JOIN tollgate.organizations g USING (workspace_id) WHERE g.workspace_id = $1`,
    [made.organizationId],
  );
  expect(row).toEqual({ role: 'owner', is_platform_administrator: true, name: 'Acme', settings: 2 });
});

test('takes a given password, and does not give it back', async () => {
  const made = await make({ email: 'given@example.test', password: 'a given passphrase' });
  expect(made.generatedPassword).toBeNull();
  expect(
    await verifyPassword(
      { email: 'given@example.test', isKnown: false },
      await passwordHash('given@example.test'),
      'a given passphrase',
    ),
  ).toBe(true);
});

test('refuses a weak password, and creates nothing', async () => {
  await expect(make({ email: 'weak@example.test', password: 'short' })).rejects.toMatchObject({
    code: 'validation_failed',
  });
  expect(await passwordHash('weak@example.test')).toBeNull();
});

test('does not change an existing account', async () => {
  await make({ email: 'known@example.test', password: 'the first passphrase' });
  const before = await passwordHash('known@example.test');
  await expect(
    make({ email: 'Known@Example.test', password: 'another passphrase', organization: 'Second' }),
  ).rejects.toMatchObject({ code: 'resource_conflict' });
  expect(await passwordHash('known@example.test')).toBe(before);
  expect(await scratch.query("SELECT FROM tollgate.organizations WHERE name = 'Second'")).toEqual([]);
});

test('of two at once for one address makes one, whole', async () => {
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map((index) => make({ email: 'race@example.test', organization: `Race ${index}` })),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await scratch.query("SELECT FROM tollgate.organizations WHERE name LIKE 'Race %'")).toHaveLength(1);
});
