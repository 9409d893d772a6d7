import { HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import type { WorldSubscription } from '../support/provider-world';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { useProviderARow } from '../support/use-provider-world';

/** Provider A receives the change for a renewal only after Tollgate has stopped waiting for it. */
const { world, row } = useProviderARow();

/** Sends what the preparation has sent, as a network does that was slow. @returns the provider's status */
async function arriveLate({ id, reference }: WorldSubscription, at: number): Promise<number> {
  const address = `${world.simulators.urls.a}/v1/subscriptions/${reference}`;
  const headers = { Authorization: `Bearer ${world.secrets.provider_a['secretKey'] ?? ''}` };
  const { items } = (await (await fetch(address, { headers })).json()) as {
    items: { data: { id: string }[] };
  };
  const body = new URLSearchParams({
    'items[0][id]': items.data[0]?.id ?? '',
    'items[0][price]': 'price_starter',
    'items[0][quantity]': '2',
    proration_behavior: 'none',
  });
  const keyed = { ...headers, 'Idempotency-Key': `${id}-${at}-0` };
  const { status } = await fetch(address, { method: 'POST', headers: keyed, body });
  await deliverWebhooks(world.simulators.core.outbox);
  return status;
}

test.each(['withdrawn', 'cancelled', 'replaced'] as const)(
  'it changes nothing once the change was %s in the meantime',
  async (how) => {
    const { subscription, end } = await row.inWindow();
    const { id, reference } = subscription;
    world.fault('provider_a', `/v1/subscriptions/${reference}`, 'none');
    world.fault('provider_a', `/v1/subscriptions/${reference}`, 'none');
    world.fault('provider_a', `/v1/subscriptions/${reference}`, 'answer_page', 20);
    await world.settle();
    world.simulators.core.faults.clear();
    const marker = await row.marker(subscription);
    expect(marker).toMatchObject({ state: 'failed', told: true });
    const { at } = marker as unknown as { at: string };

    const asked = {
      withdrawn: () => world.withdraw(id),
      cancelled: () => world.command(id, 'cancel'),
      replaced: () => world.change(id, { plan: 'large' }),
    };
    expect((await asked[how]()).status).toBe(200);
    const billed = how === 'replaced' ? 'price_large × 2' : 'price_pro × 2';
    expect(await row.billed(subscription)).toBe(billed);
    expect(await arriveLate(subscription, Date.parse(at))).toBe(400);
    expect(await row.billed(subscription)).toBe(billed);
    const drift = await world.operator.get(`/api/billing/subscriptions/${id}/drift`);
    expect(drift.body['differences']).toEqual([]);
    const before = row.collected(subscription);
    await world.advanceTo(end + MINUTE_MS);
    const renewal = {
      withdrawn: ['subscription_cycle 6000'],
      cancelled: [],
      replaced: ['subscription_cycle 18000'],
    };
    expect(row.collected(subscription)).toEqual([...before, ...renewal[how]]);
  },
);

/** Lets two steps send the change without an answer. @returns when they did */
async function failTwice(subscription: WorldSubscription): Promise<number[]> {
  const path = `/v1/subscriptions/${subscription.reference}`;
  const steps: number[] = [];
  for (const _ of ['first', 'second']) {
    world.fault('provider_a', path, 'none');
    world.fault('provider_a', path, 'none');
    world.fault('provider_a', path, 'answer_page', 20);
    await (steps.length === 0 ? world.settle() : world.advanceBy(HOUR_MS + MINUTE_MS));
    world.simulators.core.faults.clear();
    steps.push(Date.parse(String((await row.marker(subscription))?.['at'])));
  }
  expect(new Set(steps).size).toBe(2);
  return steps;
}

test('what each of several steps has sent changes nothing once the change was withdrawn', async () => {
  const { subscription, end } = await row.inWindow();
  const steps = await failTwice(subscription);
  expect((await world.withdraw(subscription.id)).status).toBe(200);
  for (const at of steps) expect(await arriveLate(subscription, at)).toBe(400);
  expect(await row.billed(subscription)).toBe('price_pro × 2');
  await world.advanceTo(end + MINUTE_MS);
  expect(row.collected(subscription)).toEqual(['subscription_create 6000', 'subscription_cycle 6000']);
});

test('what each of several steps has sent does not undo the change for the renewal that replaced it', async () => {
  const { subscription, end } = await row.inWindow();
  const steps = await failTwice(subscription);
  expect((await world.change(subscription.id, { plan: 'starter', seats: 1 })).status).toBe(200);
  await world.settle();
  expect(await row.marker(subscription)).toMatchObject({ state: 'prepared' });
  for (const at of steps) expect(await arriveLate(subscription, at)).toBe(400);
  expect(await row.billed(subscription)).toBe('price_starter × 1');
  await world.advanceTo(end + MINUTE_MS);
  expect(await row.summary(subscription)).toBe('active, starter × 1');
});

test('what was sent in vain for one renewal changes nothing once the change is withdrawn after it', async () => {
  const { subscription, end } = await row.inWindow();
  const steps = await failTwice(subscription);
  world.fault('provider_a', `/v1/subscriptions/${subscription.reference}`, 'none');
  world.fault('provider_a', `/v1/subscriptions/${subscription.reference}`, 'answer_page', 20);
  await world.advanceTo(end - MINUTE_MS);
  world.simulators.core.faults.clear();
  await world.advanceTo(end + MINUTE_MS);
  expect(await row.summary(subscription)).toBe('active, pro × 2, then starter × 2');
  expect((await world.withdraw(subscription.id)).status).toBe(200);
  for (const at of steps) expect(await arriveLate(subscription, at)).toBe(400);
  expect(await row.billed(subscription)).toBe('price_pro × 2');
});

test('if it has arrived before the withdrawal, the price is restored', async () => {
  const { subscription, end } = await row.inWindow();
  row.meetSilence(subscription);
  await world.settle();
  await row.deliverLost();
  expect((await world.withdraw(subscription.id)).status).toBe(200);
  expect(await row.billed(subscription)).toBe('price_pro × 2');
  await world.advanceTo(end + MINUTE_MS);
  expect(row.collected(subscription)).toEqual(['subscription_create 6000', 'subscription_cycle 6000']);
});
