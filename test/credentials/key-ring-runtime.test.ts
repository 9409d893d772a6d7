import { createKeyRing } from '../../src/credentials/key-ring';
import { joinKeyRing } from '../../src/credentials/key-ring-runtime';
import { openDatabase } from '../../src/db/pools';
import { createLogger } from '../../src/telemetry/logger';
import { connect, complete, PATH } from '../connections/connection-calls';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { logIn, type OperatorClient } from '../support/operator';
import { TestClock } from '../support/service';
import { until } from '../support/until';
import { startCredentialService, type CredentialService } from './credential-service';
import { testKeys } from './keys';

/** Which processes hold which keys, which key writes, and what a process needs to start. */
let database: TestDatabase;
const clock = new TestClock();
let running: CredentialService[] = [];
beforeEach(async () => {
  clock.ahead = 0;
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(running.map((service) => service.stop()));
  running = [];
  await database.drop();
});

async function start(...keys: string[]): Promise<CredentialService> {
  const service = await startCredentialService(database, { keys: testKeys(...keys), clock });
  running.push(service);
  return service;
}
async function stop(service: CredentialService): Promise<void> {
  running = running.filter((other) => other !== service);
  await service.stop();
}
const administrator = (service: CredentialService): Promise<OperatorClient> =>
  logIn(service, { platformAdministrator: true, role: 'admin' });
const switchTo = (client: OperatorClient, keyId: string) =>
  client.post('/api/admin/provider-credentials/active-key', { env: null, body: { keyId } });
const report = async (client: OperatorClient) =>
  (await client.get('/api/admin/provider-credentials/migrate', { env: null })).body;

test('the first process chooses the key that writes, and a later one does not change it', async () => {
  const first = await start('k1');
  const client = await administrator(first);
  await start('k2', 'k1');
  expect(await report(client)).toMatchObject({
    activeKeyId: 'k1',
    keys: [
      { id: 'k1', active: true, heldByAll: true },
      { id: 'k2', active: false, heldByAll: false },
    ],
    runtimes: [
      { process: 'api', keyIds: ['k1'] },
      { process: 'api', keyIds: ['k2', 'k1'] },
    ],
  });
});

test('a switch is refused until every process that runs holds the key', async () => {
  const old = await start('k1');
  const client = await administrator(await start('k1', 'k2'));
  const refused = await switchTo(client, 'k2');
  expect(refused).toMatchObject({ status: 409, body: { code: 'key_switch_refused' } });
  expect(refused.body['runtimes']).toEqual([{ id: expect.stringMatching(/^rt_/) as string, process: 'api' }]);
  expect((await report(client))['activeKeyId']).toBe('k1');
  await stop(old);
  expect(await switchTo(client, 'k2')).toMatchObject({ status: 200, body: { activeKeyId: 'k2' } });
  const [act] = await database.query(
    "SELECT detail FROM tollgate.platform_audit WHERE action = 'credential_key.switched'",
  );
  expect(act).toEqual({ detail: { from: 'k1', to: 'k2' } });
});

test('a process that died without a word keeps a switch up for ninety seconds and no longer', async () => {
  const client = await administrator(await start('k1', 'k2'));
  await database.query(
    `INSERT INTO tollgate.key_ring_runtimes (id, process, key_ids, started_at, seen_at)
     VALUES ('rt_dead', 'worker', '{}', now(), now() - interval '60 seconds')`,
  );
  expect((await switchTo(client, 'k2')).status).toBe(409);
  await database.query(
    "UPDATE tollgate.key_ring_runtimes SET seen_at = now() - interval '91 seconds' WHERE id = 'rt_dead'",
  );
  expect((await switchTo(client, 'k2')).status).toBe(200);
});

test.each([-10, 10])('a process whose clock is %d minutes off keeps a switch up as well', async (minutes) => {
  const client = await administrator(await start('k1', 'k2'));
  const off = new TestClock();
  off.ahead = minutes * 60_000;
  const other = await startCredentialService(database, { keys: testKeys('k1'), clock: off });
  running.push(other);
  expect((await switchTo(client, 'k2')).status).toBe(409);
  expect(await report(client)).toMatchObject({ runtimes: [{}, {}] });
});

test('two processes that mean different keys by one name are found out', async () => {
  const client = await administrator(await start('k1', 'k2'));
  const impostor = {
    keys: [...testKeys('k1').keys, { id: 'k2', key: Buffer.alloc(32, 7) }],
    activeKeyId: 'k1',
  };
  await expect(startCredentialService(database, { keys: impostor, clock })).rejects.toThrow(
    /different key than this one under the credential key id "k2".*TOLLGATE_CREDENTIAL_KEYS/,
  );
  // A process that was already there before any check.
  await database.query(
    `INSERT INTO tollgate.key_ring_runtimes (id, process, key_ids, started_at, seen_at)
     VALUES ('rt_other', 'worker', $1, now(), now())`,
    [createKeyRing(impostor).published],
  );
  expect((await switchTo(client, 'k2')).status).toBe(409);
  expect((await report(client))['keys']).toMatchObject([
    { id: 'k1', heldByAll: true, mismatch: false },
    { id: 'k2', heldByAll: false, mismatch: true },
  ]);
});

