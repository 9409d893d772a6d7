import { openSecrets } from '../../src/connections/sealed-secrets';
import { createKeyRing } from '../../src/credentials/key-ring';
import type { ConnectionAccess } from '../../src/providers/connection-access';
import type { ProviderAdapter } from '../../src/providers/provider-adapter';
import { complete, connect, fakeSecret, PATH, problemOf, stored } from '../connections/connection-calls';
import { startCredentialService, type CredentialService } from '../credentials/credential-service';
import { testKeys } from '../credentials/keys';
import { UNANSWERED } from '../support/adapters';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { logIn, type OperatorClient } from '../support/operator';

/** Section 4.2, "Provider connection management": what an update keeps, and what it seals again. */
let database: TestDatabase;
let service: CredentialService;
let client: OperatorClient;
const accesses: ConnectionAccess[] = [];
let answerTest: ProviderAdapter['testConnection'] = () => Promise.resolve([]);
beforeAll(async () => {
  database = await createTestDatabase();
  const testConnection: ProviderAdapter['testConnection'] = (access) => {
    accesses.push(access);
    return answerTest(access);
  };
  const adapter = { provider: 'provider_a', testConnection } as unknown as ProviderAdapter;
  service = await startCredentialService(database, { adapters: { provider_a: adapter } });
  client = await logIn(service, { role: 'admin' });
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

const ring = createKeyRing(testKeys('k1'));
async function secretsOf(id: string): Promise<Readonly<Record<string, string>>> {
  const [row] = await database.query('SELECT * FROM tollgate.provider_connections WHERE id = $1', [id]);
  return openSecrets(ring, { workspaceId: client.workspaceId, environment: 'sandbox' }, row as never);
}
const update = (id: string, body: object) => client.patch(`${PATH}/${id}`, { body });

test('omitting a secret, or sending an empty one, keeps what is stored', async () => {
  const secrets = complete.provider_a();
  const id = await connect(client, { secrets });
  const before = await stored(database, id);
  for (const sent of [undefined, {}, { secretKey: '' }, { secretKey: '', webhookSecret: '' }]) {
    expect((await update(id, { displayName: 'Renamed', secrets: sent })).status).toBe(200);
  }
  expect(await secretsOf(id)).toEqual(secrets);
  expect((await stored(database, id)).envelope).toEqual(before.envelope);
});

test('a new secret is merged over the stored set, and the whole envelope is sealed again', async () => {
  const secrets = complete.provider_a();
  const id = await connect(client, { secrets });
  const before = await stored(database, id);
  const webhookSecret = fakeSecret('whsec_');
  const answer = await update(id, { secrets: { secretKey: '', webhookSecret } });
  expect(answer.body).toMatchObject({
    secretVersion: 2,
    secrets: {
      secretKey: `••••${secrets.secretKey.slice(-4)}`,
      webhookSecret: `••••${webhookSecret.slice(-4)}`,
    },
  });
  expect(await secretsOf(id)).toEqual({ ...secrets, webhookSecret });
  const after = await stored(database, id);
  expect(after.revision).toBe(2);
  // Apart from the header, the new envelope shares nothing with the old one: another data key, other nonces.
  expect(after.envelope?.subarray(5, 65)).not.toEqual(before.envelope?.subarray(5, 65));
  expect(after.envelope?.subarray(65)).not.toEqual(before.envelope?.subarray(65));
});

test('an old envelope does not open in the row of a new one', async () => {
  const id = await connect(client, { secrets: complete.provider_a() });
  const before = await stored(database, id);
  await update(id, { secrets: { secretKey: fakeSecret('sk_test_') } });
  await database.query('UPDATE tollgate.provider_connections SET envelope = $2 WHERE id = $1', [
    id,
    before.envelope,
  ]);
  expect(await client.post(`${PATH}/${id}/test`)).toMatchObject({
    status: 500,
    body: { code: 'credential_corrupt' },
  });
});

test('public settings change alone and leave the ciphertext byte for byte', async () => {
  const id = await connect(client, {
    secrets: complete.provider_a(),
    settings: { merchantId: 'M-1', region: 'eu', planReferences: { basic: 'price_1' } },
  });
  const before = await stored(database, id);
  const answer = await update(id, { settings: { region: null, planReferences: { pro: 'price_2' } } });
  expect(answer.body['settings']).toEqual({
    merchantId: 'M-1',
    planReferences: { pro: 'price_2' },
    planMappings: {},
  });
  const after = await stored(database, id);
  expect([after.envelope, after.key_id, after.revision, after.secret_hints]).toEqual([
    before.envelope,
    before.key_id,
    before.revision,
    before.secret_hints,
  ]);
});

test('settings that grow too long piece by piece are refused, and stay as they were', async () => {
  const id = await connect(client, {});
  const names = Array.from({ length: 120 }, (_, number) => `setting${number}`);
  const half = Object.fromEntries(names.map((name) => [name, 'x'.repeat(500)]));
  expect((await update(id, { settings: half })).status).toBe(200);
  const before = await stored(database, id);
  const more = Object.fromEntries(names.map((name) => [`other-${name}`, 'x'.repeat(100)]));
  const refused = await update(id, { settings: more });
  expect(problemOf(refused)).toEqual({ status: 400, code: 'validation_failed', pointers: ['/settings'] });
  expect(await stored(database, id)).toEqual(before);
  expect((await update(id, { settings: { setting0: null } })).status).toBe(200);
});

test('a disabled connection is not used, keeps everything, and can be enabled', async () => {
  const secrets = complete.provider_a();
  const id = await connect(client, { secrets });
  const disabled = await client.delete(`${PATH}/${id}`);
  expect(disabled.body['disabledAt']).toEqual(expect.any(String));
  expect((await client.delete(`${PATH}/${id}`)).body['disabledAt']).toBe(disabled.body['disabledAt']);
  expect(await client.post(`${PATH}/${id}/test`)).toMatchObject({
    status: 409,
    body: { code: 'connection_disabled' },
  });
  expect((await update(id, { disabled: false })).body['disabledAt']).toBeNull();
  expect((await client.post(`${PATH}/${id}/test`)).status).toBe(200);
  expect(await secretsOf(id)).toEqual(secrets);
});

test('new credentials are recorded in the history, and each action in the audit', async () => {
  const id = await connect(client, { secrets: complete.provider_a() });
  await update(id, { secrets: { webhookSecret: fakeSecret('whsec_') } });
  await update(id, { displayName: 'Other' });
  const events = await client.get('/api/developer-events', { query: { eventType: 'CREDENTIALS_CHANGED' } });
  const data = (events.body['data'] as { data: Record<string, unknown> }[]).map((event) => event.data);
  const requestId = expect.stringMatching(/^req_/) as string;
  const common = { connectionId: id, provider: 'provider_a', requestId };
  expect(data.filter(({ connectionId }) => connectionId === id)).toEqual([
    { ...common, changed: ['webhookSecret'], secretVersion: 2 },
    { ...common, changed: ['secretKey', 'webhookSecret'], secretVersion: 1 },
  ]);
  // They change nothing.
  await update(id, { displayName: 'Other', settings: { unknown: null }, disabled: false });
  const audit = await client.get('/api/audit');
  const acts = (audit.body['data'] as { action: string; target: string; detail: object }[]).filter(
    ({ target }) => target === id,
  );
  expect(acts.map(({ action }) => action)).toEqual([
    'provider_connection.updated',
    'provider_connection.updated',
    'provider_connection.created',
  ]);
  expect(acts[0]?.detail).toEqual({ displayName: 'Other', settings: [], secrets: [] });
});

test('a hundred edits at once lose nothing: each member has its last value, and each edit its revision', async () => {
  const id = await connect(client, { provider: 'provider_b', secrets: complete.provider_b() });
  const members = ['clientId', 'clientSecret', 'webhookId', 'webhookSecret'];
  const sent = members.map((member) => [member, fakeSecret(`${member}-`)] as const);
  const edits = Array.from({ length: 25 }, () => sent).flat();
  const answers = await Promise.all(
    edits.map(([member, value]) => update(id, { secrets: { [member]: value } })),
  );
  const done = answers.filter(({ status }) => status === 200).length;
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  expect(await secretsOf(id)).toEqual(Object.fromEntries(sent));
  expect((await stored(database, id)).revision).toBe(1 + done);
});

describe('test connection', () => {
  test('calls the adapter with the connection’s own secrets, and reports each check', async () => {
    const secrets = complete.provider_a();
    const id = await connect(client, { secrets, settings: { planReferences: { pro: 'price_1' } } });
    answerTest = () =>
      Promise.resolve([
        { check: 'authentication', ok: true, message: 'The key works.' },
        { check: 'plan_references', ok: false, message: 'price_1 is unknown.' },
      ]);
    expect(await client.post(`${PATH}/${id}/test`)).toMatchObject({
      status: 200,
      body: {
        ok: false,
        checks: [{ ok: true }, { ok: false, message: 'price_1 is unknown.' }, { check: 'plan_prices' }],
      },
    });
    expect(accesses.at(-1)).toEqual({
      connectionId: id,
      apiMode: 'sandbox',
      secretVersion: 1,
      secrets,
      settings: { planReferences: { pro: 'price_1' }, planMappings: {} },
      formerReferences: [],
      baseUrl: UNANSWERED.provider_a,
    });
  });

  test('a secret that is replaced while it is tested does not count as tested', async () => {
    const id = await connect(client, { secrets: complete.provider_a() });
    const shown = async () => (await client.get(`${PATH}/${id}`)).body;
    answerTest = async () => {
      expect((await update(id, { secrets: { secretKey: fakeSecret('sk_test_') } })).status).toBe(200);
      return [{ check: 'authentication', ok: true, message: 'The key works.' }];
    };
    expect((await client.post(`${PATH}/${id}/test`)).status).toBe(200);
    expect(await shown()).toMatchObject({ secretVersion: 2, testedAt: null, failedChecks: [] });

    answerTest = () => Promise.resolve([{ check: 'authentication', ok: true, message: 'The key works.' }]);
    await client.post(`${PATH}/${id}/test`);
    expect(await shown()).toMatchObject({ testedAt: expect.any(String) as unknown });
  });

  test('the failure of an adapter is reported without its message', async () => {
    const id = await connect(client, { secrets: complete.provider_a() });
    answerTest = ({ secrets }) => Promise.reject(new Error(`no answer for ${secrets['secretKey'] ?? ''}`));
    const answer = await client.post(`${PATH}/${id}/test`);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        ok: false,
        checks: [
          { check: 'authentication', ok: false },
          { check: 'plan_prices', ok: false },
        ],
      },
    });
    expect(JSON.stringify(answer.body)).not.toContain('sk_test');
  });
});
