import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { Client } from 'pg';
import { DAY_MS } from '../../src/domain/instant';
import { createCustomer, createFeature, createPlan, pointersOf, subscribe, unique } from '../catalog/offer';
import { Integrator } from '../support/integrator';
import { untilLockWaits } from '../support/lock-waits';
import { logIn, type OperatorClient } from '../support/operator';
import { createWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/** Section 2, customer: identified in usage calls by `externalId`, which the integrator supplies. */
const service = useService();
let client: OperatorClient;
let integrator: Integrator;
let workspaceId: string;
beforeAll(async () => {
  const workspace = await createWorkspace(service.database);
  workspaceId = workspace.workspaceId;
  client = await logIn(service, { role: 'developer', workspaceId });
  integrator = new Integrator(service.urls.sandbox, workspace.sandboxKey);
});

const put = (externalId: string, body: unknown = {}) =>
  integrator.send('PUT', `/v1/customers/${encodeURIComponent(externalId)}`, body);
const get = (externalId: string) => integrator.send('GET', `/v1/customers/${encodeURIComponent(externalId)}`);

test('PUT creates with 201 and then updates with 200; omitted keeps, null clears', async () => {
  const externalId = unique('acct');
  const created = await put(externalId, {
    name: 'Ada',
    email: 'ada@example.test',
    metadata: { tier: 'gold' },
  });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    externalId,
    name: 'Ada',
    email: 'ada@example.test',
    metadata: { tier: 'gold' },
  });
  expect(created.body['id']).toMatch(/^cus_/);

  const kept = await put(externalId, { name: 'Ada L.' });
  expect(kept.status).toBe(200);
  expect(kept.body).toMatchObject({
    ...created.body,
    name: 'Ada L.',
    updatedAt: expect.any(String) as string,
  });
  const cleared = await put(externalId, { email: null, metadata: null });
  expect(cleared.body).toMatchObject({ name: 'Ada L.', email: null, metadata: {} });
  // A call that changes nothing leaves the time of the last change, too.
  for (const same of [{}, { name: 'Ada L.', email: null, metadata: null }])
    expect(await put(externalId, same)).toMatchObject({ status: 200, body: cleared.body });
});

test.each(['created', 'changed'])('a PUT that overwrites what was %s meanwhile is recorded', async (how) => {
  const externalId = unique('acct');
  const tenant = [workspaceId, externalId];
  if (how === 'changed') await put(externalId, { name: 'Ada' });
  const other = new Client({ connectionString: service.database.adminUrl });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query(
      how === 'changed'
        ? `UPDATE tollgate.customers SET name = 'Bob' WHERE workspace_id = $1 AND external_id = $2`
        : `INSERT INTO tollgate.customers (workspace_id, environment, id, external_id, name, metadata, created_at, updated_at)
           VALUES ($1, 'sandbox', 'cus_' || $2, $2, 'Bob', '{}', now(), now())`,
      tenant,
    );
    const answer = put(externalId, { name: 'Ada' });
    await untilLockWaits(service.database);
    await other.query('COMMIT');
    expect((await answer).body).toMatchObject({ name: 'Ada' });
  } finally {
    await other.end();
  }
  const records = await service.database.query(
    `SELECT a.detail FROM tollgate.audit_records a JOIN tollgate.customers c ON c.id = a.target
      WHERE c.workspace_id = $1 AND c.external_id = $2 AND a.action = 'customer.updated'`,
    tenant,
  );
  expect(records).toEqual([{ detail: { externalId, changed: ['name'] } }]);
});

// Clients resolve these in a path, even when encoded, so that no key could read or erase such a customer.
test.each(['.', '..'])('a customer cannot have the externalId %s', async (externalId) => {
  const byOperator = await client.post('/api/customers', { body: { externalId } });
  expect([byOperator.status, pointersOf(byOperator)]).toEqual([400, ['/externalId']]);
  // A client that does not resolve them reaches the route.
  const headers = { Authorization: `Bearer ${integrator.key}`, 'Content-Type': 'application/json' };
  const { hostname, port } = new URL(service.urls.sandbox);
  const sent = request({ hostname, port, method: 'PUT', path: `/v1/customers/${externalId}`, headers });
  sent.end('{}');
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const problem = (await json(answer)) as object;
  expect(problem).toMatchObject({ status: 400, errors: [{ pointer: '/path/externalId' }] });
});

