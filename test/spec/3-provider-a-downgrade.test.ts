import { randomUUID } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import { periodEnd } from '../support/provider-row';
import type { WorldSubscription } from '../support/provider-world';
import { useProviderARow } from '../support/use-provider-world';

/**
 * Section 3, provider A, downgrade or seat decrease: prepared at the provider shortly before the renewal, applied
 * here only with it.
 */
const { world, row } = useProviderARow();

/** Schedules a change of two seats of pro to starter. Returns the subscription and the end of its period. */
async function scheduled(): Promise<{ subscription: WorldSubscription; end: number }> {
  const subscription = await row.subscribe({ seats: 2 });
  await world.change(subscription.id, { plan: 'starter' });
  return { subscription, end: periodEnd(await world.show(subscription.id)) };
}

async function prepared(): Promise<{ subscription: WorldSubscription; end: number }> {
  const { subscription, end } = await scheduled();
  await world.advanceTo(end - 5 * HOUR_MS);
  expect(await row.marker(subscription)).toMatchObject({ state: 'prepared' });
  return { subscription, end };
}

test('it is scheduled, then prepared at the provider, and comes with the renewal', async () => {
  const subscription = await row.subscribe({ seats: 2 });
  const { status, body } = await world.change(subscription.id, { plan: 'starter' });
  const shown = await world.show(subscription.id);
  expect([status, body['effective'], body['effectiveAt']]).toEqual([
    200,
    'next_renewal',
    shown.currentPeriodEnd,
  ]);
  const end = periodEnd(shown);
  const opens = new Date(end - 6 * HOUR_MS).toISOString();
  expect(shown['waitingFor']).toBe(
    `The scheduled change is sent to the payment provider at ${opens}; at ${shown.currentPeriodEnd} downgrade to starter × 2.`,
  );
  expect((await row.upcoming(subscription)).slice(0, 3)).toEqual([
    'The scheduled change is sent to the payment provider',
    'Downgrade to starter × 2',
    'The payment provider renews starter × 2 for 20.00 USD',
  ]);

  await world.advanceTo(end - 7 * HOUR_MS);
  expect([await row.billed(subscription), await row.marker(subscription)]).toEqual([
    'price_pro × 2',
    undefined,
  ]);

  await world.advanceTo(end - 5 * HOUR_MS);
  expect(await row.billed(subscription)).toBe('price_starter × 2');
  // The provider's own event of the new price has arrived and changes nothing.
  expect(row.updates(subscription)).toBe(1);
  expect(await row.summary(subscription)).toBe('active, pro × 2, then starter × 2');
  expect(await row.access(subscription)).toBe(1_000);
  expect(row.collected(subscription)).toEqual(['subscription_create 6000']);
  expect(await row.marker(subscription)).toMatchObject({ state: 'prepared', reason: null });
  expect(await row.capabilities(subscription)).toEqual({
    cancel: 'available',
    reactivate: 'not_cancelling',
    planChange: 'renewal_prepared',
    seatChange: 'renewal_prepared',
  });
  const refused = await world.change(subscription.id, { plan: 'large' });
  expect([refused.status, refused.body['code']]).toEqual([409, 'capability_unavailable']);

  await world.advanceTo(end + MINUTE_MS);
  expect(await row.summary(subscription)).toBe('active, starter × 2');
  expect(await row.access(subscription)).toBe(100);
  expect(await row.marker(subscription)).toBeUndefined();
  expect(row.collected(subscription)).toEqual(['subscription_create 6000', 'subscription_cycle 2000']);
  const who = subscription.externalId;
  expect(await row.timeline(subscription)).toMatchObject([
    { kind: 'downgrade_scheduled' },
    {
      kind: 'renewal_prepared',
      message: `${who}'s change to starter × 2 is prepared at the payment provider for the renewal.`,
    },
    {
      kind: 'scheduled_change_applied',
      message: `${who} changed from pro × 2 to starter × 2, as scheduled.`,
    },
    { kind: 'period_turned' },
  ]);
  expect(await row.capabilities(subscription)).toMatchObject({ planChange: 'available' });
});

