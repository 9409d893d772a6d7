import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/domain/instant';
import { command, planIn, twoPlans, withdraw } from '../support/billing';
import { CatalogueSeeder } from '../support/catalogue';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';
import { expectExamples } from './examples';
import { idempotent, MessageLog } from './message-log';

/** Each event of local billing and of usage is reported once, with the resource as the API returns it. */
const service = useService({ commands: 'direct' });
let operator: OperatorClient;
let seed: CatalogueSeeder;
let messages: MessageLog;
let plans: Awaited<ReturnType<typeof twoPlans>>;
beforeAll(async () => {
  operator = await logIn(service, { role: 'admin' });
  seed = new CatalogueSeeder(service.database, scope());
  messages = await MessageLog.by(service, scope());
  plans = await twoPlans(operator);
});

const scope = () => ({ workspaceId: operator.workspaceId, environment: 'sandbox' }) as const;

async function customer(): Promise<{ id: string; externalId: string }> {
  const externalId = `acct-${randomUUID().slice(0, 8)}`;
  const { body } = await operator.post('/api/customers', { body: { externalId } });
  return { id: String(body['id']), externalId };
}

async function subscribe(planSlug = plans.starterSlug): Promise<{ id: string; externalId: string }> {
  const { externalId } = await customer();
  const opened = await operator.post('/api/billing/subscriptions', {
    body: { externalId, planSlug },
    headers: idempotent(),
  });
  expect(opened.status).toBe(201);
  return { id: String(opened.body['id']), externalId };
}

async function advanceDays(days: number, id: string): Promise<void> {
  const { body } = await operator.get('/api/sandbox/clock');
  const to = new Date(Date.parse(String(body['now'])) + days * DAY_MS).toISOString();
  const moved = await operator.post('/api/sandbox/clock', {
    body: { to },
    env: null,
    query: { organizationId: operator.workspaceId, env: 'sandbox' },
  });
  expect(moved.status).toBe(200);
  await service.direct.catchUp(scope(), id);
}

async function pay(subscriptionId: string): Promise<string> {
  const open = await operator.get('/api/billing/transactions', { query: { subscriptionId } });
  const due = (open.body['data'] as { id: string; status: string; amountOpen: object }[]).find(
    ({ status }) => status === 'pending',
  );
  const paid = await operator.post('/api/billing/payments', {
    body: { transactionId: due?.id, amount: due?.amountOpen },
    headers: idempotent(),
  });
  expect(paid.status).toBe(201);
  return String(paid.body['id']);
}

test('a subscription’s life, from its opening to its cancellation', async () => {
  const { id } = await subscribe();
  expect(await messages.typesOf(id)).toEqual(['subscription.created']);
  const payment = await pay(id);
  expect((await messages.news()).map(({ type, resource }) => [type, resource.id])).toEqual([
    ['payment.succeeded', payment],
  ]);
  const upgraded = await command(operator, id, 'change', { body: { planId: plans.pro } });
  expect(upgraded.status).toBe(200);
  const news = await messages.news();
  expect(news.map(({ type }) => type)).toEqual(['subscription.changed', 'operation.concluded']);
  expect(news[1]?.data).toMatchObject({ kind: 'change', status: 'succeeded', answer: { status: 200 } });
  await pay(id);
  await messages.news();
  await command(operator, id, 'change', { body: { planId: plans.starter } });
  expect(await messages.typesOf(id)).toEqual(['subscription.changed']);
  await withdraw(operator, id);
  expect(await messages.typesOf(id)).toEqual(['subscription.changed']);
  await command(operator, id, 'change', { body: { planId: plans.starter } });
  await messages.news();
  await advanceDays(32, id);
  expect(await messages.typesOf(id)).toEqual(['subscription.changed', 'subscription.renewed']);
  await command(operator, id, 'cancel');
  expect(await messages.typesOf(id)).toEqual(['subscription.cancelled']);
  const refused = await command(operator, id, 'change', { body: { planId: plans.pro } });
  expect(refused.status).toBe(409);
  const [concluded, ...more] = await messages.news();
  expect([concluded?.type, concluded?.data?.['status'], more]).toEqual([
    'operation.concluded',
    'refused',
    [],
  ]);
  await messages.expectGapless();
});

