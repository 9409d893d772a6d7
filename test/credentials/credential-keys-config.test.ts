import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readCredentialKeys } from '../../src/config/credential-keys';
import { readProviderUrls } from '../../src/config/provider-urls';

const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

test('keys come from the variable, in either alphabet of base64', () => {
  const text = `k1:${key(0xff)}, k2:${Buffer.alloc(32, 0xff).toString('base64url')}`;
  const { keys, activeKeyId } = readCredentialKeys({
    TOLLGATE_CREDENTIAL_KEYS: text,
    TOLLGATE_CREDENTIAL_ACTIVE_KEY: 'k2',
  });
  expect(keys).toEqual(['k1', 'k2'].map((id) => ({ id, key: Buffer.alloc(32, 0xff) })));
  expect(activeKeyId).toBe('k2');
  expect(readCredentialKeys({})).toEqual({ keys: [], activeKeyId: undefined });
});

test('keys come from a file, one a line', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'tollgate-test-'));
  try {
    const file = path.join(directory, 'keys');
    await writeFile(file, `k1:${key(1)}\nk2:${key(2)}\n`);
    const { keys } = readCredentialKeys({ TOLLGATE_CREDENTIAL_KEYS_FILE: file });
    expect(keys.map(({ id }) => id)).toEqual(['k1', 'k2']);
    const missing = { TOLLGATE_CREDENTIAL_KEYS_FILE: path.join(directory, 'none') };
    expect(() => readCredentialKeys(missing)).toThrow(
      'TOLLGATE_CREDENTIAL_KEYS_FILE cannot be read (ENOENT)',
    );
  } finally {
    await rm(directory, { recursive: true });
  }
});

test.each<[string, Record<string, string>, string]>([
  ['both', { TOLLGATE_CREDENTIAL_KEYS: `k1:${key(1)}`, TOLLGATE_CREDENTIAL_KEYS_FILE: 'x' }, 'not both'],
  ['a placeholder left blank', { TOLLGATE_CREDENTIAL_KEYS: ' ,' }, 'has no key'],
  ['a short key', { TOLLGATE_CREDENTIAL_KEYS: `k1:${key(1)},k2:fakeshortkey` }, 'entry 2'],
  ['a key without an id', { TOLLGATE_CREDENTIAL_KEYS: key(1) }, 'entry 1'],
  ['an id that is none', { TOLLGATE_CREDENTIAL_KEYS: `k 1:${key(1)}` }, 'entry 1'],
  ['one id twice', { TOLLGATE_CREDENTIAL_KEYS: `k1:${key(1)},k1:${key(2)}` }, 'two keys with one id'],
  [
    'an active key that is not there',
    { TOLLGATE_CREDENTIAL_KEYS: `k1:${key(1)}`, TOLLGATE_CREDENTIAL_ACTIVE_KEY: 'k2' },
    'not the id of one of TOLLGATE_CREDENTIAL_KEYS',
  ],
  [
    'a key in the place of its id',
    { TOLLGATE_CREDENTIAL_KEYS: `k1:${key(1)}`, TOLLGATE_CREDENTIAL_ACTIVE_KEY: `k2:${key(2)}` },
    'not the id of one of TOLLGATE_CREDENTIAL_KEYS',
  ],
])('%s is refused, and no key is quoted', (_, environment, message) => {
  let thrown: unknown;
  try {
    readCredentialKeys(environment);
  } catch (error) {
    thrown = error;
  }
  expect(String(thrown)).toContain(message);
  for (const secret of [key(1), key(2), 'fakeshortkey']) expect(String(thrown)).not.toContain(secret);
});

test('addresses of simulators are refused in production mode, which is also the mode when none is said', () => {
  const urls = { TOLLGATE_PROVIDER_B_URL: 'http://127.0.0.1:1/' };
  expect(readProviderUrls({ NODE_ENV: 'development', ...urls })).toEqual({
    provider_b: 'http://127.0.0.1:1',
  });
  for (const mode of [{}, { NODE_ENV: 'production' }]) {
    expect(() => readProviderUrls({ ...mode, ...urls })).toThrow('simulators');
    expect(readProviderUrls(mode)).toEqual({});
  }
});
