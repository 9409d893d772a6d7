import { createCustomer, createFeature, createGroup, createPlan, idOf, planBody, subscribe } from './offer';
import { logIn, type ConsoleAnswer, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

/** Data in one workspace's sandbox is unknown to other workspaces, and to its own production. */
const service = useService();
let owner: OperatorClient;
let stranger: OperatorClient;
beforeAll(async () => {
  owner = await logIn(service, { role: 'owner' });
  stranger = await logIn(service, { role: 'owner' });
});

interface Things {
  group: string;
  plan: string;
  feature: string;
  entitlement: string;
  customer: { id: string; externalId: string };
  grant: string;
  subscription: string;
}

async function makeThings(): Promise<Things> {
  const group = await createGroup(owner);
  const plan = await createPlan(owner);
  const key = await createFeature(owner);
  const { body } = await owner.get('/api/features', { query: { take: '1' } });
  const feature = String((body['data'] as { id: string; key: string }[]).find((one) => one.key === key)?.id);
  const entitlement = idOf(
    await owner.post(`/api/plans/${plan}/entitlements`, { body: { featureId: feature, quota: 1 } }),
  );
  const customer = await createCustomer(owner);
  const headers = { 'Idempotency-Key': `grant-${customer.id}` };
  const grant = idOf(
    await owner.post(`/api/customers/${customer.id}/credits`, { body: { amount: 1 }, headers }),
  );
  const subscription = idOf(await subscribe(owner, { customerId: customer.id, planId: plan }));
  return { group, plan, feature, entitlement, customer, grant, subscription };
}

test.each(['another workspace', 'the other environment'] as const)(
  'every id is a 404 in %s',
  async (where) => {
    const things = await makeThings();
    const { group, plan, feature, entitlement, customer, grant, subscription } = things;
    const client = where === 'another workspace' ? stranger : owner;
    const env = where === 'another workspace' ? ('sandbox' as const) : ('production' as const);
    const headers = { 'Idempotency-Key': `foreign-${plan}-${env}` };
    const own = {
      plan: idOf(await createPlanIn(client, env)),
      customer: idOf(await client.post('/api/customers', { env, body: { externalId: plan } })),
    };

    const calls: [string, Promise<ConsoleAnswer>][] = [
      ['plan_group_not_found', client.get(`/api/plan-groups/${group}`, { env })],
      ['plan_group_not_found', client.patch(`/api/plan-groups/${group}`, { env, body: { name: 'x' } })],
      ['plan_group_not_found', client.post(`/api/plan-groups/${group}/archive`, { env })],
      ['plan_group_not_found', client.post('/api/plans', { env, body: planBody(group) })],
      ['plan_group_not_found', client.patch(`/api/plans/${own.plan}`, { env, body: { planGroupId: group } })],
      ['plan_not_found', client.get(`/api/plans/${plan}`, { env })],
      ['plan_not_found', client.patch(`/api/plans/${plan}`, { env, body: { name: 'x' } })],
      ['plan_not_found', client.delete(`/api/plans/${plan}`, { env })],
      ['plan_not_found', client.post(`/api/plans/${plan}/archive`, { env })],
      ['plan_not_found', client.get(`/api/plans/${plan}/entitlements`, { env })],
      ['feature_not_found', client.get(`/api/features/${feature}`, { env })],
      ['feature_not_found', client.patch(`/api/features/${feature}`, { env, body: { name: 'x' } })],
      ['feature_not_found', client.post(`/api/features/${feature}/archive`, { env })],
      [
        'feature_not_found',
        client.post(`/api/plans/${own.plan}/entitlements`, { env, body: { featureId: feature, quota: 1 } }),
      ],
      [
        'entitlement_not_found',
        client.put(`/api/plans/${plan}/entitlements/${entitlement}`, { env, body: { quota: 2 } }),
      ],
      ['entitlement_not_found', client.delete(`/api/plans/${own.plan}/entitlements/${entitlement}`, { env })],
      ['customer_not_found', client.get(`/api/customers/${customer.id}`, { env })],
      ['customer_not_found', client.patch(`/api/customers/${customer.id}`, { env, body: { name: 'x' } })],
      ['customer_not_found', client.get(`/api/customers/${customer.id}/credits`, { env })],
      [
        'customer_not_found',
        client.post(`/api/customers/${customer.id}/credits`, { env, headers, body: { amount: 1 } }),
      ],
      [
        'credit_grant_not_found',
        client.post(`/api/customers/${own.customer}/credits/${grant}/expire`, { env }),
      ],
      ['subscription_not_found', client.get(`/api/billing/subscriptions/${subscription}`, { env })],
      [
        'customer_not_found',
        client.post('/api/billing/subscriptions', {
          env,
          headers: { 'Idempotency-Key': `a-${plan}-${env}` },
          body: { customerId: customer.id, planId: own.plan },
        }),
      ],
      [
        'plan_not_found',
        client.post('/api/billing/subscriptions', {
          env,
          headers: { 'Idempotency-Key': `b-${plan}-${env}` },
          body: { customerId: own.customer, planId: plan },
        }),
      ],
    ];
    for (const [code, call] of calls) {
      const answer = await call;
      expect([answer.status, answer.body['code']]).toEqual([404, code]);
    }
    const filtered = await client.get('/api/billing/subscriptions', {
      env,
      query: { customerId: customer.id },
    });
    expect(filtered.body['data']).toEqual([]);
    const found = await client.get('/api/customers', { env, query: { search: customer.externalId } });
    expect(found.body['data']).toEqual([]);
    // Nothing of the owner's was changed.
    expect((await owner.get(`/api/plans/${plan}/entitlements`)).body).toMatchObject({ data: [{ quota: 1 }] });
    expect((await owner.get(`/api/customers/${customer.id}/credits`)).body).toMatchObject({ balance: 1 });
  },
);

async function createPlanIn(client: OperatorClient, env: 'sandbox' | 'production'): Promise<ConsoleAnswer> {
  const slug = `own-${env}-${Date.now()}`;
  const group = await client.post('/api/plan-groups', { env, body: { slug, name: 'x' } });
  return client.post('/api/plans', { env, body: planBody(idOf(group)) });
}

test('a viewer reads and does not write', async () => {
  const viewer = await logIn(service, { role: 'viewer', workspaceId: owner.workspaceId });
  const { plan, customer } = await makeThings();
  const headers = { 'Idempotency-Key': 'viewer' };
  for (const path of [
    '/api/plan-groups',
    '/api/plans',
    '/api/features',
    '/api/customers',
    '/api/billing/subscriptions',
    `/api/plans/${plan}/entitlements`,
    `/api/customers/${customer.id}/credits`,
  ]) {
    expect([path, (await viewer.get(path)).status]).toEqual([path, 200]);
  }
  for (const call of [
    viewer.post('/api/plan-groups', { body: { slug: 'x', name: 'x' } }),
    viewer.patch(`/api/plans/${plan}`, { body: { name: 'x' } }),
    viewer.delete(`/api/plans/${plan}`),
    viewer.post('/api/features', { body: { key: 'x', name: 'x', kind: 'metered' } }),
    viewer.post('/api/customers', { body: { externalId: 'x' } }),
    viewer.post(`/api/customers/${customer.id}/credits`, { headers, body: { amount: 1 } }),
    viewer.post('/api/billing/subscriptions', { headers, body: { customerId: customer.id, planId: plan } }),
  ]) {
    const answer = await call;
    expect([answer.status, answer.body['code']]).toEqual([403, 'role_forbidden']);
  }
});
