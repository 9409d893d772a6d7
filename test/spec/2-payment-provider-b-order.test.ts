import { randomUUID } from 'node:crypto';
import { ProviderPayments } from '../payments/provider-payments';
import { dataOf } from '../support/billing';
import { useStarted } from '../support/use-started';

/** "Provider B order: a successful capture stores both the order ID and the capture ID" */
const world = useStarted(() => ProviderPayments.start());

/** Creates a checkout of 29.00 that a customer approves at provider B; we capture its order. */
async function bought(): Promise<Record<string, unknown>> {
  const { operator, service, connections } = world;
  const externalId = randomUUID();
  const customer = { externalId, email: 'ada@example.com' };
  expect((await operator.post('/api/customers', { body: customer })).status).toBe(201);
  const amount = { amount: '2900', currency: 'USD' };
  const checkout = await operator.post('/api/billing/checkouts', {
    body: { externalId, amount, description: 'Once', connectionId: connections.provider_b },
    headers: { 'Idempotency-Key': randomUUID() },
  });
  expect(checkout.status).toBe(201);
  const form = new URLSearchParams({ choice: 'approve' });
  await fetch(String(checkout.body['url']), { method: 'POST', body: form, redirect: 'manual' });
  await world.arrive();
  const scope = { workspaceId: operator.workspaceId, environment: 'sandbox' } as const;
  // Its workflow polls after two minutes and captures the approved order.
  for (let look = 0; look < 2; look += 1) {
    const { now } = (await operator.get('/api/sandbox/clock')).body;
    const to = new Date(Date.parse(String(now)) + 12 * 60_000).toISOString();
    await operator.post('/api/sandbox/clock', { body: { to } });
    await service.direct.catchUpCheckout(scope, String(checkout.body['id']));
    await world.arrive();
  }
  const query = { customerId: String(checkout.body['customerId']) };
  const [payment, ...more] = dataOf(await operator.get('/api/billing/payments', { query }));
  expect(more).toEqual([]);
  return payment ?? {};
}

test('a successful capture stores both the order’s id and its own, in whichever order its events come', async () => {
  const { outbox } = world.simulators.core;
  for (const reorder of [false, true]) {
    Object.assign(outbox.switches, { reorder, duplicate: reorder });
    const payment = await bought();
    const references = payment['references'] as { kind: string; reference: string }[];
    expect(references.map(({ kind }) => kind)).toEqual(['capture', 'order']);
    const [capture, order] = references;
    expect(order?.reference).not.toBe(capture?.reference);
    expect(payment).toMatchObject({
      provider: 'provider_b',
      connectionId: world.connections.provider_b,
      status: 'succeeded',
      subscriptionId: null,
      reference: capture?.reference,
      amount: { amount: '2900', currency: 'USD' },
    });
    // Both are the provider's references, and they belong together there.
    const sent = outbox.deliveries.map(({ body }) => body.toString());
    const ofCapture = sent.filter((text) => text.includes(capture?.reference ?? 'none'));
    expect(ofCapture.some((text) => text.includes(order?.reference ?? 'none'))).toBe(true);
  }
  Object.assign(outbox.switches, { reorder: false, duplicate: false });
});

test('a refund of it is asked for by the capture', async () => {
  const payment = await bought();
  const answer = await world.operator.post('/api/billing/refunds', {
    body: { paymentId: payment['id'] },
    headers: { 'Idempotency-Key': randomUUID() },
  });
  expect([answer.status, answer.body['status']]).toEqual([201, 'succeeded']);
  await world.arrive();
  const there = await world.calls.provider_b.refunds(String(payment['reference']));
  expect(there).toEqual([{ id: answer.body['reference'], amount: 2900, status: 'succeeded' }]);
});
