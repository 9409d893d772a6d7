import {
  createCustomer,
  createGroup,
  createPlan,
  idOf,
  planBody,
  pointersOf,
  subscribe,
  unique,
} from '../catalog/offer';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

/** Section 2, plan: id, slug, and a metadata object that may hold the providers' references. */
const service = useService();
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { role: 'developer' });
});

test('a plan has an id, a slug, a price and metadata with the providers’ references', async () => {
  const planGroupId = await createGroup(client);
  const metadata = {
    providerAPriceId: 'price_1',
    providerBPlanId: 'P-2',
    providerCPlanCode: 'PLN_3',
    tier: 2,
    featured: true,
    note: null,
  };
  const body = planBody(planGroupId, { pricing: 'per_seat', trialDays: 14, metadata });
  const created = await client.post('/api/plans', { body });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ ...body, archivedAt: null });
  expect(idOf(created)).toMatch(/^plan_/);
  const { atProviders, ...plan } = created.body;
  expect(atProviders).toEqual([]);
  expect((await client.get(`/api/plans/${idOf(created)}`)).body).toEqual(plan);
});

test.each([
  ['an amount that is a number', { price: { amount: 2900, currency: 'USD' } }, ['/price/amount']],
  ['a negative amount', { price: { amount: '-1', currency: 'USD' } }, ['/price/amount']],
  ['an amount with decimals', { price: { amount: '29.00', currency: 'USD' } }, ['/price/amount']],
  ['an amount beyond 18 digits', { price: { amount: '9'.repeat(19), currency: 'USD' } }, ['/price/amount']],
  ['a currency not in use', { price: { amount: '1', currency: 'XXX' } }, ['/price/currency']],
  ['a currency in small letters', { price: { amount: '1', currency: 'usd' } }, ['/price/currency']],
  ['an unknown interval', { interval: 'decade' }, ['/interval']],
  ['an unknown pricing', { pricing: 'tiered' }, ['/pricing']],
  ['a negative trial', { trialDays: -1 }, ['/trialDays']],
  ['half a day of trial', { trialDays: 0.5 }, ['/trialDays']],
  ['nested metadata', { metadata: { a: { b: 1 } } }, ['/metadata/a']],
  [
    'a provider reference that is a number',
    { metadata: { providerAPriceId: 5 } },
    ['/metadata/providerAPriceId'],
  ],
  [
    'too many keys of metadata',
    { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])) },
    ['/metadata'],
  ],
  ['an unknown field', { taxCode: 'x' }, ['/taxCode']],
])('%s is refused', async (_, members, pointers) => {
  const body = planBody(await createGroup(client), members);
  const answer = await client.post('/api/plans', { body });
  expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
  expect(pointersOf(answer)).toEqual(pointers);
});

test('a slug is taken once', async () => {
  const group = await createGroup(client);
  const slug = unique('plan');
  expect((await client.post('/api/plans', { body: planBody(group, { slug }) })).status).toBe(201);
  const again = await client.post('/api/plans', { body: planBody(group, { slug }) });
  expect(again.body).toMatchObject({
    status: 409,
    code: 'resource_conflict',
    errors: [{ pointer: '/slug' }],
  });
});

test('the list filters by group and archive, page by page', async () => {
  const group = await createGroup(client);
  const ids: string[] = [];
  for (let i = 0; i < 3; i += 1) ids.push(idOf(await client.post('/api/plans', { body: planBody(group) })));
  await client.post(`/api/plans/${ids[0]}/archive`);
  const query = { planGroupId: group, archived: 'false', take: '1' };
  const first = await client.get('/api/plans', { query });
  expect(first.body).toMatchObject({ hasMore: true, data: [{ id: ids[2] }] });
  const cursor = String(first.body['nextCursor']);
  const second = await client.get('/api/plans', { query: { ...query, cursor } });
  expect(second.body).toEqual({ hasMore: false, data: [expect.objectContaining({ id: ids[1] })] });
  const archived = await client.get('/api/plans', { query: { planGroupId: group, archived: 'true' } });
  expect(archived.body).toMatchObject({ hasMore: false, data: [{ id: ids[0] }] });
  // A cursor belongs to its list, its filters and its environment.
  for (const [path, options] of [
    ['/api/plans', { query: { ...query, archived: 'true', cursor } }],
    ['/api/plans', { query: { ...query, cursor }, env: 'production' as const }],
    ['/api/features', { query: { cursor } }],
  ] as const) {
    const refused = await client.get(path, options);
    expect([refused.status, refused.body['code']]).toEqual([400, 'cursor_invalid']);
  }
});

