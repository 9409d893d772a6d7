import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import { periodEnd } from '../support/provider-row';
import { plansAtB } from '../support/provider-shop';
import type { PlanName, WorldSubscription } from '../support/provider-world';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { useProviderRow } from '../support/use-provider-world';

/** Section 3, provider B: a confirmed change is applied at the renewal boundary, without proration. */
const { world, row } = useProviderRow();

async function ask(sub: WorldSubscription, wanted: { plan?: PlanName; seats?: number }): Promise<string> {
  const { status, body } = await world.change(sub.id, wanted);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return String(body['approvalUrl']);
}

async function paymentsOf({ externalId }: WorldSubscription): Promise<string[]> {
  const rows = await world.service.database.query<{ amount: string }>(
    `SELECT p.amount FROM tollgate.payments p JOIN tollgate.customers c ON c.id = p.customer_id
      WHERE c.external_id = $1 ORDER BY p.received_at`,
    [externalId],
  );
  return rows.map(({ amount }) => amount);
}

test('the webhook of the approval confirms it; plan, seats and access wait for the boundary', async () => {
  const sub = await world.subscribe('provider_b', { seats: 2 });
  const before = await world.show(sub.id);
  await world.pay('provider_b', await ask(sub, { plan: 'large', seats: 3 }));
  await world.settle();
  expect(await world.atProvider(sub)).toMatchObject({ planReference: 'P-LARGE', quantity: 3 });
  const confirmed = await world.show(sub.id);
  expect(confirmed).toMatchObject({
    plan: { slug: 'pro' },
    seats: 2,
    currentPeriodEnd: before.currentPeriodEnd,
    pendingApproval: null,
    scheduledChange: { plan: { slug: 'large' }, seats: 3 },
    waitingFor: `The billing period ends at ${before.currentPeriodEnd}, when the subscription is checked at the payment provider; then change to large × 3.`,
  });
  expect(await row.access(sub)).toBe(1_000);
  expect(await row.capabilities(sub)).toMatchObject({ cancel: 'available', planChange: 'available' });
  expect((await row.upcoming(sub)).slice(0, 2)).toEqual([
    'Change to large × 3',
    'The payment provider renews large × 3 for 270.00 USD',
  ]);
  expect(await row.events(sub, 'change_confirmed')).toEqual(['OK']);

  await world.advanceTo(periodEnd(before) - MINUTE_MS);
  expect(await world.show(sub.id)).toMatchObject({ plan: { slug: 'pro' }, seats: 2 });
  expect(await row.access(sub)).toBe(1_000);
  await world.advanceTo(periodEnd(before) + MINUTE_MS);
  const renewed = await world.show(sub.id);
  expect(renewed).toMatchObject({
    plan: { slug: 'large' },
    seats: 3,
    currentPeriodStart: before.currentPeriodEnd,
    scheduledChange: null,
  });
  expect(await row.access(sub)).toBe(10_000);
  expect(await paymentsOf(sub)).toEqual(['6000', '27000']);
  expect((await row.timeline(sub)).slice(1)).toEqual([
    {
      kind: 'change_confirmed',
      message: `${sub.externalId} confirmed the change to large × 3, which takes effect at the next renewal.`,
    },
    {
      kind: 'scheduled_change_applied',
      message: `${sub.externalId} changed from pro × 2 to large × 3, as scheduled.`,
    },
    {
      kind: 'period_turned',
      message: `The payment provider renewed ${sub.externalId}'s large × 3; the period lasts until ${renewed.currentPeriodEnd}.`,
    },
  ]);
  const transactions = await world.operator.get('/api/billing/transactions', {
    query: { subscriptionId: sub.id },
  });
  expect((transactions.body['data'] as { kind: string }[]).map(({ kind }) => kind)).not.toContain(
    'proration',
  );
});

test('when the webhook never comes, the subscription is read back, and that confirms it', async () => {
  const sub = await world.subscribe('provider_b');
  const page = await ask(sub, { plan: 'large' });
  row.lose(true);
  await world.pay('provider_b', page);
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ scheduledChange: null });
  await world.advanceBy(11 * MINUTE_MS);
  expect(await world.show(sub.id)).toMatchObject({
    plan: { slug: 'pro' },
    pendingApproval: null,
    scheduledChange: { plan: { slug: 'large' } },
  });
  expect(await row.kinds(sub)).toEqual(['change_requested', 'change_confirmed']);
});

