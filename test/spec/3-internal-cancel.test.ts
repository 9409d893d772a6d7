import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/domain/instant';
import { createCustomer, createFeature, createPlan, idOf, subscribe } from '../catalog/offer';
import { command, dataOf, historyOf, twoPlans } from '../support/billing';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { createWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/** Section 3, internal, cancel: local and immediate. */
const service = useService({ commands: 'direct' });
let client: OperatorClient;
let integrator: Integrator;
beforeAll(async () => {
  const { workspaceId, sandboxKey } = await createWorkspace(service.database);
  client = await logIn(service, { role: 'developer', workspaceId });
  integrator = new Integrator(service.urls.sandbox, sandboxKey);
});

test('access is denied from the very next call, and nothing more is owed', async () => {
  const plan = await createPlan(client);
  const feature = await createFeature(client);
  const entitlement = { featureKey: feature, quota: 100 };
  idOf(await client.post(`/api/plans/${plan}/entitlements`, { body: entitlement }));
  const { externalId } = await createCustomer(client);
  const id = idOf(await subscribe(client, { externalId, planId: plan }));
  expect((await integrator.check(externalId, feature)).body['allowed']).toBe(true);

  const cancelled = await command(client, id, 'cancel');
  expect(cancelled.status).toBe(200);
  expect(cancelled.body).toMatchObject({
    effective: 'immediate',
    requiresCustomerAction: false,
    subscription: { id, status: 'cancelled', cancelAtPeriodEnd: false, paymentDueAt: null, waitingFor: null },
  });
  expect((await integrator.check(externalId, feature)).body).toMatchObject({
    allowed: false,
    reason: { code: 'no_active_subscription' },
  });
  expect((await integrator.track(externalId, feature)).status).toBe(403);
  const transactions = await client.get('/api/billing/transactions', { query: { subscriptionId: id } });
  expect(dataOf(transactions)).toMatchObject([{ kind: 'initial', status: 'void' }]);
});

test('it is in the history, the developer events and the audit, with who did it', async () => {
  const { externalId } = await createCustomer(client);
  const id = idOf(await subscribe(client, { externalId, planId: await createPlan(client) }));
  await command(client, id, 'cancel');
  expect(await historyOf(client, id)).toEqual(['created', 'cancelled']);
  const events = await integrator.send('GET', '/v1/events?eventType=SUBSCRIPTION_CHANGED&take=1');
  expect(events.body['data']).toMatchObject([
    { status: 'OK', source: 'console', data: { subscriptionId: id, change: 'cancelled', externalId } },
  ]);
  const audits = await service.database.query(
    "SELECT operator_id, ip IS NOT NULL AS has_ip FROM tollgate.audit_records WHERE action = 'subscription.cancelled' AND target = $1",
    [id],
  );
  expect(audits).toEqual([{ operator_id: client.operatorId, has_ip: true }]);
});

test('a second cancel is 200 and changes nothing; the same key replays the first', async () => {
  const { externalId } = await createCustomer(client);
  const id = idOf(await subscribe(client, { externalId, planId: await createPlan(client) }));
  const key = randomUUID();
  const first = await command(client, id, 'cancel', { key });
  const replayed = await command(client, id, 'cancel', { key });
  expect(replayed.body).toEqual(first.body);
  expect([first, replayed].map(({ headers }) => headers.get('Idempotency-Replayed'))).toEqual([null, 'true']);

  const second = await command(client, id, 'cancel');
  expect(second.status).toBe(200);
  expect(second.body).toEqual(first.body);
  expect(await historyOf(client, id)).toEqual(['created', 'cancelled']);
});

test('it withdraws the scheduled change and says so', async () => {
  const { starter, starterSlug, pro } = await twoPlans(client);
  const { externalId } = await createCustomer(client);
  const id = idOf(await subscribe(client, { externalId, planId: pro }));
  await command(client, id, 'change', { body: { planId: starter } });
  const cancelled = await command(client, id, 'cancel');
  expect(cancelled.body).toMatchObject({
    withdrawn: { plan: { id: starter, slug: starterSlug }, seats: 1 },
    subscription: { status: 'cancelled', scheduledChange: null },
  });
  expect(await historyOf(client, id)).toEqual([
    'created',
    'downgrade_scheduled',
    'scheduled_change_withdrawn',
    'cancelled',
  ]);
});

test('the customer can subscribe again at once', async () => {
  const planId = await createPlan(client);
  const { externalId } = await createCustomer(client);
  const id = idOf(await subscribe(client, { externalId, planId }));
  expect((await subscribe(client, { externalId, planId })).status).toBe(409);
  await command(client, id, 'cancel');
  expect((await subscribe(client, { externalId, planId })).status).toBe(201);
});

test('a key that cancelled one subscription does not cancel another', async () => {
  const planId = await createPlan(client);
  const open = async () => idOf(await subscribe(client, { ...(await named()), planId }));
  const named = async () => ({ externalId: (await createCustomer(client)).externalId });
  const [one, other, key] = [await open(), await open(), randomUUID()];
  await command(client, one, 'cancel', { key });
  const refused = await command(client, other, 'cancel', { key });
  expect([refused.status, refused.body['code']]).toEqual([422, 'idempotency_key_reused']);
  const { body } = await client.get(`/api/billing/subscriptions/${other}`);
  expect(body['status']).toBe('active');
});

test('an unknown subscription, another environment’s, and a viewer are refused', async () => {
  const { externalId } = await createCustomer(client);
  const id = idOf(await subscribe(client, { externalId, planId: await createPlan(client) }));
  const headers = () => ({ 'Idempotency-Key': randomUUID() });
  expect((await command(client, 'sub_none', 'cancel')).body['code']).toBe('subscription_not_found');
  const path = `/api/billing/subscriptions/${id}/cancel`;
  const elsewhere = await client.post(path, { env: 'production', headers: headers() });
  expect([elsewhere.status, elsewhere.body['code']]).toEqual([404, 'subscription_not_found']);
  const viewer = await logIn(service, { role: 'viewer', workspaceId: client.workspaceId });
  expect((await viewer.post(path, { headers: headers() })).status).toBe(403);
  expect((await client.post(path)).body['code']).toBe('idempotency_key_required');
  expect((await client.get(`/api/billing/subscriptions/${id}`)).body['status']).toBe('active');
});

test('a trial, and a past-due subscription, can be cancelled; an expired one cannot', async () => {
  const cancelAfter = async (days: number, members: object) => {
    const { externalId } = await createCustomer(client);
    const planId = await createPlan(client, members);
    const id = idOf(await subscribe(client, { externalId, planId }));
    service.clock.ahead = days * DAY_MS;
    try {
      const fresh = await logIn(service, { role: 'developer', workspaceId: client.workspaceId });
      const answer = await command(fresh, id, 'cancel');
      return [answer.status, (await fresh.get(`/api/billing/subscriptions/${id}`)).body['status']];
    } finally {
      service.clock.ahead = 0;
    }
  };
  expect(await cancelAfter(1, { trialDays: 14 })).toEqual([200, 'cancelled']);
  // Nothing has run in the meantime: the command takes the overdue steps first.
  const { body: settings } = await client.get('/api/billing/settings');
  const [pastDue, expire] = [Number(settings['pastDueAfterDays']), Number(settings['expireAfterDays'])];
  expect(await cancelAfter(pastDue + 1, {})).toEqual([200, 'cancelled']);
  expect(await cancelAfter(pastDue + expire + 1, {})).toEqual([409, 'expired']);
});
