import { randomUUID } from 'node:crypto';
import { createCustomer, idOf } from '../catalog/offer';
import { owing, pay } from '../payments/money';
import { consoleRoutes } from '../../src/http/console/routes';
import { apiRoutes } from '../../src/http/v1/routes';
import { logIn, testPassword, type OperatorClient } from '../support/operator';
import { enrol, logInAgain, type Authenticator } from '../support/second-factor';
import { routesOf } from '../support/routes';
import { useService } from '../support/use-service';

/** Where money moves, an operator with a second factor must confirm it again. */
const service = useService({ commands: 'direct' });
let client: OperatorClient;
let app: Authenticator;
beforeAll(async () => {
  client = await logIn(service, { role: 'owner' });
  ({ app } = await enrol(service, client));
});

const none = { env: null } as const;
const FRESH_MS = 10 * 60_000;
const confirm = (by: OperatorClient) =>
  by.post('/api/auth/second-factor/confirm', { ...none, body: { code: app.next() } });
const createKey = (by: OperatorClient, env: 'sandbox' | 'production') =>
  by.post('/api/api-keys', { env, body: { name: 'A key' } });

test('these routes ask, and no others', () => {
  const asking = routesOf(consoleRoutes)
    .filter(({ stepUp }) => stepUp !== undefined)
    .map(({ operationId, stepUp }) => `${operationId} ${String(stepUp)}`);
  expect(asking.sort()).toEqual([
    'changeMemberRole always',
    'changePassword always',
    'changeWebhookEndpoint in_production',
    'createApiKey in_production',
    'createProviderConnection always',
    'createRefund always',
    'createSettlement always',
    'createWebhookEndpoint in_production',
    'disableProviderConnection always',
    'eraseCustomer always',
    'grantCredits always',
    'inviteMember always',
    'issueResetLink always',
    'recordPayment always',
    'removeMember always',
    'requireSecondFactor always',
    'revokeApiKey in_production',
    'rollApiKey in_production',
    'rollWebhookSecret in_production',
    'updateProviderConnection always',
  ]);
  // A key has no second factor.
  for (const host of ['sandbox', 'production'] as const) {
    const routes = routesOf((services) => apiRoutes(services, host));
    expect(routes.filter(({ stepUp }) => stepUp !== undefined)).toEqual([]);
  }
});

test('a refund is asked for after ten minutes, and goes through once it was confirmed, with its key', async () => {
  const { transactionId } = await owing(client);
  const paymentId = idOf(await pay(client, transactionId, '2900'));
  const key = randomUUID();
  const refund = () =>
    client.post('/api/billing/refunds', { headers: { 'Idempotency-Key': key }, body: { paymentId } });
  service.clock.ahead += FRESH_MS;
  const refused = await refund();
  expect(refused).toMatchObject({ status: 403, body: { code: 'second_factor_required' } });
  expect(String(refused.body['fix'])).toContain('/api/auth/second-factor/confirm');
  expect((await confirm(client)).status).toBe(200);
  const done = await refund();
  expect(done.status).toBe(201);
  // The same request after the time limit: the confirmation is required first, then the first answer is replayed.
  service.clock.ahead += FRESH_MS;
  expect((await refund()).status).toBe(403);
  await confirm(client);
  const replayed = await refund();
  expect([replayed.status, replayed.body['id'], replayed.headers.get('idempotency-replayed')]).toEqual([
    201,
    done.body['id'],
    'true',
  ]);
});

test('creating a key asks for the second factor only in production', async () => {
  service.clock.ahead += FRESH_MS;
  expect((await createKey(client, 'sandbox')).status).toBe(201);
  expect(await createKey(client, 'production')).toMatchObject({
    status: 403,
    body: { code: 'second_factor_required' },
  });
  await confirm(client);
  const made = await createKey(client, 'production');
  expect(made.status).toBe(201);
  service.clock.ahead += FRESH_MS;
  for (const act of ['roll', 'revoke']) {
    const path = `/api/api-keys/${idOf(made)}/${act}`;
    const body = act === 'roll' ? { body: {} } : {};
    expect((await client.post(path, { env: 'production', ...body })).body['code']).toBe(
      'second_factor_required',
    );
  }
});