test('approved with every webhook lost, and looked at first at the boundary: it comes there all the same', async () => {
  const sub = await world.subscribe('provider_b');
  const end = periodEnd(await world.show(sub.id));
  await world.advanceTo(end - 5 * MINUTE_MS);
  const page = await ask(sub, { plan: 'large' });
  row.lose(true);
  await world.pay('provider_b', page);
  await world.advanceTo(end + 2 * MINUTE_MS);
  expect(await world.show(sub.id)).toMatchObject({ plan: { slug: 'large' }, scheduledChange: null });
  expect(await row.access(sub)).toBe(10_000);
  expect(await row.kinds(sub)).toEqual([
    'change_requested',
    'change_confirmed',
    'scheduled_change_applied',
    'period_turned',
  ]);
});

/** Makes provider B add a tax to the prices of its plans. */
function addTax(percentage: string): void {
  const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
  world.simulators.providers.b.account({ clientId, clientSecret, plans: plansAtB(percentage) });
}

test.each([
  ['', '0', '9000'],
  [', and when B adds a tax', '7.25', '9653'],
])(
  'approved after the renewal was charged, it waits for the next one, also when both are told in one%s',
  async (_, tax, charged) => {
    addTax(tax);
    const sub = await world.subscribe('provider_b');
    const end = periodEnd(await world.show(sub.id));
    await world.advanceTo(end - DAY_MS);
    const page = await ask(sub, { plan: 'large' });
    // The subscription is polled here before the provider has charged; the charge's webhooks are then lost until the
    // approval.
    const clock = { organizationId: world.operator.workspaceId, env: 'sandbox' };
    const body = { to: new Date(end + 1000).toISOString() };
    await world.operator.post('/api/sandbox/clock', { body, env: null, query: clock });
    await world.settle();
    row.lose(true);
    await world.simulators.core.clock.advanceTo(end + 1000);
    await deliverWebhooks(world.simulators.core.outbox);
    row.lose(false);
    await world.pay('provider_b', page);
    await world.settle();
    const renewed = await world.show(sub.id);
    expect(renewed).toMatchObject({ plan: { slug: 'pro' }, scheduledChange: { plan: { slug: 'large' } } });
    expect([await row.access(sub), (await row.kinds(sub)).slice(-2)]).toEqual([
      1_000,
      ['change_confirmed', 'period_turned'],
    ]);
    await world.advanceTo(periodEnd(renewed) + MINUTE_MS);
    expect(await row.access(sub)).toBe(10_000);
    addTax('0');
    expect((await paymentsOf(sub)).slice(-1)).toEqual([charged]);
  },
);

test('at a boundary that comes before the approval, the plan of now renews, and the request waits on', async () => {
  const sub = await world.subscribe('provider_b');
  const end = periodEnd(await world.show(sub.id));
  await world.advanceTo(end - HOUR_MS);
  const page = await ask(sub, { plan: 'large' });
  await world.advanceTo(end + MINUTE_MS);
  const renewed = await world.show(sub.id);
  expect(renewed).toMatchObject({
    plan: { slug: 'pro' },
    pendingApproval: { plan: { slug: 'large' } },
  });
  expect(periodEnd(renewed)).toBeGreaterThan(end);
  await world.pay('provider_b', page);
  await world.settle();
  await world.advanceTo(periodEnd(renewed) - MINUTE_MS);
  expect(await row.access(sub)).toBe(1_000);
  await world.advanceTo(periodEnd(renewed) + MINUTE_MS);
  expect(await row.access(sub)).toBe(10_000);
  expect(await paymentsOf(sub)).toEqual(['3000', '3000', '9000']);
});

test('a renewal that is not paid brings nothing until it is', async () => {
  const sub = await world.subscribe('provider_b');
  const end = periodEnd(await world.show(sub.id));
  await world.pay('provider_b', await ask(sub, { plan: 'large' }));
  await world.settle();
  const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
  const { switches } = world.simulators.providers.b.account({ clientId, clientSecret });
  switches.failPayments = true;
  await world.advanceTo(end + MINUTE_MS);
  switches.failPayments = false;
  expect(await world.show(sub.id)).toMatchObject({
    status: 'past_due',
    plan: { slug: 'pro' },
    scheduledChange: { plan: { slug: 'large' } },
  });
  expect(await row.access(sub)).toBe(1_000);
  expect(await row.capabilities(sub)).toMatchObject({ planChange: 'payment_past_due', cancel: 'available' });
  await world.advanceBy(6 * DAY_MS);
  expect(await world.show(sub.id)).toMatchObject({ status: 'active', plan: { slug: 'large' } });
  expect(await row.access(sub)).toBe(10_000);
});
