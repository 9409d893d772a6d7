import { randomUUID } from 'node:crypto';
import { made, ProviderCheckoutBench } from '../checkouts/provider-checkout-bench';
import { createPlan, subscribe } from '../catalog/offer';
import type { ConsoleAnswer } from '../support/operator';
import { useStarted } from '../support/use-started';

/** Every event caused by a request names the request, and every event of a subscription its customer. */
const bench = useStarted(() => ProviderCheckoutBench.start());
interface Event {
  id: string;
  type: string;
  source: string;
  message: string;
  data: Record<string, unknown>;
}

async function eventsFor(query: Record<string, string>): Promise<Event[]> {
  const { body } = await bench.world.operator.get('/api/developer-events', {
    query: { take: '200', ...query },
  });
  return body['data'] as Event[];
}

/** Returns the types of the events caused by an answer's request. */
async function typesOf(answer: ConsoleAnswer): Promise<string[]> {
  expect([answer.body['detail'], answer.status < 300]).toEqual([undefined, true]);
  const found = await eventsFor({ requestId: answer.headers.get('request-id') ?? '' });
  return found.map(({ type }) => type).sort();
}

const once = (): Record<string, string> => ({ 'Idempotency-Key': randomUUID() });
const post = (path: string, body: object): Promise<ConsoleAnswer> =>
  bench.world.operator.post(path, { body, headers: once() });

/**
 * Checks that every event names a request, even one of a step of time or of a scheduled read at a provider, and that
 * every event of a subscription names its customer.
 */
async function requireRequests(): Promise<void> {
  const events = await eventsFor({});
  expect(events.length).toBeGreaterThan(0);
  const nameless = events.filter(({ data }) => typeof data['requestId'] !== 'string');
  expect(nameless).toEqual([]);
  const ofSubscriptions = events.filter(({ data }) => data['subscriptionId'] !== undefined);
  expect(ofSubscriptions.filter(({ data }) => typeof data['customerId'] !== 'string')).toEqual([]);
}

test('in local billing: a subscription, a checkout, its payment, its end, a settlement, credentials', async () => {
  const { operator, connections } = bench.world;
  const customer = await bench.customer();
  const planId = await createPlan(operator);
  const opened = await subscribe(operator, { customerId: customer.id, planId, seats: 1 });
  expect(await typesOf(opened)).toEqual(['SUBSCRIPTION_CREATED']);
  const other = await bench.customer();
  const offered = await bench.send({ externalId: other.externalId, planId, provider: 'internal' });
  expect(await typesOf(offered)).toEqual(['CHECKOUT_CREATED']);
  const expired = await bench.expire(made(offered).id);
  expect(await typesOf(expired)).toEqual(['SUBSCRIPTION_CHANGED']);
  const cancelled = await post(`/api/billing/subscriptions/${String(opened.body['id'])}/cancel`, {});
  expect(await typesOf(cancelled)).toEqual(['SUBSCRIPTION_CHANGED']);
  const changed = await operator.patch(`/api/provider-connections/${connections.provider_c}`, {
    body: { secrets: { secretKey: 'sk_test_anotherNotARealKey' } },
  });
  expect(await typesOf(changed)).toEqual(['CREDENTIALS_CHANGED']);
  await requireRequests();
});

test('at a payment provider: a checkout, its webhooks, a change, a refund, a cancel', async () => {
  const { world } = bench;
  const { externalId } = await bench.customer();
  const offered = await bench.send({ externalId, planSlug: 'starter', provider: 'provider_a' });
  expect(await typesOf(offered)).toEqual(['CHECKOUT_CREATED']);
  const { subscriptionId } = made(offered);
  await bench.pay('provider_a', made(offered));
  await world.settle();
  await bench.wake(made(offered).id);
  await world.settle();
  expect(await world.show(subscriptionId)).toMatchObject({ status: 'active' });
  const [began] = await eventsFor({ eventType: 'SUBSCRIPTION_CREATED' });
  const ofWebhook = await eventsFor({ requestId: String(began?.data['requestId']) });
  expect(ofWebhook.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['WEBHOOK_PROCESSED', 'SUBSCRIPTION_CREATED']),
  );
  const changed = await world.change(subscriptionId, { seats: 3 });
  expect(await typesOf(changed)).toContain('SUBSCRIPTION_CHANGED');
  const [payment] = await bench.paymentsOf(externalId);
  const refunded = await post('/api/billing/refunds', {
    paymentId: payment?.['id'],
    amount: { amount: '100', currency: 'USD' },
  });
  expect(await typesOf(refunded)).toEqual(['REFUND_RECORDED']);
  const cancelled = await world.command(subscriptionId, 'cancel');
  expect(await typesOf(cancelled)).toEqual(['SUBSCRIPTION_CHANGED']);
  await world.settle();
  await requireRequests();
});

test('a webhook that is refused, one that is replayed', async () => {
  const { service, operator, connections } = bench.world;
  const address = `${service.urls.sandbox}/v1/webhooks/provider_a?connection=${connections.provider_a}`;
  const refused = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Stripe-Signature': 't=1,v1=00' },
    body: '{"id":"evt_forged"}',
  });
  expect(refused.status).toBe(400);
  const requestId = refused.headers.get('request-id') ?? '';
  expect(await eventsFor({ requestId })).toMatchObject([{ type: 'WEBHOOK_PROCESSED', data: { requestId } }]);
  const { body } = await operator.get('/api/webhooks');
  const [first] = body['data'] as { id: string }[];
  const replayed = await operator.post(`/api/webhooks/${first?.id ?? ''}/replay`, { body: {} });
  expect(await typesOf(replayed)).toContain('WEBHOOK_PROCESSED');
  await requireRequests();
});
