import { HOUR_MS } from '../../src/domain/instant';
import { createCustomer, createPlan, idOf, planBody, subscribe } from '../catalog/offer';
import { command } from '../support/billing';
import { untilLockWaits } from '../support/lock-waits';
import { useStarted } from '../support/use-started';
import { CheckoutWorkspace, type Checkout } from './checkout-workspace';

const bench = useStarted(() => CheckoutWorkspace.start());
afterEach(() => {
  bench.service.clock.ahead = 0;
});

async function subscriptionOf({ subscriptionId }: Checkout): Promise<Record<string, unknown>> {
  return (await bench.client.get(`/api/billing/subscriptions/${subscriptionId}`)).body;
}

async function eventsOf(eventType: string, subscriptionId: string): Promise<Record<string, unknown>[]> {
  const { body } = await bench.client.get('/api/developer-events', { query: { eventType, take: '200' } });
  return (body['data'] as { data: Record<string, unknown> }[]).filter(
    (event) => event.data['subscriptionId'] === subscriptionId,
  );
}

test('paid in full, the subscription begins at the payment’s instant, and its transaction pays for that period', async () => {
  const { checkout } = await bench.offer();
  bench.service.clock.ahead = 5 * HOUR_MS;
  const before = bench.service.clock.now();
  await bench.pay(checkout);
  const subscription = await subscriptionOf(checkout);
  expect(subscription).toMatchObject({ status: 'active', incompleteUntil: null, paymentDueAt: null });
  const start = String(subscription['currentPeriodStart']);
  expect(Date.parse(start)).toBeGreaterThanOrEqual(before);
  expect(subscription['billingAnchor']).toBe(start);
  expect(await bench.read(checkout.id)).toMatchObject({
    status: 'complete',
    completedAt: start,
    amountDue: { amount: '0' },
    transaction: {
      status: 'paid',
      total: { amount: '2900' },
      periodStart: start,
      periodEnd: subscription['currentPeriodEnd'],
    },
  });
  expect(await eventsOf('SUBSCRIPTION_CREATED', checkout.subscriptionId)).toMatchObject([
    { status: 'OK', data: { change: 'activated', checkoutId: checkout.id, status: 'active' } },
  ]);
});

test('the price is the one that was offered, whatever the plan costs since', async () => {
  const { checkout, planId } = await bench.offer();
  await bench.client.patch(`/api/plans/${planId}`, { body: { price: { amount: '9900', currency: 'USD' } } });
  await bench.pay(checkout);
  expect(await subscriptionOf(checkout)).toMatchObject({ status: 'active', price: { amount: '2900' } });
});

describe('a checkout shows what was offered, even after an upgrade:', () => {
  /** Upgrades the subscription to a larger plan, with another kind of price. */
  async function upgrade(checkout: Checkout): Promise<void> {
    const { planGroupId } = await subscriptionOf(checkout);
    const larger = { price: { amount: '99000', currency: 'USD' }, pricing: 'per_seat' };
    const body = planBody(String(planGroupId), larger);
    const planId = idOf(await bench.client.post('/api/plans', { body }));
    await command(bench.client, checkout.subscriptionId, 'change', { body: { planId, seats: 3 } });
    expect(await subscriptionOf(checkout)).toMatchObject({ plan: { id: planId }, seats: 3, ...larger });
  }

  test('the plan and price that were paid', async () => {
    const { checkout } = await bench.offer();
    await bench.pay(checkout);
    const paid = await bench.read(checkout.id);
    await upgrade(checkout);
    expect(await bench.read(checkout.id)).toEqual(paid);
    const { body } = await bench.client.get('/api/billing/checkouts', {
      query: { subscriptionId: checkout.subscriptionId },
    });
    expect(body['data']).toEqual([paid]);
  });

  test('the first charge after the trial', async () => {
    const { checkout } = await bench.offer({ trialDays: 7 });
    const offered = await bench.read(checkout.id);
    expect(offered).toMatchObject({ trial: { firstCharge: { amount: '2900' } } });
    await upgrade(checkout);
    expect(await bench.read(checkout.id)).toEqual(offered);
  });
});

test('both workflows are signalled about the payment', async () => {
  const { checkout } = await bench.offer();
  await bench.service.database.query('DELETE FROM graphile_worker._private_jobs');
  await bench.pay(checkout);
  const jobs = await bench.service.database.query<{ key: string }>(
    'SELECT key FROM graphile_worker._private_jobs ORDER BY key',
  );
  expect(jobs.map((job) => job.key)).toEqual([
    `checkout/sandbox/${checkout.id}`,
    `subscription/sandbox/${checkout.subscriptionId}`,
  ]);
});

test('stays incomplete after a partial payment, and the rest completes it', async () => {
  const { checkout } = await bench.offer();
  await bench.pay(checkout, 1000n);
  expect(await bench.read(checkout.id)).toMatchObject({ status: 'open', amountDue: { amount: '1900' } });
  expect(await bench.statusOf(checkout.subscriptionId)).toBe('incomplete');
  await bench.pay(checkout, 1900n);
  expect(await bench.statusOf(checkout.subscriptionId)).toBe('active');
});