test('fewer seats likewise, also when no webhook comes', async () => {
  const subscription = await row.subscribe({ seats: 3 });
  row.lose(true);
  const { body } = await world.change(subscription.id, { seats: 1 });
  expect(body['effective']).toBe('next_renewal');
  const end = periodEnd(await world.show(subscription.id));
  await world.advanceTo(end - HOUR_MS);
  expect([await row.billed(subscription), await row.summary(subscription)]).toEqual([
    'price_pro × 1',
    'active, pro × 3, then pro × 1',
  ]);
  await world.advanceTo(end + MINUTE_MS);
  expect(await row.summary(subscription)).toBe('active, pro × 1');
  expect(row.collected(subscription)).toEqual(['subscription_create 9000', 'subscription_cycle 3000']);
});

test.each([
  ['the price', 'price_large', 2],
  ['the quantity', 'price_starter', 3],
])(
  'prepared, it does not come with a renewal that charges something else, because %s was changed in A’s dashboard',
  async (_, price, quantity) => {
    const { subscription, end } = await prepared();
    await row.changePriceAtProvider(subscription, price, quantity);
    await world.advanceTo(end + MINUTE_MS);
    expect(await row.billed(subscription)).toBe(`${price} × ${quantity}`);
    expect(await row.summary(subscription)).toBe('active, pro × 2, then starter × 2');
    expect(await row.access(subscription)).toBe(1_000);
    expect((await row.timeline(subscription)).slice(-2)).toEqual([
      {
        kind: 'scheduled_change_missed',
        message: `${subscription.externalId} renewed on pro × 2: the payment provider no longer shows the change to starter × 2. The change now waits for the next renewal. Compare the subscription with the provider’s and repair what differs.`,
      },
      expect.objectContaining({ kind: 'period_turned' }),
    ]);
    const next = periodEnd(await world.show(subscription.id));
    await world.advanceTo(next - HOUR_MS);
    expect(await row.marker(subscription)).toMatchObject({ state: 'prepared' });
    await world.advanceTo(next + MINUTE_MS);
    expect(await row.summary(subscription)).toBe('active, starter × 2');
  },
);

test('a provider whose clock is ahead does not bring it early', async () => {
  const { subscription, end } = await prepared();
  await world.simulators.core.clock.advanceTo(end + MINUTE_MS);
  await world.settle();
  expect(row.collected(subscription)).toContain('subscription_cycle 2000');
  expect(await row.summary(subscription)).toBe('active, pro × 2, then starter × 2');
  expect(await row.access(subscription)).toBe(1_000);
  await world.advanceTo(end + 2 * MINUTE_MS);
  expect(await row.summary(subscription)).toBe('active, starter × 2');
});

test('withdrawn before it is prepared, the provider hears nothing of it', async () => {
  const { subscription } = await scheduled();
  const { status, body } = await world.withdraw(subscription.id);
  expect([status, body['withdrawn']]).toMatchObject([200, { plan: { slug: 'starter' }, seats: 2 }]);
  expect(await row.summary(subscription)).toBe('active, pro × 2');
  expect(row.updates(subscription)).toBe(0);
});

test('while its connection is disabled, a prepared change cannot be withdrawn, stays prepared, and comes with the renewal', async () => {
  const { subscription, end } = await prepared();
  const setDisabled = async (disabled: boolean): Promise<void> => {
    const path = `/api/provider-connections/${world.connections.provider_a}`;
    expect((await world.operator.patch(path, { body: { disabled } })).status).toBe(200);
  };
  await setDisabled(true);
  try {
    const { body } = await world.operator.get(`/api/billing/subscriptions/${subscription.id}`);
    expect(body['waitingCommands']).toMatchObject({
      withdraw: { change: 'scheduled', available: false, reasonCode: 'connection_disabled' },
    });
    const refused = await world.withdraw(subscription.id);
    expect([refused.status, refused.body['code']]).toEqual([409, 'connection_disabled']);
    await world.settle();
    expect(await row.marker(subscription)).toMatchObject({ state: 'prepared', attempts: 1 });
  } finally {
    await setDisabled(false);
  }
  await world.advanceTo(end + MINUTE_MS);
  expect(await row.summary(subscription)).toBe('active, starter × 2');
});

