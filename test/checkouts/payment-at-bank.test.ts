import { DAY_MS } from '../../src/domain/instant';
import { press } from '../support/provider-world';
import { useStarted } from '../support/use-started';
import { ProviderCheckoutBench, type ShownCheckout } from './provider-checkout-bench';

/** At provider C a bank may have a payment, such as a direct debit, when the checkout's deadline passes. */
const bench = useStarted(() => ProviderCheckoutBench.start());

/** Creates a checkout whose customer pays through a bank that answers later, and passes its deadline by `days`. */
async function paidByBank(kind: 'a plan' | 'an amount', days: number): Promise<ShownCheckout> {
  const checkout = await (kind === 'a plan' ? bench.offer('provider_c') : bench.ask('provider_c'));
  await press(checkout.url, { act: 'pay_by_bank' });
  await bench.unheard(checkout.id, Date.parse(checkout.expiresAt) + days * DAY_MS);
  expect(await bench.show(checkout.id)).toMatchObject({ status: 'open', failure: null });
  return checkout;
}

function theBankAnswers(outcome: 'succeed' | 'decline'): void {
  const { simulators, secrets } = bench.world;
  simulators.providers.c.controls(secrets.provider_c['secretKey'] ?? '').settleCharges(outcome);
}

const dayAfter = async ({ id }: ShownCheckout): Promise<ShownCheckout> => {
  await bench.unheard(id, (await bench.world.now()) + DAY_MS);
  return bench.show(id);
};

test.each(['a plan', 'an amount'] as const)(
  'the checkout of %s completes when the bank pays after its deadline',
  async (kind) => {
    const checkout = await paidByBank(kind, 1);
    theBankAnswers('succeed');
    expect(await dayAfter(checkout)).toMatchObject({ status: 'complete' });
    if (kind === 'a plan')
      expect(await bench.world.show(checkout.subscriptionId)).toMatchObject({ status: 'active' });
  },
);

test('it ends when the bank refuses', async () => {
  const checkout = await paidByBank('a plan', 1);
  theBankAnswers('decline');
  expect(await dayAfter(checkout)).toMatchObject({ status: 'expired', failure: null });
  expect(await bench.eventsOf('SUBSCRIPTION_CREATED', checkout.id)).toEqual([]);
});

test('it ends when the bank does not answer for days, and an event says so', async () => {
  const checkout = await paidByBank('a plan', 2);
  expect(await dayAfter(checkout)).toMatchObject({ status: 'open' });
  await dayAfter(checkout);
  const over = await dayAfter(checkout);
  expect(over.status).toBe('expired');
  expect(over.failure).toContain('did not confirm');
  expect(await bench.eventsOf('SUBSCRIPTION_CREATED', checkout.id)).toMatchObject([{ status: 'ERROR' }]);
});