test('a second paid one is recorded and not activated, and an event asks for a decision', async () => {
  const { checkout, externalId, planId } = await bench.offer();
  const open = await subscribe(bench.client, { externalId, planId });
  await bench.pay(checkout);
  expect(await bench.statusOf(checkout.subscriptionId)).toBe('expired');
  expect(await bench.statusOf(String(open.body['id']))).toBe('active');
  expect(await bench.read(checkout.id)).toMatchObject({
    status: 'complete',
    transaction: { status: 'paid' },
  });
  const [event] = await eventsOf('SUBSCRIPTION_CREATED', checkout.subscriptionId);
  expect(event).toMatchObject({
    status: 'ERROR',
    data: { change: 'activation_refused', openSubscriptionId: open.body['id'], checkoutId: checkout.id },
  });
  expect(String(event?.['message'])).toContain(String(open.body['id']));
});

test('a new checkout replaces an earlier unpaid one, whose late payment revives nothing', async () => {
  const { checkout: earlier, externalId, planId } = await bench.offer();
  const later = await bench.checkout({ externalId, planId });
  expect(await bench.read(earlier.id)).toMatchObject({ status: 'expired', transaction: { status: 'void' } });
  const [event] = await eventsOf('SUBSCRIPTION_CHANGED', earlier.subscriptionId);
  expect(event).toMatchObject({
    data: { change: 'checkout_expired', reason: 'replaced', replacedBy: later.id },
  });
  await bench.pay(earlier, 2900n);
  expect(await bench.statusOf(earlier.subscriptionId)).toBe('expired');
  await bench.pay(later);
  expect(await bench.statusOf(later.subscriptionId)).toBe('active');
});

test('an earlier checkout in another plan group stays', async () => {
  const { checkout, externalId } = await bench.offer();
  await bench.checkout({ externalId, planId: await createPlan(bench.client) });
  expect(await bench.read(checkout.id)).toMatchObject({ status: 'open' });
});

describe('at the same time', () => {
  test('ten checkouts of one customer and group end with one that is open', async () => {
    const planId = await createPlan(bench.client);
    const { externalId, id: customerId } = await createCustomer(bench.client);
    const made = await Promise.all(Array.from({ length: 10 }, () => bench.checkout({ externalId, planId })));
    expect(new Set(made.map((one) => one.id)).size).toBe(10);
    const rows = await bench.service.database.query(
      `SELECT k.status AS checkout, s.status AS subscription, count(*)::int AS n
         FROM tollgate.checkouts k JOIN tollgate.subscriptions s ON s.id = k.subscription_id
        WHERE k.customer_id = $1 GROUP BY 1, 2 ORDER BY 1`,
      [customerId],
    );
    expect(rows).toEqual([
      { checkout: 'expired', subscription: 'expired', n: 9 },
      { checkout: 'open', subscription: 'incomplete', n: 1 },
    ]);
  });

  test('a payment and a new checkout: either the paid one is active, or it was replaced before', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { checkout, externalId, planId } = await bench.offer();
      const [, second] = await Promise.all([bench.pay(checkout), bench.send({ externalId, planId })]);
      const status = await bench.statusOf(checkout.subscriptionId);
      expect([status, second.status]).toEqual(status === 'active' ? ['active', 409] : ['expired', 201]);
    }
  });

  test('a payment and a subscription opened directly: one of them is open', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { checkout, externalId, planId } = await bench.offer();
      const [, direct] = await Promise.all([
        bench.pay(checkout),
        subscribe(bench.client, { externalId, planId }),
      ]);
      const status = await bench.statusOf(checkout.subscriptionId);
      expect([status, direct.status]).toEqual(status === 'active' ? ['active', 409] : ['expired', 201]);
      expect(await bench.read(checkout.id)).toMatchObject({ status: 'complete' });
    }
  });

  test('a payment waits for a subscription that is being opened, and then does not start a second one', async () => {
    const { checkout, externalId, planId } = await bench.offer();
    const { subscriptionId } = checkout;
    // An opening whose transaction is still open: only the index sees its row.
    const opening = await bench.database.transaction();
    await opening.raw(
      "SELECT set_config('tollgate.workspace_id', ?, true), set_config('tollgate.environment', 'sandbox', true), set_config('tollgate.reason', 'SYSTEM', true)",
      [bench.client.workspaceId],
    );
    await opening.raw(
      `INSERT INTO tollgate.subscriptions SELECT (s).* FROM (
         SELECT jsonb_populate_record(s, jsonb_build_object('id', 'sub_opening_' || s.id, 'status', 'active', 'incomplete_until', NULL, 'payment_due_at', NULL)) AS s
           FROM tollgate.subscriptions s WHERE s.id = ?) AS row`,
      [subscriptionId],
    );
    const paying = bench.pay(checkout);
    await untilLockWaits(bench.service.database);
    await opening.commit();
    await paying;
    expect(await bench.statusOf(subscriptionId)).toBe('expired');
    expect(await bench.read(checkout.id)).toMatchObject({
      status: 'complete',
      transaction: { status: 'paid' },
    });
    await bench.service.database.query(
      "UPDATE tollgate.subscriptions SET status = 'cancelled' WHERE id = $1",
      [`sub_opening_${subscriptionId}`],
    );
    expect((await subscribe(bench.client, { externalId, planId })).status).toBe(201);
  });
});
