import { DAY_MS } from '../../src/domain/instant';
import { createCustomer, createFeature, createPlan, pointersOf, subscribe } from '../catalog/offer';
import { CheckoutWorkspace } from '../checkouts/checkout-workspace';
import { createWorkspace } from '../support/workspace';
import { logIn } from '../support/operator';
import { useStarted } from '../support/use-started';

/** Section 4.2, checkout creation (its path and body are this service's own). */
const bench = useStarted(() => CheckoutWorkspace.start());

test('a checkout offers a plan: an incomplete subscription, and the transaction that pays for its first period', async () => {
  const planId = await createPlan(bench.client, { pricing: 'per_seat' });
  const { slug } = (await bench.client.get(`/api/plans/${planId}`)).body;
  const customer = await createCustomer(bench.client);
  const before = Date.now();
  const { status, body } = await bench.send({
    externalId: customer.externalId,
    planSlug: slug,
    seats: 5,
    metadata: { ref: 'x1' },
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    status: 'open',
    provider: 'internal',
    customerId: customer.id,
    externalId: customer.externalId,
    plan: { id: planId, slug },
    seats: 5,
    price: { amount: '2900', currency: 'USD' },
    transaction: { kind: 'initial', status: 'pending', total: { amount: '14500', currency: 'USD' } },
    amountDue: { amount: '14500', currency: 'USD' },
    url: null,
    completedAt: null,
    metadata: { ref: 'x1' },
  });
  expect(String(body['id'])).toMatch(/^chk_/);
  expect(Date.parse(String(body['expiresAt'])) - before).toBeGreaterThanOrEqual(DAY_MS);
  const subscription = await bench.client.get(`/api/billing/subscriptions/${String(body['subscriptionId'])}`);
  expect(subscription.body).toMatchObject({
    status: 'incomplete',
    seats: 5,
    incompleteUntil: body['expiresAt'],
    metadata: { ref: 'x1' },
  });
  expect(await bench.read(String(body['id']))).toEqual(body);
});

test('its event, audit record and job are there', async () => {
  const { checkout, externalId } = await bench.offer();
  const events = await bench.client.get('/api/developer-events', {
    query: { eventType: 'CHECKOUT_CREATED', take: '1' },
  });
  expect(events.body['data']).toMatchObject([
    {
      status: 'OK',
      source: 'console',
      data: { checkoutId: checkout.id, subscriptionId: checkout.subscriptionId, externalId },
    },
  ]);
  const audits = await bench.service.database.query(
    "SELECT operator_id FROM tollgate.audit_records WHERE action = 'checkout.created' AND target = $1",
    [checkout.id],
  );
  expect(audits).toEqual([{ operator_id: bench.client.operatorId }]);
  const jobs = await bench.service.database.query<{ payload: unknown }>(
    'SELECT payload FROM graphile_worker._private_jobs WHERE key = $1',
    [`checkout/sandbox/${checkout.id}`],
  );
  expect(jobs.map((job) => job.payload)).toEqual([
    { workspaceId: bench.client.workspaceId, environment: 'sandbox', checkoutId: checkout.id },
  ]);
});

test('tax is added as the workspace’s settings say, and is part of what is due', async () => {
  const { workspaceId } = await createWorkspace(bench.service.database);
  const admin = await logIn(bench.service, { role: 'admin', workspaceId });
  const settings = { taxBehavior: 'exclusive', taxRates: [{ name: 'VAT', rate: '0.19' }] };
  expect((await admin.patch('/api/billing/settings', { body: settings })).status).toBe(200);
  const planId = await createPlan(admin);
  const { externalId } = await createCustomer(admin);
  const { body } = await admin.post('/api/billing/checkouts', {
    body: { externalId, planId },
    headers: { 'Idempotency-Key': 'taxed' },
  });
  expect(body).toMatchObject({
    amountDue: { amount: '3451', currency: 'USD' },
    transaction: { subtotal: { amount: '2900' }, taxAmount: { amount: '551' } },
  });
  // Also to the charge at the end of a trial, which the timeline shows too.
  const customer = await createCustomer(admin);
  const trial = await admin.post('/api/billing/checkouts', {
    body: { externalId: customer.externalId, planId: await createPlan(admin, { trialDays: 14 }) },
    headers: { 'Idempotency-Key': 'taxed-later' },
  });
  const firstCharge = { amount: '3451', currency: 'USD' };
  expect(trial.body).toMatchObject({ amountDue: { amount: '0' }, trial: { days: 14, firstCharge } });
  const timeline = await admin.get(
    `/api/billing/subscriptions/${String(trial.body['subscriptionId'])}/timeline`,
  );
  expect(timeline.body['upcoming']).toContainEqual(
    expect.objectContaining({ kind: 'end_trial', estimate: firstCharge }),
  );
});

test('where nothing is to pay it is complete at once', async () => {
  const trial = await bench.offer({ trialDays: 14 });
  expect(trial.checkout).toMatchObject({ status: 'complete', transaction: null, amountDue: { amount: '0' } });
  expect(await bench.statusOf(trial.checkout.subscriptionId)).toBe('trialing');
  const free = await bench.offer({ price: { amount: '0', currency: 'USD' } });
  expect(free.checkout).toMatchObject({ status: 'complete', transaction: { status: 'paid' } });
  expect(await bench.statusOf(free.checkout.subscriptionId)).toBe('active');
});

