import { findFreePort } from '../../src/embedded/free-port';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { EntryPoint } from '../support/entry-point';
import { processSettings } from '../support/process-settings';
import { createWorkspace } from '../support/workspace';
import { testKeys } from './keys';
import { plantSealed } from './planted';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await plantSealed(database, (await createWorkspace(database)).sandbox, 3);
});
afterAll(() => database.drop());

/** Returns the variable's value for these keys. */
const variable = (...ids: string[]): string =>
  testKeys(...ids)
    .keys.map(({ id, key }) => `${id}:${key.toString('base64')}`)
    .join(',');

async function start(entry: 'api' | 'worker', keys: Record<string, string>): Promise<EntryPoint> {
  const temporal = entry === 'worker' ? { TEMPORAL_ADDRESS: `127.0.0.1:${await findFreePort()}` } : {};
  return new EntryPoint(entry, { NODE_ENV: 'test', ...processSettings(database), ...temporal, ...keys });
}

test.each(['api', 'worker'] as const)('%s without a key that is needed says so and ends', async (entry) => {
  for (const keys of [{}, { TOLLGATE_CREDENTIAL_KEYS: variable('k2') }]) {
    const process = await start(entry, keys);
    const { code } = await process.exit;
    expect(code).toBe(1);
    expect(process.output).toContain(`${entry}: A credential key is missing`);
    expect(process.output).toContain('"k1", under which 3 stored credentials are sealed');
  }
});

test('api with its keys starts, and publishes that it holds them', async () => {
  const process = await start('api', { TOLLGATE_CREDENTIAL_KEYS: variable('k1', 'k2') });
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
