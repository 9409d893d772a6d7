import { DAY_MS } from '../../src/domain/instant';
import { createCustomer, createPlan, idOf, pointersOf, subscribe } from '../catalog/offer';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { createWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/** Section 2, subscription: a customer on a plan, with metadata. */
const service = useService();
let client: OperatorClient;
let integrator: Integrator;
let planId: string;
beforeAll(async () => {
  const { workspaceId, sandboxKey } = await createWorkspace(service.database);
  client = await logIn(service, { role: 'developer', workspaceId });
  integrator = new Integrator(service.urls.sandbox, sandboxKey);
  planId = await createPlan(client, { pricing: 'per_seat' });
});

test('a subscription is opened active, from now, with its period, price and metadata', async () => {
  const customer = await createCustomer(client);
  const before = Date.now();
  const created = await subscribe(client, {
    customerId: customer.id,
    planId,
    seats: 4,
    metadata: { ref: 'x1' },
  });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    customerId: customer.id,
    externalId: customer.externalId,
    plan: { id: planId, name: 'Pro' },
    provider: 'internal',
    status: 'active',
    seats: 4,
    price: { amount: '2900', currency: 'USD' },
    currency: 'USD',
    interval: 'month',
    pricing: 'per_seat',
    timeZone: 'UTC',
    trialEnd: null,
    cancelAtPeriodEnd: false,
    cancelledAt: null,
    pastDueSince: null,
    incompleteUntil: null,
    scheduledChange: null,
    tax: { behavior: 'none', rates: [] },
    capabilities: {
      cancel: { supported: true, available: true, timing: 'immediate', reason: null, reasonCode: null },
      reactivate: { supported: false, available: false, timing: null },
      planChange: {
        supported: true,
        available: true,
        timing: 'by_direction',
        timings: { increase: 'immediate', decrease: 'next_renewal' },
      },
      seatChange: { supported: true, available: true, timing: 'by_direction' },
    },
    metadata: { ref: 'x1' },
    version: 1,
  });
  const { id, billingAnchor, currentPeriodStart, paymentDueAt, waitingFor } = created.body;
  expect(id).toMatch(/^sub_/);
  expect(Date.parse(String(billingAnchor))).toBeGreaterThanOrEqual(before);
  expect(currentPeriodStart).toBe(billingAnchor);
  // The settings allow seven days to pay.
  expect(Date.parse(String(paymentDueAt)) - Date.parse(String(currentPeriodStart))).toBe(7 * DAY_MS);
  expect(waitingFor).toBe(`The open payment becomes past due at ${String(paymentDueAt)} if it is not paid.`);
  expect((await client.get(`/api/billing/subscriptions/${String(id)}`)).body).toEqual(created.body);
});

test('its metadata does not accept the name of the synchronizer’s marker, which would replace it', async () => {
  const { externalId } = await createCustomer(client);
  const refused = await subscribe(client, { externalId, planId, metadata: { nextCycleSync: 'mine' } });
  expect([refused.status, refused.body['code']]).toEqual([400, 'validation_failed']);
  expect(pointersOf(refused)).toEqual(['/metadata/nextCycleSync']);
});

test('it wakes when its payment is due, and its event, audit record and job are there', async () => {
  const { externalId } = await createCustomer(client);
  const { body } = await subscribe(client, { externalId, planId });
  const id = String(body['id']);
  const [row] = await service.database.query<{ wakes: boolean }>(
    'SELECT next_wake_at = payment_due_at AS wakes FROM tollgate.subscriptions WHERE id = $1',
    [id],
  );
  expect(row?.wakes).toBe(true);
  const events = await integrator.send('GET', '/v1/events?eventType=SUBSCRIPTION_CREATED&take=1');
  expect(events.body['data']).toMatchObject([
    { status: 'OK', source: 'console', data: { subscriptionId: id, externalId, planId, seats: 1 } },
  ]);
  const audits = await service.database.query(
    "SELECT operator_id FROM tollgate.audit_records WHERE action = 'subscription.created' AND target = $1",
    [id],
  );
  expect(audits).toEqual([{ operator_id: client.operatorId }]);
  const jobs = await service.database.query<{ payload: unknown }>(
    'SELECT payload FROM graphile_worker._private_jobs WHERE key = $1',
    [`subscription/sandbox/${id}`],
  );
  expect(jobs.map((job) => job.payload)).toEqual([
    { workspaceId: client.workspaceId, environment: 'sandbox', subscriptionId: id },
  ]);
});

