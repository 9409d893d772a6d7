import { complete, connect, fakeSecret, PATH, problemOf, stored } from '../connections/connection-calls';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

/**
 * Section 2, "Provider connection": belongs to one workspace and one environment; has public settings, and secrets
 * that are stored encrypted and returned only as masked placeholders.
 */
const service = useService();
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { role: 'admin' });
});

test('a connection has its settings, its mode, and its secrets as placeholders', async () => {
  const secrets = complete.provider_b();
  const settings = {
    merchantId: 'M-1',
    planReferences: { pro: 'P-123' },
    planMappings: { 'P-123': 'pro' },
    region: 'eu',
  };
  const answer = await client.post(PATH, {
    body: { provider: 'provider_b', displayName: 'Wallet', settings, secrets },
  });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    id: expect.stringMatching(/^conn_[0-9a-z]{26}$/) as string,
    provider: 'provider_b',
    displayName: 'Wallet',
    apiMode: 'sandbox',
    settings,
    secrets: {
      clientId: `••••${secrets.clientId.slice(-4)}`,
      clientSecret: `••••${secrets.clientSecret.slice(-4)}`,
      webhookId: `••••${secrets.webhookId.slice(-4)}`,
      webhookSecret: null,
    },
    secretVersion: 1,
    webhookUrl: `http://sandbox.test/v1/webhooks/provider_b?connection=${String(answer.body['id'])}`,
    customerReturnUrl: `http://sandbox.test/checkout/return/${client.workspaceId}/{subscriptionId}`,
    createdAt: expect.any(String) as string,
    updatedAt: expect.any(String) as string,
    disabledAt: null,
    testedAt: null,
    failedChecks: [],
    planPrices: [],
  });
  const { planPrices, ...connection } = answer.body;
  expect(planPrices).toEqual([]);
  expect((await client.get(`${PATH}/${String(answer.body['id'])}`)).body).toEqual(connection);
});

test('it belongs to one workspace and one environment', async () => {
  const id = await connect(client, { secrets: complete.provider_a() });
  const other = await logIn(service, { role: 'owner' });
  for (const answer of [
    await client.get(`${PATH}/${id}`, { env: 'production' }),
    await other.get(`${PATH}/${id}`),
    await other.patch(`${PATH}/${id}`, { body: { displayName: 'Mine' } }),
    await other.delete(`${PATH}/${id}`),
    await other.post(`${PATH}/${id}/test`),
  ]) {
    expect(answer).toMatchObject({ status: 404, body: { code: 'connection_not_found' } });
  }
  expect((await other.get(PATH)).body['data']).toEqual([]);
  const production = await connect(client, { secrets: { secretKey: fakeSecret('sk_live_') } }, 'production');
  expect((await client.get(`${PATH}/${production}`, { env: 'production' })).body).toMatchObject({
    apiMode: 'live',
    webhookUrl: `http://production.test/v1/webhooks/provider_a?connection=${production}`,
  });
});

test('nothing that is stored or returned contains a secret', async () => {
  const secrets = { ...complete.provider_a(), ...complete.provider_c() };
  const id = await connect(client, { secrets });
  await client.patch(`${PATH}/${id}`, { body: { secrets: complete.provider_c() } });
  const rows = await service.database.query<{ row: string }>(
    `SELECT to_jsonb(c)::text || encode(c.envelope, 'escape') AS row FROM tollgate.provider_connections c
     UNION ALL SELECT to_jsonb(a)::text FROM tollgate.audit_records a
     UNION ALL SELECT to_jsonb(e)::text FROM tollgate.developer_events e
     UNION ALL SELECT to_jsonb(f)::text FROM tollgate.sandbox_secret_fingerprints f`,
  );
  const responses = [
    await client.get(PATH),
    await client.get('/api/audit'),
    await client.get('/api/developer-events'),
  ];
  const text = JSON.stringify([rows, responses.map(({ body }) => body)]);
  for (const secret of Object.values(secrets)) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(secret.slice(0, -4));
  }
  expect((await stored(service.database, id)).key_id).toBe('k1');
});

