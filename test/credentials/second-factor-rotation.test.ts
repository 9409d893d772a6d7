import { createKeyRing, type CredentialKeys } from '../../src/credentials/key-ring';
import { joinKeyRing } from '../../src/credentials/key-ring-runtime';
import { openDatabase } from '../../src/db/pools';
import { createLogger } from '../../src/telemetry/logger';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { logIn, type OperatorClient } from '../support/operator';
import { enrol, password, sendCode, type Authenticator } from '../support/second-factor';
import { TestClock } from '../support/service';
import { startCredentialService, type CredentialService } from './credential-service';
import { testKeys } from './keys';

/** A key that seals a second factor's secret is needed as much as one that seals a connection's. */
let database: TestDatabase;
let service: CredentialService | undefined;
const clock = new TestClock();
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await stop();
  await database.drop();
});

async function start(keys: CredentialKeys): Promise<CredentialService> {
  await stop();
  service = await startCredentialService(database, { keys, clock });
  return service;
}
async function stop(): Promise<void> {
  await service?.stop();
  service = undefined;
}
const none = { env: null } as const;
const path = '/api/admin/provider-credentials';
const MISSING = /key is missing that is still needed: "k1", under which 1 stored credentials are sealed/;

async function administrator(): Promise<{ client: OperatorClient; app: Authenticator }> {
  const started = await start(testKeys('k1'));
  const client = await logIn(started, { platformAdministrator: true, role: 'owner' });
  return { client, ...(await enrol(started, client)) };
}

async function logsIn(email: string, app: Authenticator): Promise<number> {
  const { console: consoleUrl } = service?.urls ?? { console: '' };
  const { token } = await password(consoleUrl, email);
  const { status, cookies } = await sendCode(consoleUrl, token, app.next());
  cookie = cookies[0] ?? '';
  return status;
}
let cookie = '';

test('a rotation takes the secrets along, and a key that wraps one is neither forgotten nor let go', async () => {
  const { client, app } = await administrator();
  const both = await start(testKeys('k1', 'k2'));
  expect(await logsIn(client.email, app)).toBe(200);
  const call = async (method: 'GET' | 'POST', at: string, body?: object) => {
    const answer = await fetch(both.urls.console + at, {
      method,
      headers: { Cookie: cookie, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  const before = { pending: 1, oldKey: 0, oldSecondFactors: 1, secondFactors: 1, activeKeyId: 'k2' };
  expect(await call('POST', `${path}/active-key`, { keyId: 'k2' })).toMatchObject(before);
  await expect(start(testKeys('k2'))).rejects.toThrow(MISSING);
  await start(testKeys('k1', 'k2'));
  expect(await logsIn(client.email, app)).toBe(200);
  const { console: consoleUrl } = service?.urls ?? { console: '' };
  const migrated = await fetch(`${consoleUrl}${path}/migrate`, {
    method: 'POST',
    headers: { Cookie: cookie },
  });
  expect(await migrated.json()).toMatchObject({ pending: 0, oldSecondFactors: 0, secondFactors: 1 });
  await start(testKeys('k2'));
  expect(await logsIn(client.email, app)).toBe(200);
});

test('other bytes under its id are found out, by an api and not by a worker, which sees no second factors', async () => {
  await administrator();
  await stop();
  // Simulates a restored database that is older than the record of its keys.
  await database.query('DELETE FROM tollgate.key_checks');
  const others = { keys: [{ id: 'k1', key: Buffer.alloc(32, 7) }], activeKeyId: 'k1' };
  await expect(start(others)).rejects.toThrow(/different key/);
  const log = createLogger('test', 'silent');
  const worker = openDatabase(database.url('tollgate_worker'), { max: 1, applicationName: 'test', log });
  try {
    const keyRing = createKeyRing(testKeys('k1'));
    const joined = await joinKeyRing({ database: worker, keyRing, process: 'worker', clock, log });
    await joined.leave();
    const missing = createKeyRing(testKeys('k2'));
    const without = joinKeyRing({ database: worker, keyRing: missing, process: 'worker', clock, log });
    await expect(without).rejects.toThrow(MISSING);
  } finally {
    await worker.destroy();
  }
  await start(testKeys('k1'));
  expect(await database.query('SELECT key_id FROM tollgate.key_checks')).toEqual([{ key_id: 'k1' }]);
});

test('without a key none can be set up, and what says so is a 503', async () => {
  const started = await start({ keys: [], activeKeyId: undefined });
  const client = await logIn(started, { role: 'owner' });
  const begun = await client.post('/api/auth/second-factor', {
    ...none,
    body: { password: 'correct horse battery staple' },
  });
  expect(begun).toMatchObject({ status: 503, body: { code: 'key_unavailable' } });
});
