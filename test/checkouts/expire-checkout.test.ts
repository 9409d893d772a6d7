import { CheckoutWorkspace, type Checkout } from './checkout-workspace';
import { useStarted } from '../support/use-started';

const bench = useStarted(() => CheckoutWorkspace.start());

const deadlineOf = ({ expiresAt }: Checkout): number => Date.parse(expiresAt);

async function historyOf({ subscriptionId }: Checkout): Promise<unknown[]> {
  const rows = await bench.service.database.query<{ kind: string }>(
    'SELECT kind FROM tollgate.subscription_history WHERE subscription_id = $1 ORDER BY sequence',
    [subscriptionId],
  );
  return rows.map((row) => row.kind);
}

test('at its deadline an unpaid checkout expires with its subscription, and its transaction is void', async () => {
  const { checkout } = await bench.offer();
  const deadline = deadlineOf(checkout);
  const waiting = { open: true, expiresAt: deadline, clockOffset: 0 };
  expect(await bench.timers.read(bench.scope, checkout.id)).toEqual(waiting);
  expect(await bench.timers.expire(bench.scope, checkout.id, deadline - 1)).toEqual(waiting);
  expect(await bench.timers.expire(bench.scope, checkout.id, deadline)).toEqual({
    ...waiting,
    open: false,
  });
  expect(await bench.read(checkout.id)).toMatchObject({
    status: 'expired',
    completedAt: null,
    transaction: { status: 'void' },
  });
  const { body } = await bench.client.get(`/api/billing/subscriptions/${checkout.subscriptionId}`);
  expect(body).toMatchObject({
    status: 'expired',
    incompleteUntil: null,
    paymentDueAt: null,
    waitingFor: null,
  });
  expect(await historyOf(checkout)).toEqual(['checkout_created', 'checkout_expired']);
});

test('asked ten times at once, it expires once', async () => {
  const { checkout } = await bench.offer();
  await Promise.all(
    Array.from({ length: 10 }, () => bench.timers.expire(bench.scope, checkout.id, deadlineOf(checkout))),
  );
  expect(await historyOf(checkout)).toEqual(['checkout_created', 'checkout_expired']);
});

test('a payment at the deadline: either it completes the checkout, or it comes too late and is unapplied', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { checkout } = await bench.offer();
    await Promise.all([
      bench.pay(checkout),
      bench.timers.expire(bench.scope, checkout.id, deadlineOf(checkout)),
    ]);
    const { status, transaction } = await bench.read(checkout.id);
    const subscription = await bench.statusOf(checkout.subscriptionId);
    const [payment] = await bench.service.database.query<{ applied: string }>(
      'SELECT applied_amount AS applied FROM tollgate.payments WHERE subscription_id = $1',
      [checkout.subscriptionId],
    );
    expect([status, (transaction as { status: string }).status, subscription, payment?.applied]).toEqual(
      status === 'complete' ? ['complete', 'paid', 'active', '2900'] : ['expired', 'void', 'expired', '0'],
    );
  }
});

test('a partial payment stays on record', async () => {
  const { checkout } = await bench.offer();
  await bench.pay(checkout, 900n);
  await bench.timers.expire(bench.scope, checkout.id, deadlineOf(checkout));
  expect(await bench.read(checkout.id)).toMatchObject({
    status: 'expired',
    transaction: { status: 'void', amountPaid: { amount: '900' }, amountOpen: { amount: '0' } },
  });
});

test('a paid checkout no longer waits, and its deadline changes nothing', async () => {
  const { checkout } = await bench.offer();
  await bench.pay(checkout);
  expect(await bench.timers.expire(bench.scope, checkout.id, deadlineOf(checkout))).toMatchObject({
    open: false,
  });
  expect(await bench.statusOf(checkout.subscriptionId)).toBe('active');
});

test('there is nothing to expire in another workspace’s environment', async () => {
  const { checkout } = await bench.offer();
  const production = { ...bench.scope, environment: 'production' } as const;
  expect(await bench.timers.read(production, checkout.id)).toBeUndefined();
  expect(await bench.timers.expire(production, checkout.id, deadlineOf(checkout))).toBeUndefined();
  expect(await bench.read(checkout.id)).toMatchObject({ status: 'open' });
});

test('a payment as a command, after the deadline that nothing has acted on, comes too late', async () => {
  const { checkout } = await bench.offer();
  const late = { to: new Date(deadlineOf(checkout) + 1).toISOString() };
  expect((await bench.client.post('/api/sandbox/clock', { body: late })).status).toBe(200);
  const payment = await bench.client.post('/api/billing/payments', {
    body: { transactionId: checkout.transaction?.id, amount: { amount: '2900', currency: 'USD' } },
    headers: { 'Idempotency-Key': 'late' },
  });
  expect([payment.status, payment.body]).toMatchObject([
    201,
    { appliedAmount: { amount: '0' }, unappliedAmount: { amount: '2900' } },
  ]);
  expect(await bench.read(checkout.id)).toMatchObject({ status: 'expired', transaction: { status: 'void' } });
  expect(await historyOf(checkout)).toEqual(['checkout_created', 'checkout_expired', 'payment_recorded']);
});

test('a payment as a command in time starts the subscription', async () => {
  const { checkout } = await bench.offer();
  const payment = await bench.client.post('/api/billing/payments', {
    body: { transactionId: checkout.transaction?.id, amount: { amount: '2900', currency: 'USD' } },
    headers: { 'Idempotency-Key': 'in-time' },
  });
  expect(payment.status).toBe(201);
  expect(await bench.statusOf(checkout.subscriptionId)).toBe('active');
  expect(await bench.read(checkout.id)).toMatchObject({ status: 'complete' });
});

test('a cancel of the incomplete subscription closes its checkout', async () => {
  const { checkout } = await bench.offer();
  const cancelled = await bench.client.post(`/api/billing/subscriptions/${checkout.subscriptionId}/cancel`, {
    headers: { 'Idempotency-Key': 'cancelled' },
  });
  expect(cancelled.status).toBe(200);
  expect(await bench.read(checkout.id)).toMatchObject({ status: 'expired', transaction: { status: 'void' } });
});
