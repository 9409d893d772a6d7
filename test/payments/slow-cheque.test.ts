import { ProviderCheckoutBench } from '../checkouts/provider-checkout-bench';
import { DAY_MS } from '../../src/domain/instant';
import { press } from '../support/provider-world';
import { useStarted } from '../support/use-started';

const bench = useStarted(() => ProviderCheckoutBench.start());

test('a payment at provider B that clears after many days is settled on the day on which it began', async () => {
  const today = async () => new Date(await bench.world.now()).toISOString().slice(0, 10);
  const checkout = await bench.ask('provider_b');
  // Midnight may fall between the two.
  const days = [await today()];
  await press(checkout.url, { choice: 'approve_slow_echeck' });
  await bench.world.settle();
  await bench.wake(checkout.id);
  days.push(await today());
  for (let day = 0; day < 14; day += 1) {
    await bench.world.advanceBy(DAY_MS);
    await bench.wake(checkout.id);
    const collected = await bench.world.operator.post('/api/billing/settlements/collect', { body: {} });
    expect(collected.status).toBe(200);
  }
  expect(await bench.show(checkout.id)).toMatchObject({ status: 'complete' });
  const payments = await bench.rows(
    `SELECT p.status, s.reference FROM tollgate.payments p LEFT JOIN tollgate.settlements s ON s.id = p.settlement_id`,
    [],
  );
  expect(days.map((day) => [{ status: 'succeeded', reference: `report-${day}-USD` }])).toContainEqual(
    payments,
  );
});