test('all terms may change while nobody has subscribed', async () => {
  const id = await createPlan(client);
  const planGroupId = await createGroup(client);
  const change = {
    name: 'Business',
    price: { amount: '99000', currency: 'EUR' },
    interval: 'year',
    pricing: 'per_seat',
    trialDays: 7,
    planGroupId,
    metadata: { providerAPriceId: 'price_9' },
  };
  const changed = await client.patch(`/api/plans/${id}`, { body: change });
  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject(change);
  const emptied = await client.patch(`/api/plans/${id}`, { body: { metadata: {} } });
  expect(emptied.body).toMatchObject({ ...change, metadata: {} });
});

test('with subscriptions, group, currency, interval and pricing are fixed; price, name and trial are not', async () => {
  const id = await createPlan(client);
  const { externalId } = await createCustomer(client);
  const subscription = await subscribe(client, { externalId, planId: id });
  expect(subscription.status).toBe(201);
  const planGroupId = await createGroup(client);
  for (const [body, pointer] of [
    [{ price: { amount: '2900', currency: 'EUR' } }, '/price/currency'],
    [{ interval: 'year' }, '/interval'],
    [{ pricing: 'per_seat' }, '/pricing'],
    [{ planGroupId }, '/planGroupId'],
  ] as const) {
    const refused = await client.patch(`/api/plans/${id}`, { body });
    expect(refused.body).toMatchObject({ status: 409, code: 'plan_terms_fixed', errors: [{ pointer }] });
  }
  const body = { name: 'Pro 2', price: { amount: '3900', currency: 'USD' }, trialDays: 3, interval: 'month' };
  expect((await client.patch(`/api/plans/${id}`, { body })).body).toMatchObject(body);
  // Its subscriber keeps the price of the current period.
  const now = await client.get(`/api/billing/subscriptions/${idOf(subscription)}`);
  expect(now.body['price']).toEqual({ amount: '2900', currency: 'USD' });
});

test('a price of which a subscriber’s next period could not be recorded is refused', async () => {
  const id = await createPlan(client, { pricing: 'per_seat' });
  const { externalId } = await createCustomer(client);
  expect((await subscribe(client, { externalId, planId: id, seats: 1000 })).status).toBe(201);
  const price = (amount: string) =>
    client.patch(`/api/plans/${id}`, { body: { price: { amount, currency: 'USD' } } });
  const refused = await price('9'.repeat(16));
  expect(refused.body).toMatchObject({ status: 400, code: 'validation_failed' });
  expect(pointersOf(refused)).toEqual(['/price/amount']);
  expect((await price('9'.repeat(15))).status).toBe(200);
});

test('a plan that never had a subscription is deleted with its entitlements', async () => {
  const id = await createPlan(client);
  const key = unique('feature');
  await client.post('/api/features', { body: { key, name: 'F', kind: 'metered' } });
  const entitlement = { featureKey: key, quota: 5 };
  expect((await client.post(`/api/plans/${id}/entitlements`, { body: entitlement })).status).toBe(201);
  expect((await client.delete(`/api/plans/${id}`)).status).toBe(204);
  expect((await client.get(`/api/plans/${id}`)).status).toBe(404);
  expect((await client.get(`/api/plans/${id}/entitlements`)).status).toBe(404);
});

test('a plan with subscriptions is archived, not deleted, and an archived plan takes no new ones', async () => {
  const id = await createPlan(client);
  const one = await createCustomer(client);
  const subscription = idOf(await subscribe(client, { customerId: one.id, planId: id }));
  const refused = await client.delete(`/api/plans/${id}`);
  expect([refused.status, refused.body['code']]).toEqual([409, 'plan_in_use']);
  expect(refused.body['detail']).toMatch(/archive it/i);

  expect((await client.post(`/api/plans/${id}/archive`)).status).toBe(200);
  const other = await createCustomer(client);
  const late = await subscribe(client, { customerId: other.id, planId: id });
  expect([late.status, late.body['code']]).toEqual([409, 'plan_archived']);
  expect((await client.get(`/api/billing/subscriptions/${subscription}`)).body['status']).toBe('active');

  await client.post(`/api/plans/${id}/unarchive`);
  expect((await subscribe(client, { customerId: other.id, planId: id })).status).toBe(201);
});