test('nothing is sealed with a key for which another process has other bytes', async () => {
  const client = await administrator(await start('k1'));
  const sealed = await connect(client, { secrets: complete.provider_a() });
  await database.query(
    `INSERT INTO tollgate.key_ring_runtimes (id, process, key_ids, started_at, seen_at)
     VALUES ('rt_other', 'worker', '{k1#00000000}', now(), now())`,
  );
  const body = { provider: 'provider_a', displayName: 'X', secrets: complete.provider_a() };
  expect(await client.post(PATH, { body })).toMatchObject({ status: 503, body: { code: 'key_unavailable' } });
  // Secrets sealed before can be read, and members that are not secret can be changed.
  const renamed = await client.patch(`${PATH}/${sealed}`, { body: { displayName: 'Y' } });
  expect(renamed.status).toBe(200);
  await database.query(`DELETE FROM tollgate.key_ring_runtimes WHERE id = 'rt_other'`);
  expect((await client.post(PATH, { body })).status).toBe(201);
});

test('a key that the asked process does not hold is refused', async () => {
  const client = await administrator(await start('k1'));
  const refused = await switchTo(client, 'k9');
  // The fix does not send to `runtimes`, which names nobody.
  expect(refused).toMatchObject({
    status: 409,
    body: {
      runtimes: [],
      fix: expect.stringMatching(/^Give every api, worker and deliver process/) as string,
    },
  });
});

test('a process without a key that is still needed says which, and does not start', async () => {
  const service = await start('k1', 'k2');
  const client = await administrator(service);
  await connect(client, { secrets: complete.provider_a() });
  await connect(client, { secrets: complete.provider_a() });
  await expect(start('k2')).rejects.toThrow(
    /"k1", under which 2 stored credentials are sealed.*TOLLGATE_CREDENTIAL_KEYS.*pending: 0.*A lost credential key/,
  );
  await expect(
    startCredentialService(database, { keys: { keys: [], activeKeyId: undefined } }),
  ).rejects.toThrow('"k1"');
  await switchTo(client, 'k2');
  // The key still seals pending envelopes, so it may not be removed yet.
  await expect(start('k2')).rejects.toThrow('"k1", under which 2');
  await expect(start('k1')).rejects.toThrow('"k2", which is the key that writes');
  await client.post('/api/admin/provider-credentials/migrate', { env: null });
  expect((await report(client))['pending']).toBe(0);
  const later = await start('k2');
  expect((await (await administrator(later)).get(PATH)).status).toBe(200);
});

test('without keys everything but secrets works', async () => {
  running.push(await startCredentialService(database, { keys: { keys: [], activeKeyId: undefined } }));
  const client = await administrator(running[0] as CredentialService);
  const body = { provider: 'provider_a', displayName: 'X' };
  expect((await client.post(PATH, { body })).status).toBe(201);
  const withSecret = { body: { ...body, secrets: complete.provider_a() } };
  expect(await client.post(PATH, withSecret)).toMatchObject({
    status: 503,
    body: { code: 'key_unavailable' },
  });
  expect(await report(client)).toMatchObject({ pending: 0, activeKeyId: null, keys: [] });
  expect((await client.post('/api/admin/provider-credentials/migrate', { env: null })).status).toBe(503);
});

test('a process that stops leaves the ring', async () => {
  const first = await start('k1');
  const second = await start('k1');
  await stop(second);
  expect((await report(await administrator(first)))['runtimes']).toHaveLength(1);
});

test('a running process renews its row, even if that was lost', async () => {
  const log = createLogger('test', 'silent');
  const pool = openDatabase(database.url('tollgate_worker'), { max: 1, applicationName: 'test', log });
  const keyRing = createKeyRing(testKeys('k1'));
  const options = { database: pool, keyRing, process: 'worker', clock, log, heartbeatMs: 20 } as const;
  const membership = await joinKeyRing(options);
  const isSeen = async (): Promise<boolean> => {
    const rows = await database.query(
      "SELECT FROM tollgate.key_ring_runtimes WHERE seen_at > now() - interval '1 minute'",
    );
    return rows.length === 1;
  };
  await database.query("UPDATE tollgate.key_ring_runtimes SET seen_at = now() - interval '2 minutes'");
  await until(isSeen);
  await database.query('DELETE FROM tollgate.key_ring_runtimes');
  await until(isSeen);
  await membership.leave();
  await pool.destroy();
});
