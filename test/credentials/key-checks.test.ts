import { readFile } from 'node:fs/promises';
import type { CredentialKeys } from '../../src/credentials/key-ring';
import { connect, complete, PATH } from '../connections/connection-calls';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { logIn, type OperatorClient } from '../support/operator';
import { createWorkspace } from '../support/workspace';
import { startCredentialService, type CredentialService } from './credential-service';
import { testKeys } from './keys';
import { plantSealed } from './planted';

/** A key id stands for the bytes that sealed under it, even while no process that holds them is running. */
let database: TestDatabase;
let running: CredentialService[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await stopAll();
  await database.drop();
});

/** Returns a ring of these ids; those in `other` have bytes other than those of `testKeys`. */
function keysWith(ids: readonly string[], other: readonly string[] = []): CredentialKeys {
  const keys = testKeys(...ids).keys.map((key) =>
    other.includes(key.id) ? { id: key.id, key: Buffer.alloc(32, 7) } : key,
  );
  return { keys, activeKeyId: ids[0] };
}
async function start(ids: readonly string[], other: readonly string[] = []): Promise<CredentialService> {
  const service = await startCredentialService(database, { keys: keysWith(ids, other) });
  running.push(service);
  return service;
}
async function stopAll(): Promise<void> {
  await Promise.all(running.map((service) => service.stop()));
  running = [];
}
const administrator = (service: CredentialService): Promise<OperatorClient> =>
  logIn(service, { platformAdministrator: true, role: 'admin' });
const report = async (client: OperatorClient) =>
  (await client.get('/api/admin/provider-credentials/migrate', { env: null })).body;
const recorded = async (): Promise<string[]> =>
  (await database.query<{ key_id: string }>('SELECT key_id FROM tollgate.key_checks ORDER BY 1')).map(
    ({ key_id: id }) => id,
  );
const ENDPOINTS = '/api/webhook-endpoints';
const endpoint = async (client: OperatorClient): Promise<string> =>
  String((await client.post(ENDPOINTS, { body: { url: 'https://93.184.216.34/hook' } })).body['id']);
const WRONG = /under the credential key "k1".*a different key.*TOLLGATE_CREDENTIAL_KEYS/;

test('all are stopped, and one with other bytes under the id does not start', async () => {
  const client = await administrator(await start(['k1']));
  await connect(client, { secrets: complete.provider_a() });
  await stopAll();
  await expect(start(['k1'], ['k1'])).rejects.toThrow(WRONG);
  // The attempt has left nothing behind.
  const again = await administrator(await start(['k1']));
  expect(await report(again)).toMatchObject({ keys: [{ id: 'k1', heldByAll: true, mismatch: false }] });
  await connect(again, { secrets: complete.provider_a() });
});

test('where nothing is recorded yet, what is stored decides, also among several that start at once', async () => {
  await plantSealed(database, (await createWorkspace(database)).sandbox, 30);
  await database.query("UPDATE tollgate.provider_connections SET revision = 9 WHERE right(id, 1) < 'g'");
  expect(await recorded()).toEqual([]);
  const starts = await Promise.allSettled([
    ...[start(['k1'], ['k1']), start(['k1']), start(['k1', 'k2']), start(['k1'], ['k1'])],
  ]);
  expect(starts.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'rejected']);
  expect(await recorded()).toEqual(['k1']);
});

test('an id that nothing is sealed under is free again, and that of a retired key too', async () => {
  // A mistyped key that was never used.
  await start(['k1', 'k2'], ['k1', 'k2']);
  await stopAll();
  const client = await administrator(await start(['k1', 'k2']));
  await connect(client, { secrets: complete.provider_a() });
  await client.post('/api/admin/provider-credentials/active-key', { env: null, body: { keyId: 'k2' } });
  expect(await recorded()).toEqual(['k1', 'k2']);
  // Pending envelopes still need it.
  await stopAll();
  await expect(start(['k1', 'k2'], ['k1'])).rejects.toThrow(WRONG);
  const later = await administrator(await start(['k1', 'k2']));
  await later.post('/api/admin/provider-credentials/migrate', { env: null });
  expect(await report(later)).toMatchObject({ pending: 0 });
  await stopAll();
  await start(['k2']);
  expect(await recorded()).toEqual(['k2']);
  await stopAll();
  await start(['k2', 'k1'], ['k1']);
  await stopAll();
  await expect(start(['k2'], ['k2'])).rejects.toThrow('"k2"');
});