test('payments by hand, credits, settlements and erasures ask, and nothing of them is done before', async () => {
  const { transactionId } = await owing(client);
  const { id } = await createCustomer(client);
  service.clock.ahead += FRESH_MS;
  const keyed = (body: object) => ({ headers: { 'Idempotency-Key': randomUUID() }, body });
  const period = { currency: 'USD', periodStart: new Date(0), periodEnd: new Date(1) };
  const payment = { transactionId, amount: { amount: '2900', currency: 'USD' } };
  const answers = [
    await client.post('/api/billing/payments', keyed(payment)),
    await client.post(`/api/customers/${id}/credits`, keyed({ amount: 5 })),
    await client.post('/api/billing/settlements', keyed(period)),
    await client.delete(`/api/customers/${id}`),
  ];
  for (const { status, body } of answers) {
    expect([status, body['code']]).toEqual([403, 'second_factor_required']);
  }
  const untouched = await client.get(`/api/customers/${id}`);
  expect([untouched.status, untouched.body['erasedAt'] ?? null]).toEqual([200, null]);
  expect((await client.get(`/api/customers/${id}/credits`)).body['data']).toEqual([]);
  await confirm(client);
  expect((await pay(client, transactionId, '2900')).status).toBe(201);
  expect((await client.post(`/api/customers/${id}/credits`, keyed({ amount: 5 }))).status).toBe(201);
  expect((await client.delete(`/api/customers/${id}`)).status).toBe(202);
});

test('a webhook endpoint’s secret and its address ask only in production', async () => {
  const make = (env: 'sandbox' | 'production') =>
    client.post('/api/webhook-endpoints', { env, body: { url: 'https://93.184.216.34/hook' } });
  service.clock.ahead += FRESH_MS;
  const made = await make('sandbox');
  expect(made.status).toBe(201);
  const path = (id: string) => `/api/webhook-endpoints/${id}/roll`;
  expect((await client.post(path(idOf(made)), { env: 'sandbox', body: {} })).status).toBe(200);
  expect((await make('production')).body['code']).toBe('second_factor_required');
  await confirm(client);
  const live = await make('production');
  expect(live.status).toBe(201);
  service.clock.ahead += FRESH_MS;
  const rolled = await client.post(path(idOf(live)), { env: 'production', body: {} });
  expect([rolled.status, rolled.body['code']]).toEqual([403, 'second_factor_required']);
  const moved = { env: 'production', body: { url: 'https://93.184.216.34/other' } } as const;
  const change = () => client.patch(`/api/webhook-endpoints/${idOf(live)}`, moved);
  expect((await change()).body['code']).toBe('second_factor_required');
  await confirm(client);
  expect(await change()).toMatchObject({ status: 200, body: { url: 'https://93.184.216.34/other' } });
});

test('changing members and connections asks for the second factor', async () => {
  service.clock.ahead += FRESH_MS;
  const members = `/api/organizations/${client.workspaceId}/members`;
  const connection = { provider: 'provider_c', displayName: 'Paystack' };
  const answers = [
    await client.post(members, { ...none, body: { email: 'new@example.test', role: 'viewer' } }),
    await client.patch(`${members}/opr_x`, { ...none, body: { role: 'viewer' } }),
    await client.delete(`${members}/opr_x`, none),
    await client.post(`${members}/opr_x/reset-link`, none),
    await client.post('/api/provider-connections', { body: connection }),
    await client.patch('/api/provider-connections/conn_x', { body: { displayName: 'Other' } }),
  ];
  for (const { status, body } of answers) {
    expect([status, body['code']]).toEqual([403, 'second_factor_required']);
  }
  await confirm(client);
  const invited = await client.post(members, {
    ...none,
    body: { email: 'new@example.test', role: 'viewer' },
  });
  expect(invited.status).toBe(201);
});

test('a confirmation opens the session that confirmed, and no other', async () => {
  const other = await logInAgain(service, client, app.next());
  service.clock.ahead += FRESH_MS;
  await confirm(other);
  expect((await createKey(other, 'production')).status).toBe(201);
  expect((await createKey(client, 'production')).status).toBe(403);
});

test('a role that is not enough is refused without a question, and who has no second factor is not asked', async () => {
  for (const role of ['viewer', 'developer'] as const) {
    const lower = await logIn(service, { role, workspaceId: client.workspaceId });
    const { app: own } = await enrol(service, lower);
    service.clock.ahead += FRESH_MS;
    expect((await createKey(lower, 'production')).body['code']).toBe('role_forbidden');
    expect(own.secret).not.toBe(app.secret);
  }
  const plain = await logIn(service, { role: 'owner' });
  expect((await createKey(plain, 'production')).status).toBe(201);
});

test('a changed password asks, and the session that follows keeps its confirmation', async () => {
  const operator = await logIn(service, { role: 'owner' });
  const { app: own } = await enrol(service, operator);
  service.clock.ahead += FRESH_MS;
  const change = () =>
    operator.post('/api/auth/password', {
      ...none,
      body: { currentPassword: testPassword, newPassword: 'another horse, another battery' },
    });
  expect((await change()).body['code']).toBe('second_factor_required');
  const confirmed = await operator.post('/api/auth/second-factor/confirm', {
    ...none,
    body: { code: own.next() },
  });
  expect(confirmed.status).toBe(200);
  const changed = await change();
  expect(changed.status).toBe(204);
});
