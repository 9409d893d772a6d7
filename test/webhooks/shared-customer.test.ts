import { DAY_MS, MINUTE_MS } from '../../src/domain/instant';
import { ProviderCheckoutBench, made } from '../checkouts/provider-checkout-bench';
import { useStarted } from '../support/use-started';
import { MessageLog } from '../webhook-messages/message-log';

const bench = useStarted(() => ProviderCheckoutBench.start());

/** Creates a customer with the address and subscribes it at provider C. */
async function subscribed(email: string, planSlug: string): Promise<{ externalId: string; id: string }> {
  const { id: customerId, externalId } = await bench.customer();
  await bench.world.operator.patch(`/api/customers/${customerId}`, { body: { email } });
  const checkout = made(await bench.send({ externalId, planSlug, provider: 'provider_c' }));
  await bench.pay('provider_c', checkout);
  await bench.world.settle();
  await bench.unheard(checkout.id, (await bench.world.now()) + 3 * MINUTE_MS);
  await bench.world.settle();
  return { externalId, id: checkout.subscriptionId };
}

test('of two customers whom provider C takes for one, each has the payments of their own subscription', async () => {
  const email = 'shared@example.test';
  const owners = [
    { ...(await subscribed(email, 'pro')), amount: '3000' },
    { ...(await subscribed(email, 'starter')), amount: '1000' },
  ];
  await bench.world.advanceBy(33 * DAY_MS);
  await bench.world.settle();
  for (const { externalId, id, amount } of owners) {
    const paid = expect.objectContaining({ amount, status: 'succeeded', subscription_id: id }) as unknown;
    expect(await bench.paymentsOf(externalId)).toEqual([paid, paid]);
  }
  // Of the second customer's renewal, integrators were told first that the first customer paid it.
  const messages = await MessageLog.by(bench.world.service, bench.scope);
  const received = (await messages.all()).filter(({ type }) => type === 'payment.succeeded');
  const told = owners.map(({ externalId }) =>
    received.filter(({ data }) => data?.['externalId'] === externalId).map(({ sequence }) => sequence),
  );
  expect(told).toEqual([
    [1, 1],
    [1, 1, 2],
  ]);
});
