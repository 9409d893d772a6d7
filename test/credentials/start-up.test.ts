import { findFreePort } from '../../src/embedded/free-port';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { EntryPoint } from '../support/entry-point';
import { testSecrets } from '../support/service';
import { createWorkspace } from '../support/workspace';
import { testKeys } from './keys';
import { plantSealed } from './planted';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await plantSealed(database, (await createWorkspace(database)).sandbox, 3);
});
afterAll(() => database.drop());

/** The variable's value for some keys. */
const variable = (...ids: string[]): string =>
  testKeys(...ids)
    .keys.map(({ id, key }) => `${id}:${key.toString('base64')}`)
    .join(',');

async function environmentOf(entry: 'api' | 'worker'): Promise<Record<string, string>> {
  const url = 'http://127.0.0.1:1';
  const [console, sandbox, production, metrics] = await Promise.all(
    Array.from({ length: 4 }, () => findFreePort()),
  );
  if (entry === 'worker') {
    const away = `127.0.0.1:${await findFreePort()}`;
    return {
      TOLLGATE_DATABASE_WORKER_URL: database.url('tollgate_worker'),
      TOLLGATE_SANDBOX_URL: url,
      TOLLGATE_PRODUCTION_URL: url,
      TEMPORAL_ADDRESS: away,
    };
  }
  return {
    TOLLGATE_DATABASE_URL: database.url('tollgate_app'),
    TOLLGATE_API_KEY_PEPPER: testSecrets.apiKeyPepper,
    TOLLGATE_CURSOR_SECRET: testSecrets.cursorSecret,
    TOLLGATE_CONSOLE_URL: url,
    TOLLGATE_SANDBOX_URL: url,
    TOLLGATE_PRODUCTION_URL: url,
    TOLLGATE_CONSOLE_PORT: String(console),
    TOLLGATE_SANDBOX_PORT: String(sandbox),
    TOLLGATE_PRODUCTION_PORT: String(production),
    TOLLGATE_METRICS_PORT: String(metrics),
  };
}

test.each(['api', 'worker'] as const)('%s without a key that is needed says so and ends', async (entry) => {
  for (const keys of [{}, { TOLLGATE_CREDENTIAL_KEYS: variable('k2') }]) {
    const process = new EntryPoint(entry, { NODE_ENV: 'test', ...(await environmentOf(entry)), ...keys });
    const { code } = await process.exit;
    expect(code).toBe(1);
    expect(process.output).toContain(`${entry}: A credential key is missing`);
    expect(process.output).toContain('"k1", under which 3 stored credentials are sealed');
  }
});

test('api with its keys starts, and publishes that it holds them', async () => {
  const keys = { TOLLGATE_CREDENTIAL_KEYS: variable('k1', 'k2') };
  const process = new EntryPoint('api', { NODE_ENV: 'test', ...(await environmentOf('api')), ...keys });
  try {
    await process.says(/listening/);
    const [runtime] = await database.query<{ process: string; key_ids: string[] }>(
      'SELECT process, key_ids FROM tollgate.key_ring_runtimes',
    );
    expect(runtime?.process).toBe('api');
    expect(runtime?.key_ids.map((id) => id.split('#')[0])).toEqual(['k1', 'k2']);
    expect(process.output).not.toContain(variable('k1').slice(3));
  } finally {
    process.child.kill('SIGTERM');
    await process.exit;
  }
  expect(await database.query('SELECT FROM tollgate.key_ring_runtimes')).toEqual([]);
});
