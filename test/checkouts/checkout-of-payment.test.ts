import { MINUTE_MS } from '../../src/domain/instant';
import type { PaymentProvider } from '../../src/domain/provider';
import { pointersOf } from '../catalog/offer';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { useStarted } from '../support/use-started';
import { MessageLog } from '../webhook-messages/message-log';
import { made, ProviderCheckoutBench, type ShownCheckout } from './provider-checkout-bench';

/** A payment of a one-time checkout names it, so that what was bought can be refunded. */
const bench = useStarted(() => ProviderCheckoutBench.start());
afterEach(() => {
  bench.world.simulators.core.outbox.switches.drop = false;
});

const PROVIDERS: [PaymentProvider][] = [['provider_a'], ['provider_b'], ['provider_c']];

async function paymentsWith(query: Record<string, string>): Promise<Record<string, unknown>[]> {
  const { status, body } = await bench.world.operator.get('/api/billing/payments', { query });
  expect(status).toBe(200);
  return body['data'] as Record<string, unknown>[];
}

/** Creates a checkout of a pack for a customer. */
async function sell(provider: PaymentProvider, externalId: string): Promise<ShownCheckout> {
  const amount = { amount: '1234', currency: 'USD' };
  return made(await bench.send({ externalId, provider, amount, description: 'A pack' }));
}

/** Pays a checkout, and lets its workflow read it afterwards. */
async function buy(provider: PaymentProvider, checkout: ShownCheckout): Promise<void> {
  await bench.pay(provider, checkout);
  await bench.world.settle();
  await bench.wake(checkout.id);
  await bench.unheard(checkout.id, (await bench.world.now()) + 3 * MINUTE_MS);
}

describe.each(PROVIDERS)('at %s', (provider) => {
  test('two packs of one customer at one price: each payment names its own', async () => {
    const { externalId } = await bench.customer();
    const ids: string[] = [];
    for (let packs = 0; packs < 2; packs += 1) {
      const checkout = await sell(provider, externalId);
      await buy(provider, checkout);
      expect(await bench.show(checkout.id)).toMatchObject({ status: 'complete' });
      ids.push(checkout.id);
    }
    const found = await Promise.all(ids.map((checkoutId) => paymentsWith({ checkoutId })));
    expect(found).toMatchObject(ids.map((checkoutId) => [{ checkoutId, externalId, status: 'succeeded' }]));
    expect(await paymentsWith({ externalId })).toHaveLength(2);
  });

  test('if no webhook came, too, and so does the message about it', async () => {
    const messages = await MessageLog.by(bench.world.service, bench.scope);
    const checkout = await bench.ask(provider);
    const { id } = checkout;
    const { outbox } = bench.world.simulators.core;
    await deliverWebhooks(outbox);
    outbox.switches.drop = true;
    await bench.pay(provider, checkout);
    await bench.unheard(id, (await bench.world.now()) + 2 * MINUTE_MS);
    const [payment, ...more] = await paymentsWith({ checkoutId: id });
    expect([payment, more]).toMatchObject([{ checkoutId: id, subscriptionId: null }, []]);
    const told = (await messages.all()).filter(({ resource }) => resource.id === payment?.['id']);
    expect(told).toMatchObject([{ type: 'payment.succeeded', data: { checkoutId: id } }]);
  });

  test('a plan’s first payment names its subscription instead', async () => {
    const checkout = await bench.offer(provider);
    await buy(provider, checkout);
    const { subscriptionId } = checkout;
    expect(await paymentsWith({ subscriptionId })).toMatchObject([{ checkoutId: null, subscriptionId }]);
    expect(await paymentsWith({ checkoutId: checkout.id })).toEqual([]);
  });
});

test.each([
  ['is not known, and it waits', false],
  ['has a subscription there, and is known', true],
])('A’s event about a payment names no page. If its customer %s', async (_, isKnown) => {
  const messages = await MessageLog.by(bench.world.service, bench.scope);
  const { externalId } = await bench.customer();
  const plan = { externalId, planSlug: 'pro', provider: 'provider_a' };
  if (isKnown) await buy('provider_a', made(await bench.send(plan)));
  const checkout = await sell('provider_a', externalId);
  const { outbox } = bench.world.simulators.core;
  await deliverWebhooks(outbox);
  const before = outbox.deliveries.length;
  outbox.switches.drop = true;
  await bench.pay('provider_a', checkout);
  const hears = async (event: string): Promise<void> => {
    const { id } = outbox.deliveries.slice(before).find((one) => one.event === event) ?? { id: '' };
    expect(outbox.resend(id)).toBe(true);
    await deliverWebhooks(outbox);
  };
  const ofPack = async (): Promise<Record<string, unknown>[]> =>
    (await paymentsWith({ externalId })).filter((payment) => payment['subscriptionId'] === null);

  await hears('payment_intent.succeeded');
  const early = await ofPack();
  expect(early).toMatchObject(isKnown ? [{ checkoutId: checkout.id, status: 'succeeded' }] : []);
  await hears('checkout.session.completed');
  const paid = await ofPack();
  expect(paid).toMatchObject([{ ...early[0], checkoutId: checkout.id, status: 'succeeded' }]);
  await bench.wake(checkout.id);
  expect(await paymentsWith({ checkoutId: checkout.id })).toEqual(paid);
  const told = (await messages.all()).filter(({ resource }) => resource.id === paid[0]?.['id']);
  expect(told).toMatchObject([{ type: 'payment.succeeded', data: { checkoutId: checkout.id } }]);
});

test('a payment that carries the checkout of another customer names none', async () => {
  const { world } = bench;
  const subscription = await world.subscribe('provider_a');
  const { customerReference } = await world.atProvider(subscription);
  const another = await bench.ask('provider_a');
  const wanted = {
    mode: 'payment',
    customer: customerReference ?? '',
    success_url: 'https://shop.example/paid',
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '700',
    'line_items[0][price_data][product_data][name]': 'A pack',
    'line_items[0][quantity]': '1',
    'payment_intent_data[metadata][checkoutId]': another.id,
  };
  const answer = await fetch(`${world.simulators.urls.a}/v1/checkout/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${String(world.secrets.provider_a['secretKey'])}` },
    body: new URLSearchParams(wanted),
  });
  const { url } = (await answer.json()) as { url: string };
  await world.pay('provider_a', url);
  await world.settle();
  const { externalId } = subscription;
  const paid = (await paymentsWith({ externalId })).filter((payment) => payment['subscriptionId'] === null);
  expect(paid).toMatchObject([{ checkoutId: null, amount: { amount: '700' }, status: 'succeeded' }]);
});

test('a payment on a page that had ended here names that page', async () => {
  const checkout = await bench.ask('provider_c');
  await bench.expire(checkout.id);
  await buy('provider_c', checkout);
  expect((await bench.show(checkout.id)).status).toBe('expired');
  expect(await paymentsWith({ checkoutId: checkout.id })).toMatchObject([{ status: 'succeeded' }]);
});

test('the id of something else is refused', async () => {
  const query = { checkoutId: 'pay_1' };
  const answer = await bench.world.operator.get('/api/billing/payments', { query });
  expect([answer.status, answer.body['code'], pointersOf(answer)]).toEqual([
    400,
    'validation_failed',
    ['/query/checkoutId'],
  ]);
});