test('withdrawn while it is prepared, the price is restored without a charge, once', async () => {
  const { subscription, end } = await prepared();
  const key = randomUUID();
  const first = await world.withdraw(subscription.id, key);
  expect(first.status).toBe(200);
  expect((await world.withdraw(subscription.id, key)).body).toEqual(first.body);
  expect([await row.billed(subscription), await row.marker(subscription)]).toEqual([
    'price_pro × 2',
    undefined,
  ]);
  expect(row.updates(subscription)).toBe(2);
  expect(await row.capabilities(subscription)).toMatchObject({ planChange: 'available' });
  await world.advanceTo(end + MINUTE_MS);
  expect(await row.summary(subscription)).toBe('active, pro × 2');
  expect(row.collected(subscription)).toEqual(['subscription_create 6000', 'subscription_cycle 6000']);
});

test('cancelled while it is prepared, the price is restored first, and nothing renews', async () => {
  const { subscription, end } = await prepared();
  const { status, body } = await world.command(subscription.id, 'cancel');
  expect([status, body['effective']]).toEqual([200, 'period_end']);
  expect(body['withdrawn']).toMatchObject({ plan: { slug: 'starter' }, seats: 2 });
  expect(await row.billed(subscription)).toBe('price_pro × 2');
  expect(await row.summary(subscription)).toBe('active, pro × 2, ends');
  // Once reactivated, it is unchanged.
  expect((await world.command(subscription.id, 'reactivate')).status).toBe(200);
  await world.advanceTo(end + MINUTE_MS);
  expect(await row.summary(subscription)).toBe('active, pro × 2');
  expect(row.collected(subscription)).toEqual(['subscription_create 6000', 'subscription_cycle 6000']);
});

test('a new one replaces it, its key answers the same, and two at once leave one', async () => {
  const { subscription } = await scheduled();
  const key = randomUUID();
  const { body } = await world.change(subscription.id, { seats: 1 }, key);
  expect(body['withdrawn']).toMatchObject({ plan: { slug: 'starter' }, seats: 2 });
  expect((await world.change(subscription.id, { seats: 1 }, key)).body).toEqual(body);
  expect(await row.summary(subscription)).toBe('active, pro × 2, then pro × 1');
  const both = await Promise.all([
    world.change(subscription.id, { plan: 'starter' }),
    world.change(subscription.id, { plan: 'starter', seats: 1 }),
  ]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(await row.summary(subscription)).toMatch(/^active, pro × 2, then starter × [12]$/);
  expect(row.updates(subscription)).toBe(0);
});

test('another interval is refused with its reason, because the provider would bill it at once', async () => {
  const subscription = await row.subscribe();
  const before = await row.terms(subscription);
  const yearly = await world.seed.plan(`yearly-${randomUUID().slice(0, 8)}`, [], {
    plan_group_id: world.plans.pro.planGroupId,
    price_amount: 12_000,
    billing_interval: 'year',
    pricing: 'per_seat',
    metadata: JSON.stringify({ providerAPriceId: 'price_yearly' }),
  });
  const { status, body } = await world.command(subscription.id, 'change', { planId: yearly.planId });
  expect([status, body['code']]).toEqual([422, 'interval_change_unsupported']);
  expect(body['detail']).toMatch(/^The subscription is billed by the month, the plan ".+" by the year\.$/);
  expect(await row.terms(subscription)).toEqual(before);
  expect(row.updates(subscription)).toBe(0);
});

test('heard of days after the renewal, it counts from the renewal all the same', async () => {
  const { subscription, end } = await prepared();
  await world.service.database.query('UPDATE tollgate.plan_entitlements SET rollover_periods = 1');
  row.lose(true);
  await world.advanceTo(end + 75 * HOUR_MS);
  expect(await row.summary(subscription)).toBe('active, starter × 2');
  const terms = await world.service.database.query<{ until: number }>(
    'SELECT DISTINCT until FROM tollgate.former_entitlement_terms WHERE subscription_id = $1 ORDER BY until DESC',
    [subscription.id],
  );
  expect(new Date(terms[0]?.until ?? 0).toISOString()).toBe(new Date(end).toISOString());
});
