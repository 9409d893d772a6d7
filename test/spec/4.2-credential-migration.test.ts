import { openConnection } from '../../src/connections/open-connection';
import { openSecrets } from '../../src/connections/sealed-secrets';
import { createKeyRing } from '../../src/credentials/key-ring';
import { openDatabase } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { providerA } from '../../src/providers/provider-a/adapter';
import { createLogger } from '../../src/telemetry/logger';
import { reopenVerified } from '../../src/webhooks/verify-webhook';
import {
  complete,
  connect,
  fakeSecret,
  PATH,
  plantLegacy,
  problemOf,
  stored,
} from '../connections/connection-calls';
import { startCredentialService, type CredentialService } from '../credentials/credential-service';
import { testKeys } from '../credentials/keys';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { createClient, logIn, type OperatorClient } from '../support/operator';
import { startTestService } from '../support/service';
import { createWorkspace } from '../support/workspace';

/** Section 4.2, `/api/admin/provider-credentials/migrate`: the report, and the run that reduces it to `pending: 0`. */
const MIGRATE = '/api/admin/provider-credentials/migrate';
const ring = createKeyRing(testKeys('k1', 'k2'));
let database: TestDatabase;
let service: CredentialService;
let client: OperatorClient;
beforeEach(async () => {
  database = await createTestDatabase();
  service = await startCredentialService(database, { keys: testKeys('k1', 'k2') });
  client = await logIn(service, { platformAdministrator: true, role: 'admin' });
});
afterEach(async () => {
  await service.stop();
  await database.drop();
});

const report = async () => (await client.get(MIGRATE, { env: null })).body;
const migrate = () => client.post(MIGRATE, { env: null });
const switchTo = (keyId: string) =>
  client.post('/api/admin/provider-credentials/active-key', { env: null, body: { keyId } });
const secretsOf = async (id: string, environment: 'sandbox' | 'production' = 'sandbox') => {
  const [row] = await database.query('SELECT * FROM tollgate.provider_connections WHERE id = $1', [id]);
  return openSecrets(ring, { workspaceId: client.workspaceId, environment }, row as never);
};
const plant = (id: string, settings: Record<string, unknown>, more: object = {}) =>
  plantLegacy(database, { workspaceId: client.workspaceId, id, settings, ...more });

test('nothing is pending where nothing is stored', async () => {
  expect(await report()).toMatchObject({ pending: 0, connections: 0, activeKeyId: 'k1', migration: null });
});

test('envelopes move to the active key, in every workspace and environment, and open as before', async () => {
  const other = await logIn(service, { role: 'admin' });
  const secrets = complete.provider_a();
  const live = { secretKey: fakeSecret('sk_live_') };
  const id = await connect(client, { secrets });
  const production = await connect(client, { secrets: live }, 'production');
  await connect(other, { secrets: complete.provider_b(), provider: 'provider_b' });
  await connect(client, { provider: 'provider_c' });
  const disabled = await connect(client, { secrets: complete.provider_a() });
  await client.delete(`${PATH}/${disabled}`);
  expect(await report()).toMatchObject({ pending: 0, connections: 5 });

  await switchTo('k2');
  expect(await report()).toMatchObject({
    pending: 4,
    oldKey: 4,
    legacy: 0,
    publicSecrets: 0,
    connections: 5,
  });
  const before = await stored(database, id);
  const answer = await migrate();
  expect(answer).toMatchObject({
    status: 200,
    body: {
      pending: 0,
      keys: [
        { id: 'k1', envelopes: 0 },
        { id: 'k2', envelopes: 4 },
      ],
      migration: { keyId: 'k2', status: 'complete', migrated: 4, scrubbed: 0, skipped: 0 },
    },
  });
  expect(await secretsOf(id)).toEqual(secrets);
  expect(await secretsOf(production, 'production')).toEqual(live);
  const after = await stored(database, id);
  expect(after).toMatchObject({
    key_id: 'k2',
    revision: 2,
    secret_hints: before.secret_hints,
    settings: before.settings,
  });
  expect(after.envelope?.subarray(65)).not.toEqual(before.envelope?.subarray(65));
});

test('a webhook that is in progress, and what is looked up at the provider, take no new key for new secrets', async () => {
  const id = await connect(client, { secrets: complete.provider_a() });
  const log = createLogger('test', 'silent');
  const url = database.url('tollgate_app');
  const connection = openDatabase(url, { max: 1, applicationName: 'test', log });
  const scope = { workspaceId: client.workspaceId, environment: 'sandbox' } as const;
  const open = async () => {
    const opening = { keyRing: ring, providerUrls: {} };
    return (await inWorkspace(connection, scope, 'SYSTEM', (trx) => openConnection(trx, opening, scope, id)))
      .access;
  };
  try {
    const [adapter, named] = [providerA, { scope, id, provider: 'provider_a' }] as const;
    const verified = { connection: named, access: await open(), adapter };
    const reopened = () => reopenVerified({ openConnection: open }, verified);
    await switchTo('k2');
    await migrate();
    expect((await stored(database, id)).key_id).toBe('k2');
    expect((await reopened()).access).toEqual(verified.access);

    await client.patch(`${PATH}/${id}`, { body: { secrets: { secretKey: fakeSecret('sk_test_') } } });
    await expect(reopened()).rejects.toMatchObject({ code: 'webhook_unverifiable' });
    expect((await open()).secretVersion).toBe(verified.access.secretVersion + 1);
  } finally {
    await connection.destroy();
  }
});

