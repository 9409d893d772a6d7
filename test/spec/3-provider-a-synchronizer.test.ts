import { HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import { periodEnd } from '../support/provider-row';
import type { WorldSubscription } from '../support/provider-world';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { until } from '../support/until';
import { useProviderARow } from '../support/use-provider-world';

/** Section 3, provider A, the two-phase synchronizer: whatever fails in between, one effect and no early change. */
const { world, row } = useProviderARow();

const WAITS = 'active, pro × 2, then starter × 2';
const COMES = 'active, starter × 2';
const PAID_LESS = ['subscription_create 6000', 'subscription_cycle 2000'];
const PAID_SAME = ['subscription_create 6000', 'subscription_cycle 6000'];

async function expectApplied(subscription: WorldSubscription): Promise<void> {
  expect(await row.summary(subscription)).toBe(COMES);
  expect(await row.marker(subscription)).toBeUndefined();
  expect(row.collected(subscription)).toEqual(PAID_LESS);
}

test('dead before the claim, it is prepared by whoever wakes in time', async () => {
  const { subscription, end } = await row.inWindow();
  await row.passTo(end - 10 * MINUTE_MS);
  expect(await row.marker(subscription)).toBeUndefined();
  await world.settle();
  expect(await row.marker(subscription)).toMatchObject({ state: 'prepared' });
  await world.advanceTo(end + MINUTE_MS);
  await expectApplied(subscription);
});

test('dead after the claim, the next one claims it again, and the provider is told once', async () => {
  const { subscription, end } = await row.inWindow();
  await row.dieInStep(subscription, 'before_call');
  expect([await row.marker(subscription), await row.billed(subscription)]).toMatchObject([
    { state: 'claimed', attempts: 1 },
    'price_pro × 2',
  ]);
  await world.settle();
  expect(await row.marker(subscription)).toMatchObject({ state: 'prepared', attempts: 2 });
  expect(row.updates(subscription)).toBe(1);
  await world.advanceTo(end + MINUTE_MS);
  await expectApplied(subscription);
});

test('dead after the provider’s success, the next one finds it done', async () => {
  const { subscription, end } = await row.inWindow();
  await row.dieInStep(subscription, 'after_call');
  await deliverWebhooks(world.simulators.core.outbox);
  expect([await row.marker(subscription), await row.billed(subscription)]).toMatchObject([
    { state: 'claimed' },
    'price_starter × 2',
  ]);
  expect([await row.summary(subscription), await row.access(subscription)]).toEqual([WAITS, 1_000]);
  await world.settle();
  expect(await row.marker(subscription)).toMatchObject({ state: 'prepared' });
  expect(row.updates(subscription)).toBe(1);
  await world.advanceTo(end + MINUTE_MS);
  await expectApplied(subscription);
});

test.each([
  ['by webhook', false],
  ['by reading', true],
])('dead until after the renewal, what the provider was told comes all the same (%s)', async (_, lost) => {
  const { subscription, end } = await row.inWindow();
  await row.dieInStep(subscription, 'after_call');
  row.lose(lost);
  await world.advanceTo(end + MINUTE_MS);
  await expectApplied(subscription);
});

test.each([
  ['by webhook', false],
  ['by reading', true],
])('unprepared at the renewal, the plan stays, and the next renewal is the aim (%s)', async (_, lost) => {
  const { subscription, end } = await row.inWindow();
  row.lose(lost);
  await world.advanceTo(end + MINUTE_MS);
  expect(await row.summary(subscription)).toBe(WAITS);
  expect(await row.access(subscription)).toBe(1_000);
  expect(await row.billed(subscription)).toBe('price_pro × 2');
  expect(row.collected(subscription)).toEqual(PAID_SAME);
  const reason = 'The renewal came before the change was sent to the payment provider.';
  const next = periodEnd(await world.show(subscription.id));
  expect(await row.marker(subscription)).toMatchObject({
    state: 'failed',
    reason,
    boundary: new Date(next).toISOString(),
  });
  expect(await row.events(subscription, 'scheduled_change_missed')).toEqual(['ERROR']);
  row.hearAgain();
  await world.advanceTo(next - HOUR_MS);
  expect(await row.marker(subscription)).toMatchObject({ state: 'prepared' });
  await world.advanceTo(next + MINUTE_MS);
  expect(await row.summary(subscription)).toBe(COMES);
  expect(row.collected(subscription)).toEqual([...PAID_SAME, 'subscription_cycle 2000']);
});

test('sent before the renewal, but received after it, the plan that was charged stays, and the next renewal is the aim', async () => {
  const { subscription, end } = await row.inWindow();
  row.lose(true);
  await row.passTo(end - 10 * MINUTE_MS);
  const path = `/v1/subscriptions/${subscription.reference}`;
  world.late('provider_a', path, { readsFirst: 2, delayMs: 10_000 });
  const sent = world.settle();
  await until(async () => (await row.marker(subscription))?.['told'] === true);
  await world.simulators.core.clock.advanceTo(end + MINUTE_MS);
  await sent;
  expect(await row.marker(subscription)).toMatchObject({ state: 'failed', told: true });
  await world.advanceTo(end + 2 * MINUTE_MS);
  expect([await row.summary(subscription), await row.access(subscription)]).toEqual([WAITS, 1_000]);
  expect(row.collected(subscription)).toEqual(PAID_SAME);
  expect(await row.events(subscription, 'scheduled_change_missed')).toEqual(['ERROR']);
  row.hearAgain();
  const next = periodEnd(await world.show(subscription.id));
  await world.advanceTo(next + MINUTE_MS);
  expect(await row.summary(subscription)).toBe(COMES);
  expect(row.collected(subscription)).toEqual([...PAID_SAME, 'subscription_cycle 2000']);
});

test('an attempt that was given up sends nothing after a cancel whose outcome is unknown', async () => {
  const { subscription } = await row.inWindow();
  row.lose(true);
  const path = `/v1/subscriptions/${subscription.reference}`;
  world.late('provider_a', path, { readsFirst: 0, delayMs: 10_000 });
  // It would die once the provider has changed the price.
  const attempt = row.dieInStep(subscription, 'after_call').then(
    () => 'sent',
    () => 'not sent',
  );
  await until(async () => (await row.marker(subscription))?.['state'] === 'claimed');
  row.break('provider_a', path, 'answer_500');
  expect((await world.command(subscription.id, 'cancel')).status).toBe(202);
  world.simulators.core.faults.clear();
  expect(await attempt).toBe('not sent');
  expect(await row.marker(subscription)).toMatchObject({ state: 'claimed', told: false });
  expect([row.updates(subscription), await row.billed(subscription)]).toEqual([0, 'price_pro × 2']);
  row.hearAgain();
  await world.advanceBy(3 * MINUTE_MS);
  expect(await row.summary(subscription)).toBe('active, pro × 2, ends');
  expect(await row.billed(subscription)).toBe('price_pro × 2');
});

test('after a few tries that fail it says so, and tries again an hour later', async () => {
  const { subscription, end } = await row.inWindow();
  row.break('provider_a', `/v1/subscriptions/${subscription.reference}`, 'answer_500');
  await world.settle();
  const at = await world.now();
  const marker = await row.marker(subscription);
  expect(marker).toMatchObject({ state: 'failed', attempts: 3 });
  expect(marker?.reason).toMatch(/^Provider A answered 500/);
  const retryAt = Date.parse(String(marker?.['retryAt']));
  expect(Math.abs(retryAt - at - HOUR_MS)).toBeLessThan(MINUTE_MS);
  expect((await world.show(subscription.id))['waitingFor']).toContain(
    `is sent to the payment provider at ${new Date(retryAt).toISOString()}`,
  );
  expect(await row.events(subscription, 'renewal_preparation_failed')).toEqual(['ERROR']);
  expect(await row.summary(subscription)).toBe(WAITS);
  expect(await row.capabilities(subscription)).toMatchObject({
    cancel: 'available',
    planChange: 'available',
  });
  await world.advanceTo(retryAt + MINUTE_MS);
  expect(await row.marker(subscription)).toMatchObject({ state: 'failed', attempts: 6 });
  row.hearAgain();
  await world.advanceTo(retryAt + HOUR_MS + 2 * MINUTE_MS);
  expect(await row.marker(subscription)).toMatchObject({ state: 'prepared' });
  expect(row.updates(subscription)).toBe(1);
  await world.advanceTo(end + MINUTE_MS);
  await expectApplied(subscription);
});

test('after a failure in the last hour it is tried again before the renewal', async () => {
  const { subscription, end } = await row.inWindow();
  await row.passTo(end - 40 * MINUTE_MS);
  row.break('provider_a', `/v1/subscriptions/${subscription.reference}`, 'answer_500');
  await world.settle();
  expect(await row.marker(subscription)).toMatchObject({ state: 'failed' });
  row.hearAgain();
  await world.advanceTo(end - 10 * MINUTE_MS);
  expect(await row.marker(subscription)).toMatchObject({ state: 'prepared' });
  await world.advanceTo(end + MINUTE_MS);
  await expectApplied(subscription);
});

test('a cancel goes through between two tries, and nothing is prepared any more', async () => {
  const { subscription, end } = await row.inWindow();
  row.break('provider_a', `/v1/subscriptions/${subscription.reference}`, 'answer_500');
  await world.settle();
  row.hearAgain();
  expect((await world.command(subscription.id, 'cancel')).status).toBe(200);
  expect(await row.marker(subscription)).toBeUndefined();
  await world.advanceTo(end + MINUTE_MS);
  expect(await row.summary(subscription)).toMatch(/^cancelled, pro × 2/);
  expect(await row.kinds(subscription)).toEqual([
    'downgrade_scheduled',
    'renewal_preparation_failed',
    'scheduled_change_withdrawn',
    'cancel_scheduled',
    'cancelled',
  ]);
});

test('a command does not wait for a due preparation that is not carried out', async () => {
  const { subscription } = await row.inWindow();
  row.break('provider_a', `/v1/subscriptions/${subscription.reference}`, 'answer_500');
  expect((await world.withdraw(subscription.id)).status).toBe(200);
  expect(await row.summary(subscription)).toBe('active, pro × 2');
});

test('what replaces a change whose preparation failed unheard is told in time', async () => {
  const subscription = await row.subscribe({ plan: 'large', seats: 2 });
  await world.change(subscription.id, { plan: 'starter' });
  const end = periodEnd(await world.show(subscription.id));
  // Its next attempt would come after the renewal.
  await row.passTo(end - 50 * MINUTE_MS);
  row.lose(true);
  row.meet(subscription, 'none', 'none', 'cut_after_commit', ...Array<'answer_500'>(20).fill('answer_500'));
  await world.catchUp(subscription.id);
  row.hearAgain();
  expect([await row.billed(subscription), await row.marker(subscription)]).toMatchObject([
    'price_starter × 2',
    { state: 'failed' },
  ]);
  expect((await world.change(subscription.id, { plan: 'pro' })).status).toBe(200);
  await world.settle();
  expect([await row.billed(subscription), await row.marker(subscription)]).toMatchObject([
    'price_pro × 2',
    { state: 'prepared', plan: 'pro' },
  ]);
  await world.advanceTo(end + MINUTE_MS);
  expect(await row.summary(subscription)).toBe('active, pro × 2');
  expect(row.collected(subscription)).toEqual(['subscription_create 18000', 'subscription_cycle 6000']);
});

test('fewer seats that are sent again have the price of the first attempt', async () => {
  const subscription = await row.subscribe({ seats: 3 });
  await row.changePriceAtProvider(subscription, 'price_large');
  expect((await world.change(subscription.id, { seats: 2 })).status).toBe(200);
  await row.passTo(periodEnd(await world.show(subscription.id)) - 5 * HOUR_MS);
  await row.dieInStep(subscription, 'after_call');
  expect(await row.billed(subscription)).toBe('price_pro × 2');
  await world.settle();
  expect(await row.marker(subscription)).toMatchObject({ state: 'prepared', attempts: 2 });
  expect(await row.billed(subscription)).toBe('price_pro × 2');
});

test('a replacement that never reaches the provider is shown as drift', async () => {
  const subscription = await row.subscribe({ plan: 'large', seats: 2 });
  await world.change(subscription.id, { plan: 'starter' });
  const end = periodEnd(await world.show(subscription.id));
  await row.passTo(end - 50 * MINUTE_MS);
  row.lose(true);
  row.meet(subscription, 'none', 'none', 'cut_after_commit', ...Array<'answer_500'>(20).fill('answer_500'));
  await world.catchUp(subscription.id);
  row.hearAgain();
  expect((await world.change(subscription.id, { plan: 'pro' })).status).toBe(200);
  await world.advanceTo(end + 3 * HOUR_MS);
  expect(await row.summary(subscription)).toBe('active, large × 2, then pro × 2');
  expect(await row.billed(subscription)).toBe('price_starter × 2');
  const drift = await world.operator.get(`/api/billing/subscriptions/${subscription.id}/drift`);
  expect(drift.body).toMatchObject({ inSync: false, differences: [{ field: 'plan', provider: 'starter' }] });
});

describe('a preparation that fails before there is anything to tell', () => {
  const refer = (planReferences: Record<string, string> | null) =>
    world.operator.patch(`/api/provider-connections/${world.connections.provider_a}`, {
      body: { settings: { planReferences } },
    });
  afterEach(() => refer({ starter: 'price_starter', pro: 'price_pro', large: 'price_large' }));

  test.each(['cancel', 'withdraw'] as const)(
    'leaves nothing that a %s would have to take back',
    async (command) => {
      const { subscription, end } = await row.inWindow();
      await refer(null);
      await world.settle();
      expect(await row.marker(subscription)).toMatchObject({ state: 'failed', told: false });
      expect(await row.capabilities(subscription)).toMatchObject({ cancel: 'available' });
      const { status } =
        command === 'cancel'
          ? await world.command(subscription.id, 'cancel')
          : await world.withdraw(subscription.id);
      expect(status).toBe(200);
      expect(await row.marker(subscription)).toBeUndefined();
      expect(await row.billed(subscription)).toBe('price_pro × 2');
      await world.advanceTo(end + MINUTE_MS);
      expect(await row.summary(subscription)).toBe(
        command === 'cancel' ? 'cancelled, pro × 2, ends' : 'active, pro × 2',
      );
    },
  );

  test('is made good when it can tell', async () => {
    const { subscription, end } = await row.inWindow();
    await refer({ pro: 'price_pro', large: 'price_large' });
    await world.settle();
    expect(await row.marker(subscription)).toMatchObject({ state: 'failed', told: false });
    await refer({ starter: 'price_starter', pro: 'price_pro', large: 'price_large' });
    await world.advanceBy(HOUR_MS + MINUTE_MS);
    expect(await row.marker(subscription)).toMatchObject({ state: 'prepared', told: true });
    await world.advanceTo(end + MINUTE_MS);
    await expectApplied(subscription);
  });
});
