import { randomUUID } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '../../src/domain/instant';
import type { PaymentProvider } from '../../src/domain/provider';
import { made, ProviderCheckoutBench, type ShownCheckout } from './provider-checkout-bench';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { useStarted } from '../support/use-started';

/** Pages that a provider cannot close: they are paid after their checkout has ended here, and no webhook reports it. */
const bench = useStarted(() => ProviderCheckoutBench.start());

/** Drops the providers' webhooks long enough for their collected payments to be in their reports. */
async function collectedUnheard(): Promise<void> {
  const { outbox } = bench.world.simulators.core;
  await deliverWebhooks(outbox);
  outbox.switches.drop = true;
  await bench.world.advanceBy(3 * DAY_MS);
  const answer = await bench.world.operator.post('/api/billing/settlements/collect', { body: {} });
  expect(answer.status).toBe(200);
  outbox.switches.drop = false;
}

async function errorsOf(type: string, { id }: ShownCheckout): Promise<unknown[]> {
  const events = await bench.eventsOf(type, id);
  return events.filter(({ status }) => status === 'ERROR').map(({ message }) => message);
}

test.each(['provider_b', 'provider_c'] as const)(
  'a replaced plan of %s: the settlement that has its money makes it known that somebody has to decide',
  async (provider: PaymentProvider) => {
    const { externalId } = await bench.customer();
    const order = { externalId, planSlug: 'pro', provider };
    const first = made(await bench.send(order, randomUUID()));
    made(await bench.send(order, randomUUID()));
    await bench.wake(first.id);
    expect((await bench.show(first.id)).status).toBe('expired');
    bench.world.simulators.core.outbox.switches.drop = true;
    await bench.pay(provider, first);
    await collectedUnheard();
    await bench.wake(first.id);
    expect(await bench.paymentsOf(externalId)).toMatchObject([{ amount: '3000', status: 'succeeded' }]);
    expect(await errorsOf('SUBSCRIPTION_CREATED', first)).toEqual([
      expect.stringContaining('paid 30.00 USD for pro after the checkout had ended.'),
    ]);
  },
);

test('an amount that is taken once at C: the same', async () => {
  const checkout = await bench.ask('provider_c');
  await bench.expire(checkout.id);
  await bench.wake(checkout.id);
  expect((await bench.show(checkout.id)).status).toBe('expired');
  bench.world.simulators.core.outbox.switches.drop = true;
  await bench.pay('provider_c', checkout);
  await collectedUnheard();
  await bench.wake(checkout.id);
  expect(await errorsOf('PAYMENT_RECORDED', checkout)).toEqual([
    expect.stringContaining('after the checkout had ended.'),
  ]);
});

test.each([
  ['open', 'cancelled', 0],
  ['replaced', 'expired', 1],
] as const)(
  'a plan of B that is paid and cancelled there before anything is heard, %s here: the payment is known',
  async (state, status, errors) => {
    const { externalId } = await bench.customer();
    const order = { externalId, planSlug: 'pro', provider: 'provider_b' };
    const checkout = made(await bench.send(order));
    if (state === 'replaced') {
      made(await bench.send(order));
      await bench.wake(checkout.id);
    }
    const { outbox } = bench.world.simulators.core;
    await deliverWebhooks(outbox);
    outbox.switches.drop = true;
    await bench.pay('provider_b', checkout);
    const { adapter, access } = await bench.world.open('provider_b');
    const { providerReference: reference } = await bench.world.show(checkout.subscriptionId);
    const request = { reference: String(reference), key: randomUUID(), repeated: false, reason: 'No.' };
    expect((await adapter.cancelSubscription(access, request)).kind).toBe('done');
    if (state === 'replaced') await collectedUnheard();
    else await bench.unheard(checkout.id, (await bench.world.now()) + 10 * MINUTE_MS);
    await bench.wake(checkout.id);
    expect(await bench.paymentsOf(externalId)).toMatchObject([{ amount: '3000', status: 'succeeded' }]);
    expect(await bench.world.show(checkout.subscriptionId)).toMatchObject({ status });
    expect(await errorsOf('SUBSCRIPTION_CREATED', checkout)).toHaveLength(errors);
  },
);

test.each(['late webhooks', 'a poll'])(
  'a plan of A that is paid and cancelled there in the same second is known by %s, with its payment',
  async (by) => {
    const { externalId } = await bench.customer();
    const checkout = made(await bench.send({ externalId, planSlug: 'pro', provider: 'provider_a' }));
    const { outbox } = bench.world.simulators.core;
    await deliverWebhooks(outbox);
    outbox.switches.wrongEnvironmentUrl = 'http://127.0.0.1:1/';
    await bench.pay('provider_a', checkout);
    await endAtProviderA(checkout);
    if (by === 'a poll') await bench.world.advanceBy(10 * MINUTE_MS);
    outbox.switches.wrongEnvironmentUrl = null;
    if (by === 'a poll') await bench.wake(checkout.id);
    await outbox.retryNow();
    await deliverWebhooks(outbox);
    await bench.wake(checkout.id);
    expect(await bench.paymentsOf(externalId)).toMatchObject([{ amount: '3000', status: 'succeeded' }]);
    expect(await bench.world.show(checkout.subscriptionId)).toMatchObject({ status: 'cancelled' });
    expect(await bench.show(checkout.id)).toMatchObject({ status: 'expired', failure: null });
    expect(await errorsOf('SUBSCRIPTION_CREATED', checkout)).toEqual([]);
    const { body } = await bench.world.operator.get('/api/developer-events', {
      query: { search: externalId, eventType: 'SUBSCRIPTION_CHANGED' },
    });
    expect(body['data']).toMatchObject([
      { message: `${externalId}'s pro ended at the payment provider before it began here.` },
    ]);
  },
);

/** Ends the subscription of a paid checkout, as in provider A's own console. */
async function endAtProviderA({ id }: ShownCheckout): Promise<void> {
  const { adapter, access } = await bench.world.open('provider_a');
  const [row] = await bench.rows<{ reference: string }>(
    'SELECT reference FROM tollgate.checkouts WHERE id = $1',
    [id],
  );
  const found = await adapter.fetchCheckout(access, { kind: 'checkout', reference: row?.reference ?? '' });
  const reference = found.kind === 'done' ? found.value.subscriptionReference : null;
  const address = `${bench.world.simulators.urls.a}/v1/subscriptions/${reference ?? ''}`;
  const headers = { Authorization: `Bearer ${access.secrets['secretKey'] ?? ''}` };
  expect((await fetch(address, { method: 'DELETE', headers })).status).toBe(200);
}
