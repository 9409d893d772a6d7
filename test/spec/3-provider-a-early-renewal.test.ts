import { MINUTE_MS } from '../../src/domain/instant';
import { periodEnd } from '../support/provider-row';
import { useProviderARow } from '../support/use-provider-world';

/** Section 3, provider A: its merchant begins the next period by hand, after A was prepared for a scheduled change. */
const { world, row } = useProviderARow();

const RESET = { 'billing_cycle_anchor[type]': 'now', proration_behavior: 'none' };

test.each([false, true])(
  'a period that begins early is on the plan that it is charged for (webhook lost: %s)',
  async (lost) => {
    const { subscription, end } = await row.inWindow();
    await world.settle();
    expect(await row.marker(subscription)).toMatchObject({ state: 'prepared' });
    row.lose(lost);
    await row.updateAtProvider(subscription, RESET);
    await world.advanceBy(MINUTE_MS);
    row.lose(false);
    // Without its webhook, it is read at the end of the period that is known.
    if (lost) await world.advanceTo(end + MINUTE_MS);
    expect(await row.summary(subscription)).toBe('active, starter × 2');
    // The former plan's quota applied only to the usage periods before.
    const { currentPeriodStart } = await world.show(subscription.id);
    const sql = 'SELECT updated_at AS at FROM tollgate.subscriptions WHERE id = $1';
    expect(await world.service.database.query(sql, [subscription.id])).toEqual([
      { at: Date.parse(currentPeriodStart) },
    ]);
    expect(row.collected(subscription)).toEqual(['subscription_create 6000', 'subscription_update 2000']);
    const next = periodEnd(await world.show(subscription.id));
    await world.advanceTo(next + MINUTE_MS);
    expect(await row.summary(subscription)).toBe('active, starter × 2');
    expect(
      (await row.kinds(subscription)).filter((kind) => kind === 'scheduled_change_applied'),
    ).toHaveLength(1);
  },
);

test('so is the first paid one if a trial is ended early', async () => {
  const subscription = await row.subscribe({ seats: 2 });
  await world.change(subscription.id, { plan: 'starter' });
  const end = periodEnd(await world.show(subscription.id));
  await row.updateAtProvider(subscription, {
    trial_end: String(end / 1_000),
    proration_behavior: 'none',
  });
  await world.advanceTo(end - MINUTE_MS);
  expect(await row.summary(subscription)).toBe('trialing, pro × 2, then starter × 2');
  await row.updateAtProvider(subscription, { trial_end: 'now' });
  expect(await row.summary(subscription)).toBe('active, starter × 2');
  const { trialEnd, currentPeriodStart } = await world.show(subscription.id);
  expect(trialEnd).toBe(currentPeriodStart);
});

test('a period that begins early before the change is prepared is on the former plan, and the next one on the new', async () => {
  const subscription = await row.subscribe({ seats: 2 });
  await world.change(subscription.id, { plan: 'starter' });
  await row.updateAtProvider(subscription, RESET);
  expect(await row.summary(subscription)).toBe('active, pro × 2, then starter × 2');
  const next = periodEnd(await world.show(subscription.id));
  await world.advanceTo(next - MINUTE_MS);
  await world.advanceTo(next + MINUTE_MS);
  expect(await row.summary(subscription)).toBe('active, starter × 2');
  expect(row.collected(subscription)).toEqual([
    'subscription_create 6000',
    'subscription_update 6000',
    'subscription_cycle 2000',
  ]);
});
