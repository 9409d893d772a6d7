import { DAY_MS } from '../../src/domain/instant';
import { ProviderARow } from '../support/provider-a-row';
import { periodEnd } from '../support/provider-row';
import { ProviderWorld, type WorldProvider, type WorldSubscription } from '../support/provider-world';

jest.setTimeout(120_000);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let world: ProviderWorld;
let row: ProviderARow;
beforeAll(async () => {
  world = await ProviderWorld.start();
  row = new ProviderARow(world);
});
afterEach(() => row.endAll());
afterAll(() => world.stop());

/** The customer's card, or wallet, from now on. */
async function takeMoney(subscription: WorldSubscription, taken: boolean): Promise<void> {
  if (subscription.provider === 'provider_a') return row.setCard(subscription, taken ? 'pays' : 'declines');
  const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
  world.simulators.providers.b.account({ clientId, clientSecret }).switches.failPayments = !taken;
}

/** A subscription whose renewal was not paid, and when that was. */
async function pastDue(
  provider: WorldProvider,
): Promise<{ subscription: WorldSubscription; unpaidAt: number }> {
  const subscription = await world.subscribe(provider);
  await takeMoney(subscription, false);
  const unpaidAt = periodEnd(await world.show(subscription.id));
  await world.advanceTo(unpaidAt + MINUTE);
  expect((await world.show(subscription.id)).status).toBe('past_due');
  return { subscription, unpaidAt };
}

async function payments({ id }: WorldSubscription): Promise<number> {
  const rows = await world.service.database.query(
    `SELECT id FROM tollgate.payments WHERE subscription_id = $1 AND status = 'succeeded'`,
    [id],
  );
  return rows.length;
}

test.each([
  // They collect again after so many days: A is read every hour until then, and B every six hours.
  ['provider_a', 3],
  ['provider_b', 5],
] as const)(
  'what %s collects later is known by the next reading, where no webhook says so',
  async (provider, days) => {
    const { subscription, unpaidAt } = await pastDue(provider);
    row.lose(true);
    await takeMoney(subscription, true);
    const collectedAt = unpaidAt + days * DAY_MS;
    // Provider B has not turned the unpaid period, and is also read for that, which is every six hours by then.
    for (const hours of [5, 4, 2.5, 0.5]) await world.advanceTo(collectedAt - hours * HOUR);
    await world.advanceTo(collectedAt + 5 * MINUTE);
    expect([
      (await world.atProvider(subscription)).status,
      (await world.show(subscription.id)).status,
    ]).toEqual(['active', 'past_due']);
    const before = await payments(subscription);
    await world.advanceTo(collectedAt + HOUR);
    expect((await world.show(subscription.id)).status).toBe('active');
    expect(await payments(subscription)).toBe(before + 1);
  },
);

test('a provider that cannot be read is read at the next time, and no event tells of each try', async () => {
  const { subscription, unpaidAt } = await pastDue('provider_a');
  row.break('provider_a', `/v1/subscriptions/${subscription.reference}`, 'answer_500');
  const before = await row.kinds(subscription);
  for (const hours of [2, 4, 6]) await world.advanceTo(unpaidAt + hours * HOUR);
  expect(await row.kinds(subscription)).toEqual(before);
  expect(await row.events(subscription, 'provider_not_read')).toEqual([]);
  row.hearAgain();
  row.lose(true);
  await takeMoney(subscription, true);
  await world.advanceTo(unpaidAt + 3 * DAY_MS + HOUR);
  expect((await world.show(subscription.id)).status).toBe('active');
});

test('the timeline foresees the readings once', async () => {
  const { subscription } = await pastDue('provider_a');
  const upcoming = await row.upcoming(subscription);
  expect(upcoming.filter((message) => message.includes('past due'))).toHaveLength(1);
  expect(upcoming[1]).toMatch(/^The payment provider renews/);
});
