import { randomBytes } from 'node:crypto';
import type { LoginRole } from '../../src/db/migrate';
import { openDatabase } from '../../src/db/pools';
import { refuseWrongRole } from '../../src/db/role-guard';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { EntryPoint } from '../support/entry-point';
import { processSettings } from '../support/process-settings';
import { createLogger } from '../../src/telemetry/logger';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const wrong: [string, string, LoginRole, LoginRole][] = [
  ['api', 'TOLLGATE_DATABASE_URL', 'tollgate_worker', 'tollgate_app'],
  ['verify', 'TOLLGATE_DATABASE_URL', 'tollgate_deliverer', 'tollgate_app'],
  ['worker', 'TOLLGATE_DATABASE_WORKER_URL', 'tollgate_app', 'tollgate_worker'],
  ['maintain', 'TOLLGATE_DATABASE_WORKER_URL', 'tollgate_app', 'tollgate_worker'],
  ['deliver', 'TOLLGATE_DATABASE_DELIVERER_URL', 'tollgate_worker', 'tollgate_deliverer'],
  ['relay', 'TOLLGATE_DATABASE_RELAY_URL', 'tollgate_worker', 'tollgate_relay'],
];
test.each(wrong)('%s does not start if %s has the role %s', async (name, setting, given, wanted) => {
  const settings = processSettings(database);
  const process = new EntryPoint(name, {
    NODE_ENV: 'test',
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    ...settings,
    [setting]: database.url(given),
  });
  try {
    expect((await process.exit).code).toBe(1);
    expect(process.output).toMatch(
      new RegExp(
        `^${name}: The database role "${given}" lacks rights .* Connect as ${wanted}: correct the address of the database \\(TOLLGATE_DATABASE_…\\)\\.$`,
        'm',
      ),
    );
  } finally {
    process.kill();
  }
});

test('maintain does not start if TOLLGATE_DATABASE_MIGRATOR_URL has the role of the service', async () => {
  const process = new EntryPoint('maintain', {
    ...processSettings(database),
    TOLLGATE_DATABASE_MIGRATOR_URL: database.url('tollgate_worker'),
  });
  try {
    expect((await process.exit).code).toBe(1);
    expect(process.output).toMatch(/^maintain: .*TOLLGATE_DATABASE_MIGRATOR_URL/m);
  } finally {
    process.kill();
  }
});

test('a login that inherits the role of the process is accepted', async () => {
  const login = `login_${randomBytes(6).toString('hex')}`;
  await database.query(`CREATE ROLE ${login} LOGIN PASSWORD 'login' IN ROLE tollgate_relay`);
  const url = new URL(database.adminUrl);
  url.username = login;
  url.password = 'login';
  const opened = openDatabase(url.href, {
    max: 1,
    applicationName: 'test',
    log: createLogger('test', 'silent'),
  });
  try {
    await expect(refuseWrongRole(opened, 'tollgate_relay')).resolves.toBeUndefined();
    await expect(refuseWrongRole(opened, 'tollgate_worker')).rejects.toThrow(/lacks rights/);
  } finally {
    await opened.destroy();
    await database.query(`DROP ROLE ${login}`);
  }
});
