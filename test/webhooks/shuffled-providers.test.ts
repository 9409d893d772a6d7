import { ProviderCheckoutBench } from '../checkouts/provider-checkout-bench';
import { KeptRows } from '../support/kept-rows';
import { ProviderARow } from '../support/provider-a-row';
import { ProviderRow } from '../support/provider-row';
import { ProviderLife, REFUNDED } from './provider-life';
import { reportedState, type ReportedState } from './reported-state';
import type { PaymentProvider } from '../../src/domain/provider';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { useStarted } from '../support/use-started';

const bench = useStarted(() => ProviderCheckoutBench.start());
beforeAll(() => {
  // The invoice and the payment of a renewal have different times, as at the original.
  new ProviderARow(bench.world).account.setDraftHours(1);
});

const PROVIDERS: [PaymentProvider][] = [['provider_a'], ['provider_b'], ['provider_c']];
/** Number of payments in a life: the first, the renewals, the late payment, and at A the upgrade. */
const COLLECTED: Record<PaymentProvider, number> = { provider_a: 4, provider_b: 3, provider_c: 3 };
const SEEDS = [11, 22, 33, 44, 55, 66];

/** Shuffles into an order fixed by the seed. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647);
  return items
    .map((item) => [next(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** Delivers these webhooks to rows that know only the checkout, and has it polled. */
async function after(fresh: KeptRows, life: ProviderLife, order: readonly string[]): Promise<ReportedState> {
  const { outbox } = bench.world.simulators.core;
  await fresh.restore();
  const sent = outbox.deliveries.filter(({ id }) => order.includes(id));
  const before = new Map(sent.map((delivery) => [delivery, delivery.attempts.length]));
  for (const id of order) outbox.resend(id);
  await deliverWebhooks(outbox);
  const answers = sent.flatMap((delivery) => delivery.attempts.slice(before.get(delivery)));
  expect(answers.map(({ status }) => status)).toEqual(order.map(() => 200));
  await bench.wake(life.checkout.id);
  await bench.world.settle();
  return reportedState(bench, life.provider);
}

/**
 * Requires that all webhooks lead to the same state of rows that know only the checkout, in any order. @returns that
 * state
 */
async function oneState(
  fresh: KeptRows,
  life: ProviderLife,
  seeds: readonly number[],
): Promise<ReportedState> {
  const inOrder = await after(fresh, life, life.webhooks);
  for (const seed of seeds) {
    // Twice, because a third delivery would make up for what the second has lost.
    const order = shuffled([...life.webhooks, ...life.webhooks], seed);
    const again = shuffled(life.webhooks, seed + 1).slice(0, 5);
    expect([seed, await after(fresh, life, [...order, ...again])]).toEqual([seed, inOrder]);
  }
  return inOrder;
}

/** Requires that nothing is duplicated: exactly what the provider has collected and refunded. */
function isAll(provider: PaymentProvider, { payments, refunds }: ReportedState): void {
  const paid = payments.map(({ amount, status }) => [amount, status]);
  expect(paid).toHaveLength(COLLECTED[provider]);
  expect(paid).toEqual(paid.map(() => [expect.any(Number) as number, 'succeeded']));
  const givenBack = refunds.map(({ amount, status }) => [amount, status]);
  expect(givenBack).toEqual([1, 2].map(() => [Number(REFUNDED), 'succeeded']));
}

test.each(PROVIDERS)(
  'what %s tells of a life ends in one state, in whatever order and however often it comes',
  async (provider) => {
    const life = await ProviderLife.live(bench, provider);
    const row = new ProviderRow(bench.world);
    row.lose(false);
    const { database } = bench.world.service;
    const fresh = await KeptRows.keep(database);
    const renewing = await oneState(fresh, life, SEEDS.slice(0, 2));
    isAll(provider, renewing);
    expect(renewing.subscriptions).toMatchObject([{ status: 'active', cancel_at_period_end: false }]);
    await fresh.restore();
    row.lose(true);
    await life.cancel();
    row.lose(false);
    const cancelled = await oneState(await KeptRows.keep(database), life, SEEDS);
    isAll(provider, cancelled);
    expect(cancelled.subscriptions).toMatchObject([{ status: 'cancelled' }]);
  },
);
