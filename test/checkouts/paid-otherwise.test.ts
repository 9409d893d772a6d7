import type { PaymentProvider } from '../../src/domain/provider';
import { providerA } from '../../src/providers/provider-a/adapter';
import { providerC } from '../../src/providers/provider-c/adapter';
import type { PaymentFacts } from '../../src/providers/canonical-event';
import type { ProviderAdapter } from '../../src/providers/provider-adapter';
import { MINUTE_MS } from '../../src/domain/instant';
import { ProviderCheckoutBench, type ShownCheckout } from './provider-checkout-bench';
import { useStarted } from '../support/use-started';

/** A single payment for which the provider reports a different amount. */
const bench = useStarted(() => ProviderCheckoutBench.start());
afterEach(() => {
  jest.restoreAllMocks();
});

/** Pays a checkout of 12.34 USD, which the provider then reports with the given changes. */
async function paid(
  [provider, adapter]: readonly [PaymentProvider, ProviderAdapter],
  change: Partial<PaymentFacts>,
): Promise<ShownCheckout> {
  const real = adapter.fetchCheckout.bind(adapter);
  jest.spyOn(adapter, 'fetchCheckout').mockImplementation(async (access, reference) => {
    const found = await real(access, reference);
    if (found.kind !== 'done' || found.value.payment === null) return found;
    return { ...found, value: { ...found.value, payment: { ...found.value.payment, ...change } } };
  });
  const checkout = await bench.ask(provider);
  bench.world.simulators.core.outbox.switches.drop = true;
  await bench.pay(provider, checkout);
  await bench.unheard(checkout.id, (await bench.world.now()) + 2 * MINUTE_MS);
  return bench.show(checkout.id);
}

describe.each([
  ['provider_a', providerA],
  ['provider_c', providerC],
] as const)('at %s', (...at) => {
  test.each([
    ['less', { amount: 1233n }, /paid 12\.33 USD for A workshop, which costs 12\.34 USD/],
    ['another currency', { currency: 'KES' }, /paid 12\.34 KES for A workshop, which costs 12\.34 USD/],
  ])(
    'of %s the checkout is not complete, and an event asks for a decision once',
    async (_, change, words) => {
      const checkout = await paid(at, change);
      expect(checkout).toMatchObject({ status: 'expired', failure: expect.stringMatching(words) as string });
      // As a webhook about it would do.
      await bench.rows('UPDATE tollgate.checkouts SET next_wake_at = now() WHERE id = $1', [checkout.id]);
      await bench.wake(checkout.id);
      expect(await bench.show(checkout.id)).toMatchObject({ status: 'expired', failure: checkout.failure });
      const recorded = (await bench.eventsOf('PAYMENT_RECORDED', checkout.id)).filter(
        ({ status }) => status === 'ERROR',
      );
      expect(recorded).toMatchObject([{ message: expect.stringMatching(words) as string }]);
    },
  );

  test('more than was asked for, as with a fee that the customer bears, completes it', async () => {
    expect(await paid(at, { amount: 1300n })).toMatchObject({ status: 'complete', failure: null });
  });
});