/** Returns the events of changed credentials, newest first. */
async function announced(env: 'sandbox' | 'production'): Promise<Record<string, unknown>[]> {
  const { body } = await client.get('/api/developer-events', {
    env,
    query: { eventType: 'CREDENTIALS_CHANGED' },
  });
  return body['data'] as Record<string, unknown>[];
}

test('a second run finds nothing to do', async () => {
  await connect(client, { secrets: complete.provider_a() });
  await switchTo('k2');
  await migrate();
  expect((await migrate()).body).toMatchObject({
    pending: 0,
    migration: { migrated: 0, status: 'complete' },
  });
});

test('legacy rows are sealed, and their public settings scrubbed, in one step', async () => {
  const secretKey = fakeSecret('sk_test_');
  const webhookSecret = fakeSecret('whsec_');
  const id = await plant('conn_legacy', { secretKey, webhook_secret: webhookSecret, merchantId: 'M-1' });
  expect(await report()).toMatchObject({ pending: 1, legacy: 1, oldKey: 0, publicSecrets: 0 });
  // Until then the secrets are not shown, not even by an edit of another member.
  await client.patch(`${PATH}/${id}`, { body: { displayName: 'Renamed' } });
  for (const path of [PATH, `${PATH}/${id}`]) {
    const shown = JSON.stringify((await client.get(path)).body);
    expect(shown).toContain('M-1');
    for (const secret of [secretKey, webhookSecret]) expect(shown).not.toContain(secret);
  }
  expect((await migrate()).body).toMatchObject({ pending: 0, migration: { migrated: 1, scrubbed: 1 } });
  expect(await secretsOf(id)).toEqual({ secretKey, webhookSecret });
  expect((await stored(database, id)).settings).toEqual({ merchantId: 'M-1' });
  const events = await client.get('/api/developer-events', { query: { eventType: 'CREDENTIALS_CHANGED' } });
  expect(events.body['data']).toMatchObject([
    { source: 'migration', data: { connectionId: id, changed: ['secretKey', 'webhookSecret'] } },
  ]);
  expect(JSON.stringify(events.body)).not.toContain(secretKey);
});

test('a secret in public beside an envelope: what is sealed stays, what is absent there is sealed, both leave the public', async () => {
  const secretKey = fakeSecret('sk_test_');
  const id = await connect(client, { secrets: { secretKey } });
  const inPublic = { secretKey: fakeSecret('sk_test_'), webhookSecret: fakeSecret('whsec_') };
  await database.query('UPDATE tollgate.provider_connections SET settings = settings || $2 WHERE id = $1', [
    id,
    inPublic,
  ]);
  await switchTo('k2');
  expect(await report()).toMatchObject({ pending: 2, oldKey: 1, publicSecrets: 1, legacy: 0 });
  expect((await migrate()).body).toMatchObject({ pending: 0, migration: { migrated: 1, scrubbed: 1 } });
  expect(await secretsOf(id)).toEqual({ secretKey, webhookSecret: inPublic.webhookSecret });
  expect((await stored(database, id)).settings).toEqual({ planReferences: {}, planMappings: {} });
});

test('a secret of the sandbox in a legacy row of production is taken away, and not made a credential', async () => {
  const settings = { secretKey: fakeSecret('sk_test_'), merchantId: 'M-1' };
  const id = await plant('conn_mixed', settings, { environment: 'production' });
  expect((await migrate()).body).toMatchObject({ pending: 0, migration: { scrubbed: 1 } });
  expect(await stored(database, id)).toMatchObject({ envelope: null, settings: { merchantId: 'M-1' } });
  const [event] = await announced('production');
  expect(event).toMatchObject({ data: { connectionId: id, changed: [], removed: ['secretKey'] } });
  expect(event?.['message']).toMatch(
    / were removed because they belong to the other environment: secretKey$/,
  );
});

test('a secret without a prefix that a connection of the sandbox holds is taken away likewise', async () => {
  const secrets = complete.provider_b();
  await connect(client, { provider: 'provider_b', secrets });
  const clientId = fakeSecret('client-');
  const settings = { ...secrets, clientId };
  const id = await plant('conn_copied', settings, { environment: 'production', provider: 'provider_b' });
  expect((await migrate()).body).toMatchObject({ pending: 0, migration: { scrubbed: 1 } });
  expect(await secretsOf(id, 'production')).toEqual({ clientId });
  expect((await stored(database, id)).settings).toEqual({});
  const [event] = await announced('production');
  expect(event).toMatchObject({
    data: { changed: ['clientId'], removed: ['webhookId', 'clientSecret'] },
  });
});

