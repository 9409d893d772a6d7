import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import { ProviderARow } from '../support/provider-a-row';
import { periodEnd } from '../support/provider-row';
import type { WorldSubscription } from '../support/provider-world';
import { useProviderWorld } from '../support/use-provider-world';

/** Trials at provider A that end without a card, as the merchant has set it for each subscription. */
const world = useProviderWorld();
const row = new ProviderARow(world);
afterEach(() => row.endAll());

/** Creates a subscription in a trial whose customer has removed the card. */
async function trying(
  atItsEnd: 'cancel' | 'create_invoice' | 'pause',
): Promise<{ subscription: WorldSubscription; end: number; kindsBefore: number }> {
  const subscription = await world.subscribe('provider_a');
  const end = periodEnd(await world.show(subscription.id)) + 5 * DAY_MS;
  await row.updateAtProvider(subscription, {
    trial_end: String(end / 1_000),
    proration_behavior: 'none',
    'trial_settings[end_behavior][missing_payment_method]': atItsEnd,
  });
  await row.setCard(subscription, 'is_removed');
  expect(await world.show(subscription.id)).toMatchObject({ status: 'trialing', trialEnd: instant(end) });
  return { subscription, end, kindsBefore: (await row.kinds(subscription)).length };
}

const instant = (at: number): string => new Date(at).toISOString();

describe.each([
  ['with webhooks', false],
  ['without webhooks', true],
])('%s', (_, isLost) => {
  test('one that is paused is past due, from the end of its trial, until it is resumed and paid', async () => {
    const { subscription, end, kindsBefore } = await trying('pause');
    row.lose(isLost);
    await world.advanceTo(end + MINUTE_MS);
    const paused = await world.show(subscription.id);
    expect(paused).toMatchObject({ status: 'past_due', trialEnd: instant(end), billingAnchor: instant(end) });
    const resumedAt = end + 2 * DAY_MS;
    await world.advanceTo(resumedAt);
    await row.setCard(subscription, 'pays');
    await row.resumeAtProvider(subscription);
    await world.advanceTo(resumedAt + 7 * HOUR_MS);
    const resumed = await world.show(subscription.id);
    expect(resumed).toMatchObject({ status: 'active', trialEnd: instant(end), pastDueSince: null });
    // The provider's clock goes on meanwhile.
    expect(Date.parse(resumed.currentPeriodStart) - resumedAt).toBeLessThan(HOUR_MS);
    expect((await row.kinds(subscription)).slice(kindsBefore).filter(isOfSubscription)).toEqual([
      'trial_ended',
      'became_past_due',
      'period_turned',
      'recovered',
    ]);
    expect(row.collected(subscription)).toHaveLength(2);
  });

  test.each([
    ['cancel', 'cancelled', ['cancelled']],
    ['create_invoice', 'past_due', ['trial_ended', 'became_past_due']],
  ] as const)('at %s it is %s', async (atItsEnd, status, kinds) => {
    const { subscription, end, kindsBefore } = await trying(atItsEnd);
    row.lose(isLost);
    await world.advanceTo(end + MINUTE_MS);
    expect((await world.show(subscription.id)).status).toBe(status);
    expect((await row.kinds(subscription)).slice(kindsBefore).filter(isOfSubscription)).toEqual(kinds);
  });
});

const isOfSubscription = (kind: string): boolean => !kind.startsWith('payment_');
