import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import { actAtProviderB, captureAtProviderB, forgiveAtProviderB } from '../support/act-at-provider-b';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { ProviderARow } from '../support/provider-a-row';
import { periodEnd } from '../support/provider-row';
import type { WorldSubscription } from '../support/provider-world';
import { useProviderWorld } from '../support/use-provider-world';
import type { PaymentProvider } from '../../src/domain/provider';

const world = useProviderWorld();
const row = new ProviderARow(world);
afterEach(() => row.endAll());

/** Sets whether the customer's card or wallet pays from now on. */
async function takeMoney(subscription: WorldSubscription, taken: boolean): Promise<void> {
  if (subscription.provider === 'provider_a') return row.setCard(subscription, taken ? 'pays' : 'declines');
  const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
  world.simulators.providers.b.account({ clientId, clientSecret }).switches.failPayments = !taken;
}

/** Creates a subscription whose renewal was not paid; `unpaidAt` is the time of that renewal. */
async function pastDue(
  provider: PaymentProvider,
): Promise<{ subscription: WorldSubscription; unpaidAt: number }> {
  const subscription = await world.subscribe(provider);
  await takeMoney(subscription, false);
  const unpaidAt = periodEnd(await world.show(subscription.id));
  await world.advanceTo(unpaidAt + MINUTE_MS);
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

/** Returns what was paid, in minor units, in the order of the payments. */
async function amounts({ id }: WorldSubscription): Promise<number[]> {
  const rows = await world.service.database.query<{ amount: string }>(
    `SELECT amount FROM tollgate.payments
     WHERE subscription_id = $1 AND status = 'succeeded' ORDER BY received_at`,
    [id],
  );
  return rows.map(({ amount }) => Number(amount));
}

test.each([
  // Days until the provider collects again. Until then A is read every hour, and B every six hours.
  ['provider_a', 3],
  ['provider_b', 5],
] as const)(
  'what %s collects later is known by the next reading, where no webhook says so',
  async (provider, days) => {
    const { subscription, unpaidAt } = await pastDue(provider);
    row.lose(true);
    await takeMoney(subscription, true);
    const collectedAt = unpaidAt + days * DAY_MS;
    // Provider B has not turned the unpaid period, so it is also read for that, by then every six hours.
    for (const hours of [5, 4, 2.5, 0.5]) await world.advanceTo(collectedAt - hours * HOUR_MS);
    await world.advanceTo(collectedAt + 5 * MINUTE_MS);
    expect([
      (await world.atProvider(subscription)).status,
      (await world.show(subscription.id)).status,
    ]).toEqual(['active', 'past_due']);
    const before = await payments(subscription);
    await world.advanceTo(collectedAt + HOUR_MS + 10 * MINUTE_MS);
    expect((await world.show(subscription.id)).status).toBe('active');
    expect(await payments(subscription)).toBe(before + 1);
    // A begins the period before it is paid, and B when it is.
    expect(await row.kinds(subscription)).toEqual(
      provider === 'provider_a'
        ? ['period_turned', 'became_past_due', 'payment_failed', 'recovered']
        : ['became_past_due', 'period_turned', 'recovered'],
    );
  },
);

test.each([false, true])(
  'an invoice that is marked as paid elsewhere in A’s dashboard is paid (webhooks lost: %s)',
  async (lost) => {
    const { subscription } = await pastDue('provider_a');
    row.lose(lost);
    await row.endOpenInvoices(subscription, 'paid');
    await world.advanceBy(HOUR_MS + MINUTE_MS);
    expect((await world.show(subscription.id)).status).toBe('active');
    expect(await payments(subscription)).toBe(2);
    expect(await row.kinds(subscription)).toEqual([
      'period_turned',
      'became_past_due',
      'payment_failed',
      'recovered',
    ]);
  },
);

test('a failed attempt that is reported after its invoice was paid elsewhere is no failure any more', async () => {
  const { outbox } = world.simulators.core;
  const subscription = await row.subscribe();
  await row.setCard(subscription, 'declines');
  row.lose(true);
  await world.moveClocks(periodEnd(await world.show(subscription.id)) + HOUR_MS);
  await row.endOpenInvoices(subscription, 'paid');
  await deliverWebhooks(outbox);
  row.lose(false);
  for (const event of ['payment_intent.payment_failed', 'invoice.payment_failed', 'invoice.paid']) {
    outbox.resend(outbox.deliveries.findLast((sent) => sent.event === event)?.id ?? '');
    await deliverWebhooks(outbox);
  }
  await world.settle();
  expect(await payments(subscription)).toBe(2);
  expect(await row.kinds(subscription)).toEqual(['period_turned']);
});

test('a subscription that was suspended at provider B in a period that is paid has access until its end', async () => {
  await world.operator.patch('/api/billing/settings', { body: { graceDays: 2, expireAfterDays: 20 } });
  const subscription = await world.subscribe('provider_b');
  const end = periodEnd(await world.show(subscription.id));
  await world.advanceTo(end - 20 * DAY_MS);
  await actAtProviderB(world, subscription, 'suspend');
  const paidUntil = new Date(end).toISOString();
  expect(await world.show(subscription.id)).toMatchObject({ status: 'past_due', pastDueSince: paidUntil });
  expect(await row.timeline(subscription)).toEqual([
    {
      kind: 'became_past_due',
      message: `The payments of ${subscription.externalId}'s pro are suspended at the payment provider; it is paid until ${paidUntil}.`,
    },
  ]);
  await world.advanceTo(end - HOUR_MS);
  expect(await row.access(subscription)).toBe(1_000);
  await world.advanceTo(end + 2 * DAY_MS + HOUR_MS);
  expect(await row.access(subscription)).toBe('subscription_past_due');
  await actAtProviderB(world, subscription, 'activate');
  expect(await row.access(subscription)).toBe(1_000);
  expect(await row.kinds(subscription)).toEqual(['became_past_due', 'period_turned', 'recovered']);
});

test('a suspension at provider B that comes to light after the paid period is not a failed payment', async () => {
  const subscription = await world.subscribe('provider_b');
  const end = periodEnd(await world.show(subscription.id));
  await world.advanceTo(end - 20 * DAY_MS);
  const { switches } = world.simulators.core.outbox;
  switches.drop = true;
  await actAtProviderB(world, subscription, 'suspend');
  await world.advanceTo(end + HOUR_MS);
  switches.drop = false;
  expect(await row.timeline(subscription)).toEqual([
    {
      kind: 'became_past_due',
      message: `The payments of ${subscription.externalId}'s pro are suspended at the payment provider; it is paid until ${new Date(end).toISOString()}.`,
    },
  ]);
});

test('a failure that is reported after the status it caused is no other event', async () => {
  const subscription = await world.subscribe('provider_a');
  await takeMoney(subscription, false);
  row.lose(true);
  const { outbox } = world.simulators.core;
  const end = periodEnd(await world.show(subscription.id));
  await row.passTo(end + MINUTE_MS);
  row.lose(false);
  for (const event of ['customer.subscription.updated', 'invoice.payment_failed']) {
    const sent = outbox.deliveries.findLast((one) => {
      return one.event === event && one.body.includes(subscription.reference);
    });
    expect(outbox.resend(sent?.id ?? '')).toBe(true);
    await deliverWebhooks(outbox);
  }
  expect(await row.kinds(subscription)).toEqual(['period_turned', 'became_past_due', 'payment_failed']);
});

test('a provider that cannot be read is read at the next time, without an event for each try', async () => {
  const { subscription, unpaidAt } = await pastDue('provider_a');
  row.break('provider_a', `/v1/subscriptions/${subscription.reference}`, 'answer_500');
  const before = await row.kinds(subscription);
  for (const hours of [2, 4, 6]) await world.advanceTo(unpaidAt + hours * HOUR_MS);
  expect(await row.kinds(subscription)).toEqual(before);
  expect(await row.events(subscription, 'provider_not_read')).toEqual([]);
  row.hearAgain();
  row.lose(true);
  await takeMoney(subscription, true);
  await world.advanceTo(unpaidAt + 3 * DAY_MS + HOUR_MS);
  expect((await world.show(subscription.id)).status).toBe('active');
});

test('a change in provider A’s console whose charge fails is a failed payment, and is past due', async () => {
  const subscription = await world.subscribe('provider_a');
  await takeMoney(subscription, false);
  const before = (await row.kinds(subscription)).length;
  await row.changePriceAtProvider(subscription, 'price_large', 1, 'always_invoice');
  await world.settle();
  expect((await world.show(subscription.id)).status).toBe('past_due');
  expect((await row.kinds(subscription)).slice(before).toSorted()).toEqual([
    'became_past_due',
    'payment_failed',
  ]);
  await takeMoney(subscription, true);
  row.payOpenInvoices(subscription);
  await deliverWebhooks(world.simulators.core.outbox);
  expect((await world.show(subscription.id)).status).toBe('active');
  expect(await payments(subscription)).toBe(2);
});

test('a trial that the provider grants later is no renewal', async () => {
  const subscription = await world.subscribe('provider_a');
  const before = (await row.kinds(subscription)).length;
  const end = periodEnd(await world.show(subscription.id)) + 5 * DAY_MS;
  await row.updateAtProvider(subscription, { trial_end: String(end / 1_000), proration_behavior: 'none' });
  expect(await world.show(subscription.id)).toMatchObject({ status: 'trialing' });
  expect((await row.kinds(subscription)).slice(before)).toEqual(['provider_changed']);
});

test('a payment that a command finds first is reported once', async () => {
  const { subscription, unpaidAt } = await pastDue('provider_a');
  await world.advanceTo(unpaidAt + 2 * HOUR_MS);
  row.lose(true);
  row.payOpenInvoices(subscription);
  expect((await world.command(subscription.id, 'cancel')).status).toBe(200);
  await row.deliverLost();
  await world.settle();
  expect(await row.summary(subscription)).toBe('active, pro × 1, ends');
  const kinds = await row.kinds(subscription);
  expect(kinds.filter((kind) => !kind.startsWith('payment_')).slice(-2)).toEqual([
    'recovered',
    'cancel_scheduled',
  ]);
});

test('the timeline foresees the readings once', async () => {
  const { subscription } = await pastDue('provider_a');
  const upcoming = await row.upcoming(subscription);
  expect(upcoming.filter((message) => message.includes('past-due payment'))).toHaveLength(1);
  expect(upcoming[1]).toMatch(/^The payment provider renews/);
});

describe('a customer who returns from paying', () => {
  const open = (path: string): Promise<Response> => fetch(`${world.service.urls.sandbox}${path}`);
  const pathOf = async (id: string): Promise<string> => {
    const connection = await world.operator.get(`/api/provider-connections/${world.connections.provider_a}`);
    const address = String(connection.body['customerReturnUrl']).replace('{subscriptionId}', id);
    return new URL(address).pathname;
  };
  const pokes = () =>
    world.service.database.query<{ key: string }>(
      `SELECT key FROM graphile_worker.jobs WHERE task_identifier = 'poke-subscription'`,
    );

  test('has access at once, even if no webhook reports the payment', async () => {
    const { subscription, unpaidAt } = await pastDue('provider_a');
    await world.advanceTo(unpaidAt + 2 * HOUR_MS);
    row.lose(true);
    row.payOpenInvoices(subscription);
    await world.settle();
    expect((await world.show(subscription.id)).status).toBe('past_due');
    await world.service.database.query('DELETE FROM graphile_worker._private_jobs');
    const page = await open(`${await pathOf(subscription.id)}?session_id=cs_1`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await pokes()).toEqual([{ key: `subscription/sandbox/${subscription.id}` }]);
    await world.settle();
    expect((await world.show(subscription.id)).status).toBe('active');
    expect(await payments(subscription)).toBe(2);
  });

  test('is read once a minute at most, and unauthenticated callers cause no read and learn nothing', async () => {
    const { subscription } = await pastDue('provider_a');
    await world.service.database.query('DELETE FROM graphile_worker._private_jobs');
    const path = await pathOf(subscription.id);
    const version = async () => (await world.show(subscription.id))['version'];
    const before = Number(await version());
    const pages = new Set<string>();
    const others = [path.replace('sub_', 'sub_0'), path.replace('org_', 'org_0'), '/checkout/return/a/b%00c'];
    for (const other of others) {
      const page = await open(other);
      pages.add(`${page.status} ${await page.text()}`);
    }
    expect([await version(), await pokes()]).toEqual([before, []]);
    for (let count = 0; count < 40; count += 1) {
      const page = await open(path);
      pages.add(`${page.status} ${await page.text()}`);
    }
    expect([...pages]).toHaveLength(1);
    expect(await version()).toBe(before + 1);
    expect(await pokes()).toHaveLength(1);
  });
});

test('a renewal that was never paid begins its period too, when provider B goes on to the next payment', async () => {
  const { subscription, unpaidAt } = await pastDue('provider_b');
  await world.advanceTo(unpaidAt + 11 * DAY_MS);
  await takeMoney(subscription, true);
  await actAtProviderB(world, subscription, 'activate');
  const { currentPeriodEnd } = await world.atProvider(subscription);
  const shown = await world.show(subscription.id);
  // B calls it active, but it is still owed until a payment succeeds.
  expect(shown.status).toBe('past_due');
  expect([Date.parse(shown.currentPeriodStart), Date.parse(shown.currentPeriodEnd)]).toEqual([
    unpaidAt,
    currentPeriodEnd,
  ]);
  expect(await row.kinds(subscription)).toEqual(['became_past_due', 'period_turned']);
  const paid = await amounts(subscription);
  await world.advanceTo(currentPeriodEnd ?? 0);
  await world.advanceBy(MINUTE_MS);
  expect((await world.show(subscription.id)).status).toBe('active');
  const [price = 0] = paid;
  expect(await amounts(subscription)).toEqual([...paid, 2 * price]);
});

test('what provider B owed for a failed payment is paid once its merchant has captured it', async () => {
  const { subscription, unpaidAt } = await pastDue('provider_b');
  await world.advanceTo(unpaidAt + 11 * DAY_MS);
  await takeMoney(subscription, true);
  const [price = 0] = await amounts(subscription);
  await captureAtProviderB(world, subscription, (price / 100).toFixed(2));
  expect(await amounts(subscription)).toEqual([price, price]);
  await actAtProviderB(world, subscription, 'activate');
  const { currentPeriodEnd } = await world.atProvider(subscription);
  const shown = await world.show(subscription.id);
  expect([shown.status, Date.parse(shown.currentPeriodStart), Date.parse(shown.currentPeriodEnd)]).toEqual([
    'active',
    unpaidAt,
    currentPeriodEnd,
  ]);
});

test('what provider B owed and its merchant has set to zero is not past due, without a payment', async () => {
  const { subscription, unpaidAt } = await pastDue('provider_b');
  await world.advanceTo(unpaidAt + 11 * DAY_MS);
  await takeMoney(subscription, true);
  await actAtProviderB(world, subscription, 'activate');
  expect((await world.show(subscription.id)).status).toBe('past_due');
  await forgiveAtProviderB(world, subscription);
  expect((await world.show(subscription.id)).status).toBe('active');
  expect(await row.access(subscription)).toBe(1_000);
  // Nor is a payment of this period missing.
  const drift = await world.operator.get(`/api/billing/subscriptions/${subscription.id}/drift`);
  expect(drift.body).toMatchObject({ inSync: true, differences: [] });
});

test('a payment at provider B that is being retried is past due, and suspended meanwhile it is not a paid period', async () => {
  const { subscription, unpaidAt } = await pastDue('provider_b');
  expect(await row.access(subscription)).toBe(1_000);
  await actAtProviderB(world, subscription, 'suspend');
  expect(await world.show(subscription.id)).toMatchObject({ status: 'past_due' });
  await world.advanceTo(unpaidAt + 8 * DAY_MS);
  expect(await row.access(subscription)).toBe('subscription_past_due');
});

test('the first period at provider B begins with the subscription, also if its first payment is late', async () => {
  const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
  const { switches } = world.simulators.providers.b.account({ clientId, clientSecret });
  switches.failPayments = true;
  const subscription = await world.subscribe('provider_b', { status: 'past_due' });
  const owed = await world.show(subscription.id);
  // It is not over, although its payment is still due at B.
  expect(Date.parse(owed.currentPeriodEnd)).toBeGreaterThan(
    Date.parse(owed.currentPeriodStart) + 27 * DAY_MS,
  );
  switches.failPayments = false;
  await world.advanceBy(5 * DAY_MS + MINUTE_MS);
  const { currentPeriodEnd } = await world.atProvider(subscription);
  const shown = await world.show(subscription.id);
  expect(shown.status).toBe('active');
  // B keeps no fractions of a second.
  expect(shown.currentPeriodStart.slice(0, 19)).toBe(String(owed['billingAnchor']).slice(0, 19));
  expect(Date.parse(shown.currentPeriodEnd)).toBe(currentPeriodEnd);
  expect(await row.kinds(subscription)).toEqual(['became_past_due', 'recovered']);
});
