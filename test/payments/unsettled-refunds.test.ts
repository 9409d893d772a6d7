import { DAY_MS } from '../../src/domain/instant';
import { ProviderPayments } from './provider-payments';
import { useStarted } from '../support/use-started';

/** Refunds made at provider C that no payout has deducted, and whose webhooks are lost. */
const world = useStarted(() => ProviderPayments.start());

async function collect(): Promise<Record<string, unknown>> {
  const { body } = await world.operator.post('/api/billing/settlements/collect', { body: {} });
  const all = body['data'] as { provider: string }[];
  return { ...all.find(({ provider }) => provider === 'provider_c') };
}

test('become known with the next collection, and are counted once', async () => {
  const payment = await world.collect('provider_c');
  await world.pass(2 * DAY_MS);
  expect(await collect()).toMatchObject({ status: 'collected' });
  const { outbox } = world.simulators.core;
  outbox.switches.drop = true;
  await world.calls.provider_c.refund(payment.reference, 900);
  await world.pass(60_000);
  outbox.switches.drop = false;
  expect(await world.refunds(payment.paymentId)).toEqual([]);
  expect(await collect()).toMatchObject({ status: 'collected', imported: 1, reason: null });
  const [there] = await world.calls.provider_c.refunds(payment.reference);
  expect(await world.refunds(payment.paymentId)).toMatchObject([
    { status: 'succeeded', amount: '900', reference: there?.id },
  ]);
  expect(await collect()).toMatchObject({ status: 'collected', imported: 0 });
  expect(await world.refunds(payment.paymentId)).toHaveLength(1);
});
