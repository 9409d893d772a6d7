import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import { ProviderARow } from '../support/provider-a-row';
import { periodEnd } from '../support/provider-row';
import { useProviderWorld } from '../support/use-provider-world';

/** Subscriptions that the merchant or the customer pauses at provider A, whose unused time A credits. */
const world = useProviderWorld();
const row = new ProviderARow(world);
afterEach(() => row.endAll());

describe.each([
  ['with webhooks', false],
  ['without webhooks', true],
])('%s', (_, isLost) => {
  test('one that is paused is paid until then, no payment has failed, and it continues once it is resumed', async () => {
    const subscription = await world.subscribe('provider_a');
    const end = periodEnd(await world.show(subscription.id));
    const kindsBefore = (await row.kinds(subscription)).length;
    const pausedAt = end - 20 * DAY_MS;
    await world.advanceTo(pausedAt);
    row.lose(isLost);
    await row.pauseAtProvider(subscription);
    // Without a webhook, it is read at the end of the period that is known here.
    await world.advanceTo(isLost ? end + MINUTE_MS : pausedAt + HOUR_MS);
    const paused = await world.show(subscription.id);
    expect(paused.status).toBe('past_due');
    expect(Math.abs(Date.parse(String(paused['pastDueSince'])) - pausedAt)).toBeLessThan(HOUR_MS);
    const told = (await row.timeline(subscription)).filter(({ kind }) => kind === 'became_past_due');
    expect(told.map(({ message }) => message)).toEqual([
      expect.stringContaining('are suspended at the payment provider; it is paid until'),
    ]);

    const resumedAt = end + 2 * DAY_MS;
    await world.advanceTo(resumedAt);
    await row.resumeAtProvider(subscription);
    await world.advanceTo(resumedAt + 7 * HOUR_MS);
    const resumed = await world.show(subscription.id);
    expect(resumed).toMatchObject({ status: 'active', pastDueSince: null });
    expect(Date.parse(resumed.currentPeriodStart) - resumedAt).toBeLessThan(HOUR_MS);
    const kinds = (await row.kinds(subscription)).slice(kindsBefore);
    expect(kinds.filter((kind) => !kind.startsWith('payment_'))).toEqual([
      'became_past_due',
      'period_turned',
      'recovered',
    ]);
    expect(row.collected(subscription)).toHaveLength(2);
  });
});

test('a pause begins no usage period: its days of grace share the quota of the period that was paid', async () => {
  const subscription = await world.subscribe('provider_a');
  await world.advanceBy(12 * DAY_MS);
  const { period } = await row.track(subscription, 600);
  await row.pauseAtProvider(subscription);
  await world.advanceBy(HOUR_MS);
  expect((await world.show(subscription.id)).status).toBe('past_due');
  expect(await row.track(subscription, 1)).toMatchObject({ usage: 601, remaining: 399, period });
  await world.advanceBy(DAY_MS);
  await row.resumeAtProvider(subscription);
  await world.advanceBy(HOUR_MS);
  const { status, currentPeriodStart: start, currentPeriodEnd: end } = await world.show(subscription.id);
  expect(status).toBe('active');
  expect(await row.track(subscription, 1)).toMatchObject({ usage: 1, period: { start, end } });
});