test('a process with other bytes than are recorded seals nothing, and the report says so', async () => {
  const client = await administrator(await start(['k1']));
  // Simulates a process that has run since before the key checks were recorded.
  await database.query("UPDATE tollgate.key_checks SET check_value = '00000000'");
  const body = { provider: 'provider_a', displayName: 'X', secrets: complete.provider_a() };
  expect(await client.post(PATH, { body })).toMatchObject({ status: 503, body: { code: 'key_unavailable' } });
  expect(await report(client)).toMatchObject({ keys: [{ id: 'k1', heldByAll: false, mismatch: true }] });
});

test('a lost key: once emptied as docs/secrets.md says, the installation works with a new one', async () => {
  const client = await administrator(await start(['k1', 'k2']));
  await connect(client, { secrets: complete.provider_a() });
  await endpoint(client);
  const rolled = await endpoint(client);
  const twice = await endpoint(client);
  await client.post('/api/admin/provider-credentials/active-key', { env: null, body: { keyId: 'k2' } });
  for (const id of [rolled, twice, twice])
    await client.post(`${ENDPOINTS}/${id}/roll`, { body: { overlapHours: 1 } });
  await stopAll();
  await expect(start(['k2'])).rejects.toThrow('"k1"');
  const text = await readFile('docs/secrets.md', 'utf8');
  const statements = /## A lost credential key.*?```sql\n(.*?)```/s.exec(text)?.[1] ?? '';
  for (const statement of statements.trim().split('\n')) await database.query(statement);
  const later = await administrator(await start(['k2']));
  expect(await recorded()).toEqual(['k2']);
  await connect(later, { secrets: complete.provider_a() });
  expect(await report(later)).toMatchObject({ pending: 0, activeKeyId: 'k2' });
  // Secrets under the other key are not lost: they remain.
  const left = 'SELECT id, previous_key_id, older_key_ids FROM tollgate.webhook_endpoints ORDER BY id';
  expect(await database.query(left)).toEqual([
    { id: rolled, previous_key_id: null, older_key_ids: [] },
    { id: twice, previous_key_id: null, older_key_ids: [] },
  ]);
});

test('an envelope that cannot be opened stays pending, until it is emptied and rolled as docs/secrets.md says', async () => {
  const client = await administrator(await start(['k1', 'k2']));
  const connection = await connect(client, { secrets: complete.provider_a() });
  const hook = await endpoint(client);
  await database.query('UPDATE tollgate.provider_connections SET revision = revision + 1');
  await database.query(
    `UPDATE tollgate.webhook_endpoints SET secret_envelope = jsonb_set(secret_envelope, '{revision}', '7')`,
  );
  await client.post('/api/admin/provider-credentials/active-key', { env: null, body: { keyId: 'k2' } });
  const migrated = await client.post('/api/admin/provider-credentials/migrate', { env: null });
  expect(migrated.body).toMatchObject({ oldKey: 1, endpointSecrets: 1, migration: { skipped: 2 } });
  const text = await readFile('docs/secrets.md', 'utf8');
  const statements = /## Rotating the credential key.*?```sql\n(.*?)```/s.exec(text)?.[1] ?? '';
  const [find = '', empty = ''] = statements.trim().split('\n');
  expect(await database.query(find)).toMatchObject([{ id: connection }]);
  await database.query(empty.replace('conn_…', connection));
  await client.post(`${ENDPOINTS}/${hook}/roll`, { body: { overlapHours: 0 } });
  expect(await report(client)).toMatchObject({ pending: 0 });
  const secrets = complete.provider_a();
  expect((await client.patch(`${PATH}/${connection}`, { body: { secrets } })).status).toBe(200);
  await stopAll();
  await start(['k2']);
});
