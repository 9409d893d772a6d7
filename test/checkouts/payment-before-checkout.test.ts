import { MINUTE_MS } from '../../src/domain/instant';
import { made, ProviderCheckoutBench } from './provider-checkout-bench';
import { press } from '../support/provider-shop';
import { useStarted } from '../support/use-started';

const bench = useStarted(() => ProviderCheckoutBench.start());

/** Makes a payment at provider C that no checkout here requested. */
async function payElsewhere(email: string, amount: string): Promise<void> {
  const { simulators, secrets } = bench.world;
  const answer = await fetch(`${simulators.urls.c}/transaction/initialize`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${String(secrets.provider_c['secretKey'])}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ email, amount, currency: 'USD' }),
  });
  const { data } = (await answer.json()) as { data: { authorization_url: string } };
  await press(data.authorization_url, { act: 'pay' });
  await bench.world.settle();
}

test('a payment that came before its customer was known is the customer’s once a checkout whose webhook was lost names them', async () => {
  const { externalId } = await bench.customer();
  const email = `${externalId}@example.test`;
  await payElsewhere(email, '700');
  expect(await bench.paymentsOf(externalId)).toEqual([]);

  const amount = { amount: '1234', currency: 'USD' };
  const body = { externalId, provider: 'provider_c', amount, description: 'A workshop' };
  const checkout = made(await bench.send(body));
  const { switches } = bench.world.simulators.core.outbox;
  switches.drop = true;
  await bench.pay('provider_c', checkout);
  await bench.unheard(checkout.id, (await bench.world.now()) + 2 * MINUTE_MS);

  const paid = await bench.paymentsOf(externalId);
  expect(paid.map((payment) => payment['amount']).sort()).toEqual(['1234', '700']);
});
