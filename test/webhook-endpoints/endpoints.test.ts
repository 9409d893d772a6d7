import { HOUR_MS } from '../../src/domain/instant';
import { createKey } from '../support/workspace';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

/** Names known to the tests' name server. */
const NAMES: Record<string, string[]> = {
  'inside.example': ['10.0.0.7'],
  'both.example': ['8.8.8.8', '::ffff:127.0.0.1'],
  'app.example': ['93.184.216.34'],
};
/** Called with each name that is looked up, before it is answered. */
let lookUp: (name: string) => Promise<void> = () => Promise.resolve();
const service = useService({
  resolveHost: async (name) => {
    await lookUp(name);
    return NAMES[name] ?? [];
  },
});
afterEach(() => {
  lookUp = () => Promise.resolve();
});

const PATH = '/api/webhook-endpoints';
const URL = 'https://app.example/hook';

async function create(
  client: OperatorClient,
  body: object = { url: URL },
  env: 'sandbox' | 'production' = 'sandbox',
) {
  return client.post(PATH, { body, env });
}

async function auditOf(target: string): Promise<string[]> {
  const rows = await service.database.query<{ action: string }>(
    'SELECT action FROM tollgate.audit_records WHERE target = $1 ORDER BY id',
    [target],
  );
  return rows.map(({ action }) => action);
}

test('a secret is shown once, and stored sealed', async () => {
  const client = await logIn(service, { role: 'developer' });
  const made = await create(client, { url: 'https://app.example', description: 'Main', types: null });
  expect(made).toMatchObject({ status: 201, body: { url: 'https://app.example/', enabled: true } });
  const secret = String(made.body['secret']);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const id = String(made.body['id']);
  const read = await client.get(`${PATH}/${id}`);
  expect(read.body).toEqual({
    id,
    url: 'https://app.example/',
    description: 'Main',
    types: null,
    enabled: true,
    disabledAt: null,
    disabledReason: null,
    failingSince: null,
    previousSecretUntil: null,
    secretLastFour: secret.slice(-4),
    createdAt: expect.any(String) as string,
    updatedAt: expect.any(String) as string,
  });
  const stored = await service.database.query(
    `SELECT to_jsonb(e)::text AS row FROM tollgate.webhook_endpoints e
     UNION ALL SELECT to_jsonb(a)::text FROM tollgate.audit_records a
     UNION ALL SELECT body::text FROM tollgate.idempotency_answers`,
  );
  expect(JSON.stringify(stored)).not.toContain(secret.slice(6, -4));
  expect(await auditOf(id)).toEqual(['webhook_endpoint.created']);
});

test.each(['an operator', 'a key'] as const)(
  'by %s whose rights end while a name is looked up, none is created and none pointed elsewhere',
  async (caller) => {
    const owner = await logIn(service, { role: 'owner' });
    const { workspaceId } = owner;
    const admin = await logIn(service, { role: 'admin', workspaceId });
    const key = await createKey(service.database, { workspaceId, environment: 'sandbox' }, ['webhooks']);
    const api = new Integrator(service.urls.sandbox, key);
    const id = String((await create(owner)).body['id']);
    const endRights = async (): Promise<unknown> => {
      if (caller === 'an operator')
        return owner.delete(`/api/organizations/${workspaceId}/members/${admin.operatorId}`, { env: null });
      const keys = (await owner.get('/api/api-keys')).body['data'] as { id: string }[];
      return Promise.all(keys.map((one) => owner.post(`/api/api-keys/${one.id}/revoke`)));
    };
    // The rights end when both requests have been admitted, and before either name is answered.
    let ended: Promise<unknown> | undefined;
    const begun: (() => void)[] = [];
    lookUp = async () => {
      const both = new Promise<void>((resolve) => begun.push(resolve));
      if (begun.length === 2) for (const go of begun) go();
      await both;
      await (ended ??= endRights());
    };
    const body = { url: 'https://app.example/other' };
    const answers =
      caller === 'an operator'
        ? await Promise.all([admin.post(PATH, { body }), admin.patch(`${PATH}/${id}`, { body })])
        : await Promise.all([
            api.send('POST', '/v1/webhook-endpoints', body),
            api.send('PATCH', `/v1/webhook-endpoints/${id}`, body),
          ]);
    const code = caller === 'an operator' ? 'session_required' : 'api_key_revoked';
    expect(answers.map((answer) => answer.body['code'])).toEqual([code, code]);
    lookUp = () => Promise.resolve();
    expect((await owner.get(PATH)).body['data']).toMatchObject([{ id, url: URL }]);
  },
);

