import { ProviderCheckoutBench } from '../checkouts/provider-checkout-bench';
import { openDatabase } from '../../src/db/pools';
import { DAY_MS } from '../../src/domain/instant';
import { createLogger } from '../../src/telemetry/logger';
import { verifyAll } from '../../src/verification/verify';
import { ProviderRow } from '../support/provider-row';
import { randomFrom } from '../accountant/random';
import { RandomLife } from '../accountant/random-life';
import { UnreliablePost } from '../accountant/unreliable-post';
import { MoneyLife } from './money-life';
import type { PaymentProvider } from '../../src/domain/provider';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { useStarted } from '../support/use-started';

// The verifier checks everything at the end and finds nothing.
const bench = useStarted(() => ProviderCheckoutBench.start());
beforeAll(() => {
  const { simulators, secrets } = bench.world;
  // As at the original.
  simulators.providers.a.account({ secretKey: secrets.provider_a['secretKey'] ?? '' }).setDraftHours(1);
});
afterEach(() => {
  new ProviderRow(bench.world).hearAgain();
});

const PROVIDERS: [PaymentProvider][] = [['provider_a'], ['provider_b'], ['provider_c']];

test.each(PROVIDERS)(
  'a life at %s of which no webhook arrives has the same money as one that is told, also when they come at last',
  async (provider) => {
    const delivered = await MoneyLife.begin(bench, provider);
    await delivered.live();
    const expected = await delivered.money();
    expect(expected).toMatchObject({
      refunds: [
        // C deducts it from the next payout, and none is due any longer.
        { kind: 'dispute', status: 'succeeded', settled: provider !== 'provider_c' },
        { kind: 'refund', status: 'succeeded', settled: true },
      ],
      disputes: [{ status: 'lost' }],
      settlements: { unmatched: '0' },
    });
    expect(expected.payments.length).toBeGreaterThan(3);
    const { outbox } = bench.world.simulators.core;
    const before = new Set(outbox.deliveries.map(({ id }) => id));

    new ProviderRow(bench.world).lose(true);
    const undelivered = await MoneyLife.begin(bench, provider);
    await undelivered.live();
    expect(await undelivered.money()).toEqual(expected);

    new ProviderRow(bench.world).lose(false);
    const lost = outbox.deliveries.map(({ id }) => id).filter((id) => !before.has(id));
    expect(lost.length).toBeGreaterThan(10);
    for (const id of lost) outbox.resend(id);
    await bench.world.settle();
    expect(await undelivered.money()).toEqual(expected);
  },
);

test('a period that the provider has begun and nobody has paid is found by the verifier and by drift', async () => {
  const life = await MoneyLife.begin(bench, 'provider_a');
  await life.renew();
  await bench.world.advanceBy(4 * DAY_MS);
  await life.look();
  const { subscriptionId: id } = life;
  const drift = async () => (await bench.world.operator.get(`/api/billing/subscriptions/${id}/drift`)).body;
  expect(await drift()).toMatchObject({ inSync: true, differences: [] });
  // As if the provider had never named the payment.
  const move = (by: string) =>
    bench.rows(`UPDATE tollgate.payments SET received_at = received_at ${by} WHERE subscription_id = $1`, [
      id,
    ]);
  await move("- interval '40 days'");
  expect(await drift()).toMatchObject({ inSync: false, differences: [{ field: 'payment', local: 'none' }] });
  expect(await differences()).toEqual([
    expect.stringMatching(`^subscription ${id}: provider_a began its period`),
  ]);
  await move("+ interval '40 days'");
  expect(await differences()).toEqual([]);
  await bench.world.command(id, 'cancel');
});

async function differences(): Promise<string[]> {
  const database = openDatabase(bench.world.service.database.url('tollgate_app'), {
    max: 1,
    applicationName: 'test-verify',
    log: createLogger('test', 'silent'),
  });
  const examples: string[] = [];
  for await (const result of verifyAll(database)) examples.push(...result.examples);
  await database.destroy();
  return examples;
}

test.each(PROVIDERS)(
  'what %s is read for and its webhooks bring at the same time is recorded once',
  async (provider) => {
    const row = new ProviderRow(bench.world);
    const { outbox } = bench.world.simulators.core;
    for (let round = 0; round < 3; round += 1) {
      const life = await MoneyLife.begin(bench, provider);
      const before = new Set(outbox.deliveries.map(({ id }) => id));
      const { length } = (await life.money()).payments;
      row.lose(true);
      // The provider renews it, and nothing has polled it here yet.
      await bench.world.simulators.core.clock.advanceTo((await bench.world.now()) + 32 * DAY_MS);
      await life.refund(500n);
      await deliverWebhooks(outbox);
      row.lose(false);
      for (const { id } of outbox.deliveries) if (!before.has(id)) outbox.resend(id);
      await Promise.all([life.look(), deliverWebhooks(outbox), life.look()]);
      await bench.world.advanceBy(66 * DAY_MS);
      const { payments } = await life.money();
      expect([round, payments.length]).toEqual([round, length + 2]);
      await bench.world.command(life.subscriptionId, 'cancel');
    }
  },
);

// `npm run endurance -- accountant` runs many of them.
test.each(PROVIDERS)('a random life at %s has the provider’s money in the end', async (provider) => {
  const random = randomFrom(1);
  const post = new UnreliablePost(bench.world.simulators.core, random);
  try {
    await new RandomLife(bench, provider, random, post).live(6);
  } finally {
    post.stop();
  }
});