test('a trial comes first, and billing is anchored at its end', async () => {
  const trial = await createPlan(client, { trialDays: 14 });
  const { externalId } = await createCustomer(client);
  const { body } = await subscribe(client, { externalId, planId: trial });
  expect(body).toMatchObject({
    status: 'trialing',
    billingAnchor: body['trialEnd'],
    currentPeriodEnd: body['trialEnd'],
  });
  const length = Date.parse(String(body['trialEnd'])) - Date.parse(String(body['currentPeriodStart']));
  expect(length).toBe(14 * DAY_MS);
  expect(body['waitingFor']).toBe(`The trial ends at ${String(body['trialEnd'])}.`);
});

test('periods are counted from an anchor in the past, and a month end comes back', async () => {
  const { externalId } = await createCustomer(client);
  const { body } = await subscribe(client, { externalId, planId, anchor: '2024-01-31T02:00:00+02:00' });
  expect(body).toMatchObject({ billingAnchor: '2024-01-31T00:00:00.000Z', status: 'active' });
  expect(String(body['currentPeriodEnd'])).toMatch(/T00:00:00\.000Z$/);
  expect(Date.parse(String(body['currentPeriodStart']))).toBeLessThanOrEqual(Date.now());
  expect(Date.parse(String(body['currentPeriodEnd']))).toBeGreaterThan(Date.now());
});

test('an anchor may lie one interval ahead, not more', async () => {
  const { externalId } = await createCustomer(client);
  const at = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  const refused = await subscribe(client, { externalId, planId, anchor: at(40) });
  expect([refused.status, ...pointersOf(refused)]).toEqual([400, '/anchor']);
  const anchor = at(20);
  const { status, body } = await subscribe(client, { externalId, planId, anchor });
  expect([status, body['billingAnchor'], body['currentPeriodEnd']]).toEqual([201, anchor, anchor]);
});

test('customer and plan are named by id, or by external id and slug', async () => {
  const { externalId } = await createCustomer(client);
  const { slug } = (await client.get(`/api/plans/${planId}`)).body;
  const { body } = await subscribe(client, { externalId, planSlug: slug });
  expect(body).toMatchObject({ externalId, plan: { id: planId, slug } });
});

test.each([
  ['no customer', { planId: 'plan_x' }, ['/customerId']],
  ['two names of the customer', { customerId: 'a', externalId: 'b', planId: 'plan_x' }, ['/customerId']],
  ['no plan', { customerId: 'a' }, ['/planId']],
  ['no seats', { customerId: 'a', planId: 'b', seats: 0 }, ['/seats']],
  ['half a seat', { customerId: 'a', planId: 'b', seats: 1.5 }, ['/seats']],
  ['too many seats', { customerId: 'a', planId: 'b', seats: 1_000_001 }, ['/seats']],
  ['an anchor without a zone', { customerId: 'a', planId: 'b', anchor: '2026-01-01T00:00:00' }, ['/anchor']],
  [
    'an anchor that is no date',
    { customerId: 'a', planId: 'b', anchor: '2026-02-30T00:00:00Z' },
    ['/anchor'],
  ],
  ['an anchor as a number', { customerId: 'a', planId: 'b', anchor: 1 }, ['/anchor']],
  ['an unknown field', { customerId: 'a', planId: 'b', status: 'active' }, ['/status']],
])('%s is refused', async (_, body, pointers) => {
  const answer = await subscribe(client, body);
  expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
  expect(pointersOf(answer)).toEqual(pointers);
});

test('an unknown customer, plan or subscription is a 404', async () => {
  const { externalId } = await createCustomer(client);
  const codes = await Promise.all([
    subscribe(client, { externalId: 'nobody', planId }),
    subscribe(client, { externalId, planId: 'plan_none' }),
    subscribe(client, { externalId, planSlug: 'none' }),
    client.get('/api/billing/subscriptions/sub_none'),
  ]);
  expect(codes.map((answer) => [answer.status, answer.body['code']])).toEqual([
    [404, 'customer_not_found'],
    [404, 'plan_not_found'],
    [404, 'plan_not_found'],
    [404, 'subscription_not_found'],
  ]);
});