test('one that is not paid is past due, recovers, and expires', async () => {
  const { id } = await subscribe();
  await messages.news();
  await advanceDays(20, id);
  const [pastDue] = await messages.news();
  expect(pastDue).toMatchObject({ type: 'subscription.past_due', data: { status: 'past_due' } });
  const [since] = await service.database.query<{ at: Date }>(
    'SELECT past_due_since AS at FROM tollgate.subscriptions WHERE id = $1',
    [id],
  );
  // The time at which it became due, however late that was noticed.
  expect(pastDue?.timestamp).toBe(new Date(since?.at ?? 0).toISOString());
  await pay(id);
  expect(await messages.typesOf(id)).toEqual(['subscription.changed']);
  const other = await subscribe();
  await messages.news();
  await advanceDays(120, other.id);
  expect(await messages.typesOf(other.id)).toEqual(
    expect.arrayContaining(['subscription.past_due', 'subscription.expired']),
  );
  await messages.expectGapless();
});

test('checkouts: paid, paid once, free, and given up; and a refund', async () => {
  const checkout = async (body: object) => {
    const { externalId } = await customer();
    const made = await operator.post('/api/billing/checkouts', {
      body: { externalId, ...body },
      headers: idempotent(),
    });
    expect(made.status).toBe(201);
    return made.body as { id: string; subscriptionId: string; transaction: { id: string; total: object } };
  };
  const offered = await checkout({ planSlug: plans.proSlug });
  expect(await messages.typesOf()).toEqual([]);
  await operator.post('/api/billing/payments', {
    body: { transactionId: offered.transaction.id, amount: offered.transaction.total },
    headers: idempotent(),
  });
  expect(await messages.typesOf()).toEqual([
    'payment.succeeded',
    'checkout.completed',
    'subscription.created',
    'operation.concluded',
  ]);
  const amount = { amount: '700', currency: 'USD' };
  const once = await checkout({ amount, description: 'A visit' });
  const paid = await operator.post('/api/billing/payments', {
    body: { checkoutId: once.id, amount },
    headers: idempotent(),
  });
  expect(await messages.typesOf()).toEqual(['payment.succeeded', 'checkout.completed']);
  const refund = await operator.post('/api/billing/refunds', {
    body: { paymentId: paid.body['id'], amount: { amount: '200', currency: 'USD' } },
    headers: idempotent(),
  });
  expect(await messages.typesOf()).toEqual(['refund.succeeded', 'operation.concluded']);
  expect(refund.status).toBe(201);
  await planIn(operator, plans.group, 'tried', '900', { trialDays: 7 });
  await checkout({ planSlug: 'tried' });
  expect(await messages.typesOf()).toEqual(['checkout.completed', 'subscription.created']);
  for (const body of [{ planSlug: plans.proSlug }, { amount, description: 'A visit' }]) {
    const { id } = await checkout(body);
    await operator.post(`/api/billing/checkouts/${id}/expire`);
    await operator.post(`/api/billing/checkouts/${id}/expire`);
    expect(await messages.typesOf()).toEqual(['checkout.expired']);
  }
  await messages.expectGapless();
});

test('usage that reaches a threshold, and credits that are low; in one batch, both', async () => {
  const metered = await seed.plan('metered', [{ feature: 'ai_tokens', quota: 10, creditCost: 1 }]);
  const one = await customer();
  await seed.subscription(one.id, metered);
  await seed.credits(one.id, 100);
  await messages.api.track(one.externalId, 'ai_tokens', 5);
  expect(await messages.typesOf()).toEqual([]);
  await messages.api.track(one.externalId, 'ai_tokens', 3);
  const [reached, ...more] = await messages.news();
  expect(more).toEqual([]);
  expect(reached).toMatchObject({
    type: 'usage.threshold_reached',
    resource: { type: 'customer', id: one.id },
    sequence: 1,
    data: { data: { percent: 80, feature: 'ai_tokens', externalId: one.externalId } },
  });
  const key = randomUUID();
  await messages.api.track(one.externalId, 'ai_tokens', 85, key);
  expect((await messages.news()).map(({ type, sequence }) => [type, sequence])).toEqual([
    ['usage.threshold_reached', 2],
    ['credits.low', 3],
  ]);
  // A replay counts nothing.
  await messages.api.track(one.externalId, 'ai_tokens', 85, key);
  expect(await messages.typesOf()).toEqual([]);
});

test('the examples of the documents are what is sent', () => {
  expectExamples(
    [
      ...(['subscription.created', 'subscription.changed', 'subscription.renewed'] as const),
      ...(['subscription.past_due', 'subscription.cancelled', 'subscription.expired'] as const),
      ...(['checkout.completed', 'checkout.expired', 'payment.succeeded', 'refund.succeeded'] as const),
      ...(['usage.threshold_reached', 'credits.low', 'operation.concluded'] as const),
    ],
    messages.examples,
  );
});