test('the same key replays the answer, byte for byte, and makes one checkout', async () => {
  const planId = await createPlan(bench.client);
  const { externalId } = await createCustomer(bench.client);
  const first = await bench.send({ externalId, planId }, 'replayed');
  const replay = await bench.send({ externalId, planId }, 'replayed');
  expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  expect(JSON.stringify(replay.body)).toBe(JSON.stringify(first.body));
  const list = await bench.client.get('/api/billing/checkouts', {
    query: { customerId: String(first.body['customerId']) },
  });
  expect(list.body['data']).toEqual([first.body]);
  const unkeyed = await bench.client.post('/api/billing/checkouts', { body: { externalId, planId } });
  expect([unkeyed.status, unkeyed.body['code']]).toEqual([400, 'idempotency_key_required']);
});

test('an incomplete subscription grants nothing, and once it is paid it does from the very next call', async () => {
  const { client, integrator } = bench;
  const planId = await createPlan(client);
  const feature = await createFeature(client);
  const entitlement = { featureKey: feature, quota: 10, resetInterval: 'billing_period' };
  expect((await client.post(`/api/plans/${planId}/entitlements`, { body: entitlement })).status).toBe(201);
  const { externalId } = await createCustomer(client);
  const checkout = await bench.checkout({ externalId, planId });
  const denied = await integrator.check(externalId, feature);
  expect(denied.body).toMatchObject({ allowed: false, reason: { code: 'no_active_subscription' } });
  await bench.pay(checkout);
  const granted = await integrator.check(externalId, feature);
  expect(granted.body).toMatchObject({ allowed: true, subscriptionId: checkout.subscriptionId });
});

test('an open subscription of the plan group stands in the way', async () => {
  const planId = await createPlan(bench.client);
  const { externalId } = await createCustomer(bench.client);
  const open = await subscribe(bench.client, { externalId, planId });
  const refused = await bench.send({ externalId, planId });
  expect([refused.status, refused.body['code'], refused.body['subscriptionId']]).toEqual([
    409,
    'subscription_exists',
    open.body['id'],
  ]);
});

test.each([
  ['no customer', { planId: 'plan_x' }, ['/customerId']],
  ['two names of the plan', { externalId: 'a', planId: 'b', planSlug: 'c' }, ['/planId']],
  ['no seats', { externalId: 'a', planId: 'b', seats: 0 }, ['/seats']],
  ['four minutes', { externalId: 'a', planId: 'b', expiresInMinutes: 4 }, ['/expiresInMinutes']],
  ['a month and more', { externalId: 'a', planId: 'b', expiresInMinutes: 43_201 }, ['/expiresInMinutes']],
  ['an unknown field', { externalId: 'a', planId: 'b', anchor: '2027-01-01T00:00:00Z' }, ['/anchor']],
])('%s is refused', async (_, body, pointers) => {
  const answer = await bench.send(body);
  expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
  expect(pointersOf(answer)).toEqual(pointers);
});

test('an unknown customer, plan or checkout is a 404, and an archived plan a 409', async () => {
  const planId = await createPlan(bench.client);
  const { externalId } = await createCustomer(bench.client);
  const archived = await createPlan(bench.client);
  await bench.client.post(`/api/plans/${archived}/archive`);
  const answers = await Promise.all([
    bench.send({ externalId: 'nobody', planId }),
    bench.send({ externalId, planId: 'plan_none' }),
    bench.client.get('/api/billing/checkouts/chk_none'),
    bench.client.post('/api/billing/checkouts/chk_none/expire'),
    bench.send({ externalId, planId: archived }),
  ]);
  expect(answers.map((answer) => [answer.status, answer.body['code']])).toEqual([
    [404, 'customer_not_found'],
    [404, 'plan_not_found'],
    [404, 'checkout_not_found'],
    [404, 'checkout_not_found'],
    [409, 'plan_archived'],
  ]);
});

test('an operator gives a checkout up, once; a complete one can no longer be given up', async () => {
  const { checkout } = await bench.offer();
  const path = `/api/billing/checkouts/${checkout.id}/expire`;
  const expired = await bench.client.post(path);
  expect(expired.status).toBe(200);
  expect(expired.body).toMatchObject({
    status: 'expired',
    amountDue: { amount: '0' },
    transaction: { status: 'void' },
  });
  expect(await bench.statusOf(checkout.subscriptionId)).toBe('expired');
  const again = await bench.client.post(path);
  expect([again.status, again.body]).toEqual([200, expired.body]);
  const free = await bench.offer({ trialDays: 7 });
  const refused = await bench.client.post(`/api/billing/checkouts/${free.checkout.id}/expire`);
  expect([refused.status, refused.body['code']]).toEqual([409, 'checkout_not_open']);
});

test('the list is newest first, filtered, page by page', async () => {
  const planId = await createPlan(bench.client);
  const { externalId, id: customerId } = await createCustomer(bench.client);
  const ids: string[] = [];
  for (let i = 0; i < 3; i += 1) ids.unshift((await bench.checkout({ externalId, planId })).id);
  const seen: unknown[] = [];
  let cursor: string | undefined;
  do {
    const query = { customerId, take: '2', ...(cursor === undefined ? {} : { cursor }) };
    const { body } = await bench.client.get('/api/billing/checkouts', { query });
    seen.push(...(body['data'] as { id: string }[]).map((one) => one.id));
    cursor = body['nextCursor'] as string | undefined;
  } while (cursor !== undefined);
  expect(seen).toEqual(ids);
  const open = await bench.client.get('/api/billing/checkouts', { query: { customerId, status: 'open' } });
  expect((open.body['data'] as { id: string }[]).map((one) => one.id)).toEqual(ids.slice(0, 1));
});