test('an admin who steps down while a name is looked up creates nothing in production', async () => {
  const { workspaceId } = await logIn(service, { role: 'owner' });
  const admin = await logIn(service, { role: 'admin', workspaceId });
  lookUp = async () => {
    const own = `/api/organizations/${workspaceId}/members/${admin.operatorId}`;
    const stepped = await admin.patch(own, { env: null, body: { role: 'developer' } });
    expect(stepped.body).toMatchObject({ role: 'developer', ended: { sessions: 0 } });
  };
  const made = await create(admin, { url: URL }, 'production');
  expect([made.status, made.body['code']]).toEqual([403, 'role_forbidden']);
  expect((await admin.get(PATH, { env: 'production' })).body['data']).toEqual([]);
});

test('omitted members of a change are kept; disabling and enabling are separate actions', async () => {
  const client = await logIn(service, { role: 'developer' });
  const id = String((await create(client, { url: URL, types: ['credits.low'] })).body['id']);
  const changed = await client.patch(`${PATH}/${id}`, { body: { description: 'New', enabled: false } });
  expect(changed.body).toMatchObject({
    url: URL,
    types: ['credits.low'],
    description: 'New',
    enabled: false,
    disabledReason: 'operator',
  });
  expect(await client.post(`${PATH}/${id}/test`, { headers: { 'Idempotency-Key': 'a' } })).toMatchObject({
    status: 409,
    body: { code: 'webhook_endpoint_off' },
  });
  const enabled = await client.patch(`${PATH}/${id}`, { body: { enabled: true, types: null } });
  expect(enabled.body).toMatchObject({ enabled: true, types: null, disabledReason: null });
  expect(await auditOf(id)).toEqual([
    'webhook_endpoint.created',
    'webhook_endpoint.updated',
    'webhook_endpoint.disabled',
    'webhook_endpoint.updated',
    'webhook_endpoint.enabled',
  ]);
  expect((await client.delete(`${PATH}/${id}`)).status).toBe(204);
  expect(await client.get(`${PATH}/${id}`)).toMatchObject({
    status: 404,
    body: { code: 'webhook_endpoint_not_found' },
  });
});

test('a deletion that is cut off leaves a record that it disabled the endpoint', async () => {
  const client = await logIn(service, { role: 'developer' });
  const id = String((await create(client)).body['id']);
  await service.database.query(
    `CREATE FUNCTION public.cut_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'cut off'; END $$;
     CREATE TRIGGER cut_off BEFORE DELETE ON tollgate.webhook_endpoints
       FOR EACH ROW WHEN (OLD.id = '${id}') EXECUTE FUNCTION public.cut_off()`,
  );
  expect((await client.delete(`${PATH}/${id}`)).status).toBe(500);
  expect((await client.get(`${PATH}/${id}`)).body).toMatchObject({ disabledReason: 'operator' });
  const disabled = ['webhook_endpoint.created', 'webhook_endpoint.disabled'];
  expect(await auditOf(id)).toEqual(disabled);
  await service.database.query('DROP TRIGGER cut_off ON tollgate.webhook_endpoints');
  expect((await client.delete(`${PATH}/${id}`)).status).toBe(204);
  expect(await auditOf(id)).toEqual([...disabled, 'webhook_endpoint.deleted']);
});

test.each([
  ['http://127.0.0.1/', 'sandbox'],
  ['http://2130706433/', 'sandbox'],
  ['http://0x7f.1/', 'sandbox'],
  ['http://[::ffff:10.0.0.1]/', 'sandbox'],
  ['http://localhost:3000/', 'sandbox'],
  ['https://inside.example/', 'sandbox'],
  ['https://both.example/', 'sandbox'],
  ['https://user:pass@app.example/', 'sandbox'],
  ['https://app.example:22/', 'sandbox'],
  ['ftp://app.example/', 'sandbox'],
  ['http://app.example/', 'production'],
] as const)('%s is refused in %s, when it is made and when it is changed', async (url, env) => {
  const client = await logIn(service, { role: 'admin' });
  const refused = {
    status: 422,
    body: { code: 'webhook_address_refused', errors: [{ pointer: '/url' }] },
  };
  expect(await create(client, { url }, env)).toMatchObject(refused);
  const id = String((await create(client, { url: URL }, env)).body['id']);
  expect(await client.patch(`${PATH}/${id}`, { env, body: { url } })).toMatchObject(refused);
  expect((await client.get(`${PATH}/${id}`, { env })).body['url']).toBe(URL);
});

test('unknown types, a type twice, none, and unknown members are refused', async () => {
  const client = await logIn(service, { role: 'developer' });
  for (const types of [['nothing.happened'], ['credits.low', 'credits.low'], []])
    expect(await create(client, { url: URL, types })).toMatchObject({ status: 400 });
  expect(await create(client, { url: URL, secret: 'whsec_mine' })).toMatchObject({ status: 400 });
});