test('a secret of the sandbox between blanks, within a text, or beside one of production is taken away likewise', async () => {
  const { webhookSecret, ...others } = complete.provider_a();
  await connect(client, { secrets: { webhookSecret, ...others } });
  const written = {
    blanks: { apiKey: ` ${fakeSecret('sk_test_')} ` },
    text: { note: `formerly key=${fakeSecret('sk_test_')}` },
    second: { secretKey: `${fakeSecret('sk_live_')} ${fakeSecret('rk_test_')}` },
    listed: { webhookSecret: `${fakeSecret('whsec_')}, ${webhookSecret}` },
  };
  for (const [id, settings] of Object.entries(written)) {
    await plant(`conn_${id}`, settings, { environment: 'production' });
  }
  expect((await migrate()).body).toMatchObject({ pending: 0, migration: { scrubbed: 4 } });
  for (const id of Object.keys(written)) {
    expect(await stored(database, `conn_${id}`)).toMatchObject({ envelope: null, settings: {} });
  }
});

test('what a legacy sandbox row held is known as the sandbox’s from then on', async () => {
  const clientSecret = fakeSecret('secret-');
  await plant('conn_sandbox', { clientSecret }, { provider: 'provider_b' });
  await migrate();
  const body = { provider: 'provider_b', displayName: 'X', secrets: { clientSecret } };
  const answer = await client.post(PATH, { env: 'production', body });
  expect(problemOf(answer)).toMatchObject({ status: 422, code: 'secret_wrong_environment' });
});

test('a sandbox’s secrets are known after a rotation, when the key that first knew them is gone', async () => {
  const { keys } = testKeys('k2');
  const secrets = complete.provider_b();
  await service.stop();
  service = await startCredentialService(database, { keys: testKeys('k1') });
  client = await logIn(service, { platformAdministrator: true, role: 'admin' });
  await connect(client, { provider: 'provider_b', secrets });
  await service.stop();
  service = await startCredentialService(database, { keys: testKeys('k1', 'k2') });
  const again = createClient(service.urls.console, client);
  await again.post('/api/admin/provider-credentials/active-key', { env: null, body: { keyId: 'k2' } });
  await again.post(MIGRATE, { env: null });
  await service.stop();
  service = await startCredentialService(database, { keys: { keys, activeKeyId: undefined } });
  const body = { provider: 'provider_b', displayName: 'X', secrets };
  const answer = await createClient(service.urls.console, client).post(PATH, { env: 'production', body });
  expect(problemOf(answer)).toMatchObject({ status: 422, code: 'secret_wrong_environment' });
});

test('an envelope that cannot be opened is left, counted, and still pending; the others are migrated', async () => {
  const broken = await connect(client, { secrets: complete.provider_a() });
  await connect(client, { secrets: complete.provider_a() });
  await database.query(
    "UPDATE tollgate.provider_connections SET envelope = envelope || '\\x00'::bytea WHERE id = $1",
    [broken],
  );
  await switchTo('k2');
  expect((await migrate()).body).toMatchObject({
    pending: 1,
    oldKey: 1,
    migration: { status: 'failed', migrated: 1, skipped: 1 },
  });
});

test('two who ask at once get one run', async () => {
  for (let n = 0; n < 20; n += 1) await connect(client, { secrets: complete.provider_a() });
  await switchTo('k2');
  const answers = await Promise.all([migrate(), migrate(), migrate()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const runs = await database.query<{ migrated: number }>(
    'SELECT migrated FROM tollgate.credential_migrations',
  );
  expect(runs.reduce((sum, { migrated }) => sum + migrated, 0)).toBe(20);
  const started = await client.get('/api/admin/audit', {
    env: null,
    query: { action: 'credential_migration.started' },
  });
  expect(started.body['data']).toHaveLength(runs.length);
});

test('it is for platform administrators, and says so where there is no Temporal', async () => {
  const owner = await logIn(service, { role: 'owner' });
  const body = { keyId: 'k2' };
  for (const answer of [
    await owner.get(MIGRATE, { env: null }),
    await owner.post(MIGRATE, { env: null }),
    await owner.post('/api/admin/provider-credentials/active-key', { env: null, body }),
  ]) {
    expect(answer).toMatchObject({ status: 403, body: { code: 'platform_administrator_required' } });
  }
  const without = await startTestService();
  const administrator = await logIn(without, { platformAdministrator: true });
  expect(await administrator.post(MIGRATE, { env: null })).toMatchObject({
    status: 503,
    body: { code: 'temporal_unavailable' },
  });
  // Nothing remains that a later arrival of its start could carry out.
  expect(await without.database.query('SELECT status FROM tollgate.credential_migrations')).toEqual([
    { status: 'failed' },
  ]);
  await without.stop();
});

test('the report covers every organization, and reveals nothing about what it counts', async () => {
  const { workspaceId } = await createWorkspace(database, 'Elsewhere');
  const secretKey = fakeSecret('sk_test_');
  await plantLegacy(database, { workspaceId, id: 'conn_elsewhere', settings: { secretKey } });
  const body = await report();
  expect(body).toMatchObject({ pending: 1, legacy: 1 });
  expect(JSON.stringify(body)).not.toContain(secretKey);
});