test('GET shows the customer with its subscriptions and balances, as check answers them', async () => {
  const { externalId, id } = await createCustomer(client);
  const planId = await createPlan(client, { pricing: 'per_seat' });
  const [metered, unlimited, onOff] = [
    await createFeature(client),
    await createFeature(client),
    await createFeature(client, 'boolean'),
  ];
  for (const body of [
    { featureKey: metered, quota: 10, perSeat: true },
    { featureKey: unlimited, quota: null, resetInterval: 'never' },
    { featureKey: onOff },
  ]) {
    expect((await client.post(`/api/plans/${planId}/entitlements`, { body })).status).toBe(201);
  }
  const subscription = await subscribe(client, { externalId, planId, seats: 3 });
  await client.post(`/api/customers/${id}/credits`, {
    body: { amount: 2.5 },
    headers: { 'Idempotency-Key': unique('k') },
  });
  expect((await integrator.track(externalId, metered, 4.25)).status).toBe(200);

  const overview = await get(externalId);
  expect(overview.status).toBe(200);
  expect(overview.body).toMatchObject({
    id,
    externalId,
    creditBalance: 2.5,
    subscriptions: [subscription.body],
  });
  const check = await integrator.check(externalId, metered, 1);
  const { usage, quota, remaining, period } = check.body;
  expect({ usage, quota, remaining }).toEqual({ usage: 4.25, quota: 30, remaining: 25.75 });
  const balances = overview.body['balances'] as { feature: string }[];
  expect(balances.map((balance) => balance.feature)).toEqual([metered, unlimited].sort());
  expect(balances).toContainEqual({ feature: metered, usage, quota, remaining, unlimited: false, period });
  expect(balances).toContainEqual(
    expect.objectContaining({ feature: unlimited, usage: 0, quota: null, remaining: null, unlimited: true }),
  );
});

test('reserved units are not in the balances, as in those of a check', async () => {
  const { externalId, id } = await createCustomer(client);
  const planId = await createPlan(client);
  const [feature, other] = [await createFeature(client), await createFeature(client)];
  for (const featureKey of [feature, other])
    await client.post(`/api/plans/${planId}/entitlements`, {
      body: { featureKey, quota: 10, creditCost: 1 },
    });
  await subscribe(client, { externalId, planId });
  const grant = { body: { amount: 5 }, headers: { 'Idempotency-Key': unique('k') } };
  await client.post(`/api/customers/${id}/credits`, grant);
  const held = { externalId, feature, quantity: 12, reserve: { expiresInSeconds: 60 } };
  expect((await integrator.send('POST', '/v1/usage/check', held)).body).toMatchObject({ allowed: true });
  const { remaining, creditBalance } = (await integrator.check(externalId, feature)).body;
  expect({ remaining, creditBalance }).toEqual({ remaining: 0, creditBalance: 3 });
  const { body } = await get(externalId);
  expect(body['creditBalance']).toBe(3);
  expect(body['balances']).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ feature, usage: 0, remaining: 0 }),
      expect.objectContaining({ feature: other, remaining: 10 }),
    ]),
  );
  expect((await client.get(`/api/customers/${id}/credits`)).body).toMatchObject({ balance: 3 });
});

test('a balance is reset with its usage period', async () => {
  const { externalId } = await createCustomer(client);
  const planId = await createPlan(client);
  const feature = await createFeature(client);
  await client.post(`/api/plans/${planId}/entitlements`, {
    body: { featureKey: feature, quota: 10, resetInterval: 'day' },
  });
  await subscribe(client, { externalId, planId });
  await integrator.track(externalId, feature, 4);
  expect((await get(externalId)).body['balances']).toMatchObject([{ usage: 4, remaining: 6 }]);
  service.clock.ahead = DAY_MS;
  try {
    expect((await get(externalId)).body['balances']).toMatchObject([{ usage: 0, remaining: 10 }]);
  } finally {
    service.clock.ahead = 0;
  }
});

test('an unknown customer is a 404', async () => {
  const answer = await get('nobody');
  expect([answer.status, answer.body['code']]).toEqual([404, 'customer_not_found']);
});