test('production takes an admin, viewers only read, and a key needs the scope', async () => {
  const developer = await logIn(service, { role: 'developer' });
  const { workspaceId } = developer;
  const admin = await logIn(service, { role: 'admin', workspaceId });
  const viewer = await logIn(service, { role: 'viewer', workspaceId });
  const refused = { status: 403, body: { code: 'role_forbidden' } };
  expect(await create(developer, { url: URL }, 'production')).toMatchObject(refused);
  const made = await create(admin, { url: URL }, 'production');
  expect(made.status).toBe(201);
  const id = String(made.body['id']);
  for (const [method, path] of [
    ['patch', ''],
    ['delete', ''],
    ['post', '/roll'],
    ['post', '/test'],
    ['post', '/resends'],
    ['post', '/deliveries/msg_1/resend'],
  ] as const) {
    const body = path === '/resends' ? { since: '2026-01-01T00:00:00Z' } : {};
    const headers = { 'Idempotency-Key': `${method}${path}` };
    const call = { env: 'production', body, headers } as const;
    const sent = method === 'delete' ? { env: 'production' as const } : call;
    expect([path, await developer[method](`${PATH}/${id}${path}`, sent)]).toMatchObject([path, refused]);
  }
  expect(await create(viewer)).toMatchObject(refused);
  expect((await viewer.get(PATH, { env: 'production' })).body['data']).toMatchObject([{ id }]);

  const scope = { workspaceId, environment: 'production' } as const;
  const base = service.urls.production;
  const keyOf = async (scopes: Parameters<typeof createKey>[2]) =>
    new Integrator(base, await createKey(service.database, scope, scopes));
  const own = await keyOf(['webhooks']);
  const body = { url: 'https://app.example/by-key' };
  const byKey = await own.send('POST', '/v1/webhook-endpoints', body);
  expect(byKey.status).toBe(201);
  expect(await auditOf(String(byKey.body['id']))).toEqual(['webhook_endpoint.created']);
  for (const scopes of [null, ['events'], ['read']] as const) {
    const answer = await (await keyOf(scopes)).send('POST', '/v1/webhook-endpoints', body);
    expect([scopes, answer.status, answer.body['code']]).toEqual([scopes, 403, 'scope_missing']);
  }
  expect((await (await keyOf(['read'])).send('GET', '/v1/webhook-endpoints')).status).toBe(200);
});

test('an environment has at most a hundred, also when they are made at once', async () => {
  const client = await logIn(service, { role: 'developer' });
  await service.database.query(
    `INSERT INTO tollgate.webhook_endpoints (workspace_id, environment, id, url, secret_envelope, created_at, updated_at)
     SELECT $1, 'sandbox', 'whe_' || n, 'https://app.example/', '{}', now(), now() FROM generate_series(1, 97) n`,
    [client.workspaceId],
  );
  const answers = await Promise.all(Array.from({ length: 8 }, () => create(client)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const answer of refused)
    expect(answer).toMatchObject({ status: 409, body: { code: 'too_many_webhook_endpoints' } });
  // Later tests do not need them.
  await service.database.query("DELETE FROM tollgate.webhook_endpoints WHERE secret_envelope = '{}'");
});

test('a roll answers until when earlier secrets sign; with no overlap they end at once', async () => {
  const client = await logIn(service, { role: 'developer' });
  const made = await create(client);
  const path = `${PATH}/${String(made.body['id'])}/roll`;
  const first = await client.post(path, { body: {} });
  expect(first.status).toBe(200);
  const until = Date.parse(String(first.body['previousSecretUntil']));
  expect(until - service.clock.now()).toBeGreaterThan(23 * HOUR_MS);
  const second = await client.post(path, { body: { overlapHours: 1 } });
  expect(second.body['previousSecretUntil']).toBe(first.body['previousSecretUntil']);
  const third = await client.post(path, { body: { overlapHours: 0 } });
  expect(third.body['previousSecretUntil']).toBeNull();
  const secrets = [made, first, second, third].map(({ body }) => body['secret']);
  expect(new Set(secrets).size).toBe(4);
  expect(await client.post(path, { body: { overlapHours: 169 } })).toMatchObject({ status: 400 });
});

test('lists page, newest first', async () => {
  const client = await logIn(service, { role: 'developer' });
  const made: unknown[] = [];
  for (let count = 0; count < 3; count += 1) made.unshift((await create(client)).body['id']);
  const first = await client.get(PATH, { query: { take: '2' } });
  const cursor = String(first.body['nextCursor']);
  const second = await client.get(PATH, { query: { take: '2', cursor } });
  const ids = [first, second].flatMap(({ body }) => (body['data'] as { id: string }[]).map(({ id }) => id));
  expect(ids).toEqual(made);
});