test('the list is newest first, filtered, page by page', async () => {
  const plan = await createPlan(client);
  const ids: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    const { externalId } = await createCustomer(client);
    ids.unshift(idOf(await subscribe(client, { externalId, planId: plan })));
  }
  const seen: unknown[] = [];
  let cursor: string | undefined;
  do {
    const query: Record<string, string> = {
      planId: plan,
      status: 'active',
      take: '1',
      ...(cursor === undefined ? {} : { cursor }),
    };
    const { body } = await client.get('/api/billing/subscriptions', { query });
    seen.push(...(body['data'] as { id: string }[]).map((one) => one.id));
    cursor = body['nextCursor'] as string | undefined;
    expect(body['hasMore']).toBe(cursor !== undefined);
  } while (cursor !== undefined);
  expect(seen).toEqual(ids);
  const none = await client.get('/api/billing/subscriptions', {
    query: { planId: plan, status: 'cancelled' },
  });
  expect(none.body).toEqual({ data: [], hasMore: false });
  const wrong = await client.get('/api/billing/subscriptions', { query: { status: 'paused' } });
  expect(pointersOf(wrong)).toEqual(['/query/status']);
});

test('a scheduled change is shown with its plan, its time, and in words', async () => {
  const { externalId } = await createCustomer(client);
  const id = idOf(await subscribe(client, { externalId, planId, seats: 5 }));
  const starter = await createPlan(client, {
    price: { amount: '500', currency: 'USD' },
    pricing: 'per_seat',
  });
  const requestedAt = '2026-01-31T00:00:00.000Z';
  // As if nothing were due any longer.
  await service.database.query(
    "UPDATE tollgate.subscription_transactions SET status = 'void', voided_at = created_at WHERE subscription_id = $1",
    [id],
  );
  await service.database.query(
    `UPDATE tollgate.subscriptions SET payment_due_at = NULL, scheduled_plan_id = $2, scheduled_seats = 3,
            scheduled_requested_at = $3 WHERE id = $1`,
    [id, starter, requestedAt],
  );
  const { body } = await client.get(`/api/billing/subscriptions/${id}`);
  const { slug } = (await client.get(`/api/plans/${starter}`)).body;
  expect(body['scheduledChange']).toEqual({
    plan: { id: starter, slug },
    seats: 3,
    effectiveAt: body['currentPeriodEnd'],
    requestedAt,
  });
  expect(body['waitingFor']).toBe(
    `The billing period ends at ${String(body['currentPeriodEnd'])}; then downgrade to ${String(slug)} × 3.`,
  );
});

test('a past-due subscription says since when, and its changes are unavailable', async () => {
  const { externalId } = await createCustomer(client);
  const id = idOf(await subscribe(client, { externalId, planId }));
  const since = new Date(Date.now() - DAY_MS).toISOString();
  await service.database.query(
    'UPDATE tollgate.subscription_transactions SET due_at = $2 WHERE subscription_id = $1',
    [id, since],
  );
  await service.database.query(
    "UPDATE tollgate.subscriptions SET status = 'past_due', payment_due_at = $2, past_due_since = $2 WHERE id = $1",
    [id, since],
  );
  const { body } = await client.get(`/api/billing/subscriptions/${id}`);
  expect(body).toMatchObject({
    status: 'past_due',
    pastDueSince: since,
    paymentDueAt: since,
    capabilities: {
      cancel: { available: true },
      planChange: { supported: true, available: false, reasonCode: expect.any(String) as string },
      seatChange: { supported: true, available: false },
    },
  });
  const overview = await integrator.send('GET', `/v1/customers/${externalId}`);
  expect(overview.body['subscriptions']).toEqual([body]);
});

test('the list is filtered by customer, by external id and by provider', async () => {
  const plan = await createPlan(client);
  const customers = [await createCustomer(client), await createCustomer(client)];
  const ids: string[] = [];
  for (const { externalId } of customers)
    ids.push(idOf(await subscribe(client, { externalId, planId: plan })));
  await service.database.query(
    "UPDATE tollgate.subscriptions SET provider = 'provider_c' WHERE id = $1",
    ids.slice(1),
  );
  const listed = async (query: Record<string, string>): Promise<string[]> => {
    const { body } = await client.get('/api/billing/subscriptions', { query });
    return (body['data'] as { id: string }[]).map((one) => one.id);
  };
  const [first, second] = customers;
  expect(await listed({ customerId: String(first?.id) })).toEqual([ids[0]]);
  expect(await listed({ externalId: String(second?.externalId) })).toEqual([ids[1]]);
  expect(await listed({ planId: plan, provider: 'provider_c' })).toEqual([ids[1]]);
  expect(await listed({ planId: plan, provider: 'internal' })).toEqual([ids[0]]);
  expect(await listed({ externalId: String(first?.externalId), provider: 'provider_c' })).toEqual([]);
});