test('a secret too short for a hint shows none of itself', async () => {
  const answer = await client.post(PATH, {
    body: { provider: 'provider_b', displayName: 'Short', secrets: { clientId: 'abc12345' } },
  });
  expect(answer.body).toMatchObject({ secrets: { clientId: '••••', webhookId: null } });
});

test.each<[string, object, string]>([
  ['an unknown provider', { provider: 'internal' }, '/provider'],
  ['a secret of another provider', { secrets: { clientId: 'x'.repeat(20) } }, '/secrets/clientId'],
  ['a placeholder', { secrets: { secretKey: '••••abcd' } }, '/secrets/secretKey'],
  ['a secret with a space', { secrets: { secretKey: 'sk_test_fake 1' } }, '/secrets/secretKey'],
  [
    'an eleventh signing secret',
    { secrets: { webhookSecret: 'whsec_fake,'.repeat(10) } },
    '/secrets/webhookSecret',
  ],
  ['a setting that is no text', { settings: { retries: 3 } }, '/settings/retries'],
  [
    'a plan reference that is no text',
    { settings: { planReferences: { pro: {} } } },
    '/settings/planReferences/pro',
  ],
])('%s is refused', async (_, body, pointer) => {
  const answer = await client.post(PATH, { body: { provider: 'provider_a', displayName: 'X', ...body } });
  expect(problemOf(answer)).toEqual({ status: 400, code: 'validation_failed', pointers: [pointer] });
});

test.each<[string, object, string]>([
  ['by its name', { secretKey: 'anything' }, '/settings/secretKey'],
  ['by its name in another case', { WEBHOOK_SECRET: 'anything' }, '/settings/WEBHOOK_SECRET'],
  ['by its looks', { note: 'use sk_test_fake1234 here' }, '/settings/note'],
  ['deep inside', { planReferences: { pro: 'whsec_fake1234' } }, '/settings/planReferences/pro'],
])(
  'a secret among public settings, recognized %s, is refused and not echoed',
  async (_, settings, pointer) => {
    const body = { provider: 'provider_a', displayName: 'X', settings };
    const answer = await client.post(PATH, { body });
    expect(problemOf(answer)).toEqual({ status: 400, code: 'validation_failed', pointers: [pointer] });
    expect(JSON.stringify(answer.body)).not.toContain('fake1234');
  },
);

test('a list is newest first, by pages, and filtered by provider', async () => {
  const fresh = await logIn(service, { role: 'developer' });
  const ids: string[] = [];
  for (const provider of ['provider_a', 'provider_c', 'provider_a'])
    ids.push(await connect(fresh, { provider }));
  const page = await fresh.get(PATH, { query: { take: '2' } });
  const rest = await fresh.get(PATH, { query: { take: '2', cursor: String(page.body['nextCursor']) } });
  const listed = [page, rest].flatMap(({ body }) => (body['data'] as { id: string }[]).map(({ id }) => id));
  expect(listed).toEqual(ids.toReversed());
  const ofC = await fresh.get(PATH, { query: { provider: 'provider_c' } });
  expect((ofC.body['data'] as { id: string }[]).map(({ id }) => id)).toEqual([ids[1]]);
});

test.each<[role: 'viewer' | 'developer' | 'admin', env: 'sandbox' | 'production', create: number]>([
  ['viewer', 'sandbox', 403],
  ['developer', 'sandbox', 201],
  ['developer', 'production', 403],
  ['admin', 'production', 201],
])('a %s may or may not change connections of %s', async (role, env, create) => {
  const member = await logIn(service, { role });
  expect((await member.get(PATH, { env })).status).toBe(200);
  const body = { provider: 'provider_c', displayName: 'X' };
  expect((await member.post(PATH, { env, body })).status).toBe(create);
  const owner = await logIn(service, { role: 'owner', workspaceId: member.workspaceId });
  const id = await connect(owner, { provider: 'provider_c' }, env);
  const allowed = create === 201;
  expect((await member.patch(`${PATH}/${id}`, { env, body: { displayName: 'Y' } })).status).toBe(
    allowed ? 200 : 403,
  );
  expect((await member.post(`${PATH}/${id}/test`, { env })).status).toBe(allowed ? 200 : 403);
  expect((await member.delete(`${PATH}/${id}`, { env })).status).toBe(allowed ? 200 : 403);
});
