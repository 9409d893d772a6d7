import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/domain/instant';
import { PAYMENT_PROVIDERS, ProviderPayments, type CollectedPayment } from './provider-payments';
import { read } from './money';
import { useStarted } from '../support/use-started';

/** "A refund after its payment was settled is a line of the next settlement", at every provider. */
const world = useStarted(() => ProviderPayments.start());

/** Has the provider pay out its balance and report it, by webhook or when it is polled. */
async function payOut({ provider }: CollectedPayment): Promise<void> {
  const to = new Date(world.simulators.core.clock.now() + 2.5 * DAY_MS);
  await world.operator.post('/api/sandbox/clock', { body: { to: to.toISOString() } });
  await world.pass(2.5 * DAY_MS);
  if (provider === 'provider_a') {
    const { secretKey = '' } = world.calls.provider_a.secrets;
    world.simulators.providers.a.account({ secretKey }).payOut();
    await world.arrive();
  }
  const answer = await world.operator.post('/api/billing/settlements/collect', { body: {} });
  expect(answer.status).toBe(200);
}

test.each(PAYMENT_PROVIDERS)(
  'a refund at %s after the settlement of its payment counts in the next one',
  async (provider) => {
    const payment = await world.collect(provider);
    await payOut(payment);
    const first = (await read(world.operator, 'payments', payment.paymentId))['settlementId'];
    expect(first).toEqual(expect.stringMatching(/^stl_/));
    const before = await read(world.operator, 'settlements', String(first));

    const other = await world.collect(provider);
    const { currency } = world.calls[provider];
    await world.operator.post('/api/billing/refunds', {
      body: { paymentId: payment.paymentId, amount: { amount: '400', currency } },
      headers: { 'Idempotency-Key': randomUUID() },
    });
    await world.pass(60_000);
    await payOut(other);
    const [refund] = await world.refunds(payment.paymentId);
    const refunded = await read(world.operator, 'refunds', refund?.id ?? '');
    const second = (await read(world.operator, 'payments', other.paymentId))['settlementId'];
    expect(second).not.toBe(first);
    expect(refunded).toMatchObject({ status: 'succeeded', settlementId: second });
    expect(await read(world.operator, 'settlements', String(second))).toMatchObject({
      paid: { amount: '2900' },
      refunded: { amount: '400' },
      unmatchedAmount: { amount: '0' },
      difference: null,
    });
    expect(await read(world.operator, 'settlements', String(first))).toEqual(before);
  },
);