test.each(['a/b', 'ü 漢字 🙂', 'user@example.test', '100%', 'a+b', 'a%2Fb', '?q=1#x', 'x'.repeat(255)])(
  'the external id %j works in the path',
  async (externalId) => {
    const created = await put(externalId, { name: externalId.slice(0, 20) });
    expect([created.status, created.body['externalId']]).toEqual([201, externalId]);
    expect((await get(externalId)).body).toMatchObject({ id: created.body['id'], externalId });
  },
);

test.each([
  ['beyond 255 characters', 'x'.repeat(256)],
  ['with a NUL', 'a\0b'],
  ['with a line break', 'a\nb'],
  ['with a control character', 'a\u0085b'],
])('an external id %s is refused', async (_, externalId) => {
  const answer = await put(externalId);
  expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
  const viaConsole = await client.post('/api/customers', { body: { externalId } });
  expect(viaConsole.status).toBe(400);
});

test('a broken percent-encoding in the path is refused, not taken for a name', async () => {
  const answer = await integrator.send('PUT', '/v1/customers/a%ff', {});
  expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
  const search = await client.get('/api/customers', { query: { search: 'a\0' } });
  expect([search.status, ...pointersOf(search)]).toEqual([400, '/query/search']);
});

test.each([
  ['a name that is a number', { name: 5 }, ['/name']],
  ['an empty name', { name: '' }, ['/name']],
  ['an address without @', { email: 'ada' }, ['/email']],
  ['metadata that is a list', { metadata: [] }, ['/metadata']],
  ['nested metadata', { metadata: { a: [1] } }, ['/metadata/a']],
  ['an unknown field', { phone: '1' }, ['/phone']],
  ['another external id', { externalId: 'b' }, ['/externalId']],
])('%s is refused', async (_, body, pointers) => {
  const answer = await put(unique('acct'), body);
  expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
  expect((answer.body['errors'] as { pointer: string }[]).map((error) => error.pointer)).toEqual(pointers);
});

test('PUT at the same time makes one customer', async () => {
  const externalId = unique('acct');
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => put(externalId, { name: `n${i}` })));
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(39);
  expect(new Set(answers.map((answer) => answer.body['id'])).size).toBe(1);
});

test('the console creates, changes and finds customers', async () => {
  const externalId = unique('Find_me%');
  const body = { externalId, name: 'Grace Hopper', email: 'Grace@Example.test', metadata: { a: 1 } };
  const created = await client.post('/api/customers', { body });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject(body);
  const id = String(created.body['id']);
  const changed = await client.patch(`/api/customers/${id}`, { body: { name: 'Rear Adm. Hopper' } });
  expect(changed.body).toMatchObject({ ...body, name: 'Rear Adm. Hopper' });
  // A call that changes nothing leaves the time of the last change, and no audit record.
  for (const same of [{}, { name: 'Rear Adm. Hopper', metadata: { a: 1 } }])
    expect((await client.patch(`/api/customers/${id}`, { body: same })).body).toEqual(changed.body);
  const records = await service.database.query(
    "SELECT detail FROM tollgate.audit_records WHERE action = 'customer.updated' AND target = $1",
    [id],
  );
  expect(records).toEqual([{ detail: { externalId, changed: ['name'] } }]);
  expect((await client.get(`/api/customers/${id}`)).body).toEqual(changed.body);

  for (const search of ['Find_me%', 'rear adm', 'GRACE@', externalId]) {
    const { body: page } = await client.get('/api/customers', { query: { search } });
    expect([search, page['data']]).toEqual([search, [changed.body]]);
  }
  // Wildcards of LIKE are ordinary characters, and only the beginning matches.
  for (const search of ['Find_m_%', 'hopper', 'find_me%']) {
    expect((await client.get('/api/customers', { query: { search } })).body['data']).toEqual([]);
  }
});

test('an external id is taken once, per environment', async () => {
  const { externalId } = await createCustomer(client);
  const again = await client.post('/api/customers', { body: { externalId } });
  expect(again.body).toMatchObject({
    status: 409,
    code: 'resource_conflict',
    errors: [{ pointer: '/externalId' }],
  });
  expect((await client.post('/api/customers', { body: { externalId }, env: 'production' })).status).toBe(201);
  expect(pointersOf(await client.post('/api/customers', { body: {} }))).toEqual(['/externalId']);
});
