import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { actAtProviderB } from '../support/act-at-provider-b';
import { periodEnd, ProviderRow } from '../support/provider-row';
import { plansAtB } from '../support/provider-shop';
import type { WorldSubscription } from '../support/provider-world';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { useProviderWorld } from '../support/use-provider-world';

/**
 * Section 6.2, provider B, subscription webhook: "When verified and it confirms the new provider plan, the prepared
 * local plan change is applied at the renewal boundary."
 */
const world = useProviderWorld();
const row = new ProviderRow(world);
afterEach(() => {
  Object.assign(switches(), { duplicate: false, reorder: false, tamper: false });
  return row.endAll();
});
const UPDATED = 'BILLING.SUBSCRIPTION.UPDATED';
const VERIFY = '/v1/notifications/verify-webhook-signature';

function switches() {
  return world.simulators.core.outbox.switches;
}

function account() {
  const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
  return world.simulators.providers.b.account({ clientId, clientSecret });
}

/** Limits the plans to a number of billing cycles; 0: unlimited. */
function sellCycles(totalCycles: number): void {
  const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
  const plans = plansAtB().map((plan) => ({ ...plan, totalCycles }));
  world.simulators.providers.b.account({ clientId, clientSecret, plans });
}

/** Creates a subscription that waits for the approval of `large`. Returns it with the approval page. */
async function requestedChange(): Promise<{ sub: WorldSubscription; page: string }> {
  const sub = await world.subscribe('provider_b');
  const { body } = await world.change(sub.id, { plan: 'large' });
  return { sub, page: String(body['approvalUrl']) };
}

/** Sends a genuinely signed event, whatever the subscription's state. Returns the statuses of the answers. */
async function send({ reference }: WorldSubscription, type: string, resource: object = {}) {
  const full = { id: reference, status: 'ACTIVE', plan_id: 'P-PRO', quantity: '1', ...resource };
  const event = { type, resourceType: 'subscription', summary: 'Told', resource: full };
  const id = account().send(event);
  await world.settle();
  return answersTo(id);
}

function answersTo(id: string): (number | undefined)[] {
  const { deliveries } = world.simulators.core.outbox;
  return (deliveries.find((delivery) => delivery.id === id)?.attempts ?? []).map(({ status }) => status);
}

/** Returns the audited webhooks, newest first, with their statuses and changes. */
async function audited(): Promise<Record<string, unknown>[]> {
  const { body } = await world.operator.get('/api/webhooks', { query: { provider: 'provider_b' } });
  return body['data'] as Record<string, unknown>[];
}

/** Returns the developer events of failed webhooks. */
async function failures(): Promise<unknown[]> {
  const query = { eventType: 'WEBHOOK_PROCESSED', status: 'ERROR' };
  return (await world.operator.get('/api/developer-events', { query })).body['data'] as unknown[];
}

test('one that shows the new plan confirms it, and is in the audit; the boundary applies it', async () => {
  const { sub, page } = await requestedChange();
  const end = periodEnd(await world.show(sub.id));
  await world.pay('provider_b', page);
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({
    plan: { slug: 'pro' },
    scheduledChange: { plan: { slug: 'large' } },
  });
  expect((await audited())[0]).toMatchObject({
    eventType: UPDATED,
    status: 'applied',
    changes: expect.arrayContaining([
      expect.objectContaining({ field: 'scheduledPlanId', to: world.plans.large.planId }),
    ]) as unknown,
  });
  await world.advanceTo(end + 60_000);
  expect(await row.access(sub)).toBe(10_000);
});

test.each([
  ['with the old plan', {}],
  ['with another plan', { plan_id: 'P-STARTER' }],
  ['with the new plan and other seats', { plan_id: 'P-LARGE', quantity: '7' }],
  ['that says the new plan, where the subscription does not show it', { plan_id: 'P-LARGE' }],
])('one %s confirms nothing', async (_, resource) => {
  const { sub } = await requestedChange();
  const before = await row.terms(sub);
  expect(await send(sub, UPDATED, resource)).toEqual([200]);
  expect(await row.terms(sub)).toEqual(before);
  expect(await row.kinds(sub)).toEqual(['change_requested']);
});

test('repeated and out of order, it confirms once', async () => {
  const { sub, page } = await requestedChange();
  Object.assign(switches(), { duplicate: true, reorder: true });
  await world.pay('provider_b', page);
  account().send({
    type: UPDATED,
    resourceType: 'subscription',
    summary: 'Told',
    resource: { id: sub.reference, status: 'ACTIVE', plan_id: 'P-PRO', quantity: '1' },
  });
  await world.settle();
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ scheduledChange: { plan: { slug: 'large' } } });
  expect(await row.kinds(sub)).toEqual(['change_requested', 'change_confirmed']);
});

test('one that is not what the provider has signed confirms nothing, and stands in the audit as failed', async () => {
  const { sub, page } = await requestedChange();
  const before = await row.terms(sub);
  const earlier = await failures();
  switches().tamper = true;
  await world.pay('provider_b', page);
  await world.settle();
  const { deliveries } = world.simulators.core.outbox;
  const last = deliveries.filter(({ event }) => event === UPDATED).at(-1);
  expect(last?.attempts.at(-1)?.status).toBeGreaterThanOrEqual(400);
  expect(await row.terms(sub)).toEqual(before);
  expect((await failures()).length).toBeGreaterThan(earlier.length);

  switches().tamper = false;
  await world.simulators.core.outbox.retryNow();
  await world.settle();
  expect(await row.kinds(sub)).toEqual(['change_requested', 'change_confirmed']);
});

test.each([
  ['the provider cannot be asked whether it is genuine', () => VERIFY],
  [
    'the subscription cannot be read',
    (sub: WorldSubscription) => `/v1/billing/subscriptions/${sub.reference}`,
  ],
])('while %s, nothing is confirmed; delivered again, it is', async (_, path) => {
  const { sub, page } = await requestedChange();
  const before = await row.terms(sub);
  row.break('provider_b', path(sub), 'answer_500');
  await world.pay('provider_b', page);
  await deliverWebhooks(world.simulators.core.outbox);
  const deliveries = world.simulators.core.outbox.deliveries.filter(
    ({ event, body }) => event === UPDATED && body.includes(sub.reference),
  );
  expect(deliveries.at(-1)?.attempts.at(-1)?.status).toBeGreaterThanOrEqual(500);
  expect(await row.terms(sub)).toEqual(before);
  row.hearAgain();
  await world.simulators.core.outbox.retryNow();
  await world.settle();
  expect(await row.kinds(sub)).toEqual(['change_requested', 'change_confirmed']);
});

test('one about a subscription that is not known here changes nothing', async () => {
  const { sub } = await requestedChange();
  const before = await row.terms(sub);
  expect(await send({ ...sub, reference: `I-${randomUUID()}` }, UPDATED, { plan_id: 'P-LARGE' })).toEqual([
    200,
  ]);
  expect(await row.terms(sub)).toEqual(before);
});

test('one of a cancellation on the provider’s own pages ends it here, with what was waited for', async () => {
  const { sub } = await requestedChange();
  const { adapter, access } = await world.open('provider_b');
  const { reference } = sub;
  await adapter.cancelSubscription(access, { key: randomUUID(), repeated: false, reference, reason: 'Own.' });
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled', pendingApproval: null });
  expect(await row.access(sub)).toBe('no_active_subscription');
  expect((await row.timeline(sub)).at(-1)).toEqual({
    kind: 'cancelled',
    message: `${sub.externalId}'s pro was cancelled at the payment provider.`,
  });
});

test.each([
  ['an end', 'cancel', 'cancelled'],
  ['a suspension', 'suspend', 'past_due'],
] as const)(
  'one of %s that the provider does not show yet has it read again in some minutes',
  async (_, act, status) => {
    const sub = await world.subscribe('provider_b');
    await world.atProvider(sub);
    world.fault('provider_b', `/v1/billing/subscriptions/${sub.reference}/${act}`, 'none');
    world.fault('provider_b', `/v1/billing/subscriptions/${sub.reference}`, 'answer_stale');
    await actAtProviderB(world, sub, act);
    await world.settle();
    expect(await world.show(sub.id)).toMatchObject({
      status: 'active',
      waitingFor: expect.stringMatching(/^The subscription is checked at the payment provider at /) as string,
    });
    expect(await row.kinds(sub)).toEqual([]);
    await world.advanceBy(6 * 60_000);
    expect((await world.show(sub.id)).status).toBe(status);
  },
);

test('one of an end after a boundary at which the provider has not renewed yet has it read again in some minutes, too', async () => {
  const sub = await world.subscribe('provider_b');
  const { currentPeriodEnd } = await world.show(sub.id);
  await world.atProvider(sub);
  row.lose(true);
  row.break('provider_b', `/v1/billing/subscriptions/${sub.reference}`, 'answer_stale');
  await world.advanceTo(Date.parse(currentPeriodEnd));
  // The next read is six hours later.
  for (const minutes of [5, 15, 60]) await world.advanceBy(minutes * 60_000);
  row.lose(false);
  world.fault('provider_b', `/v1/billing/subscriptions/${sub.reference}/cancel`, 'none');
  await actAtProviderB(world, sub, 'cancel');
  await world.settle();
  expect((await world.show(sub.id)).status).toBe('active');
  row.hearAgain();
  await world.advanceBy(6 * 60_000);
  expect((await world.show(sub.id)).status).toBe('cancelled');
});

test('one whose last billing cycle is over ends as cancelled, not as unpaid', async () => {
  const sub = await world.subscribe('provider_b');
  const end = periodEnd(await world.show(sub.id));
  sellCycles(1);
  try {
    await world.advanceTo(end + 60_000);
  } finally {
    sellCycles(0);
  }
  expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled' });
  expect((await row.timeline(sub)).at(-1)).toEqual({
    kind: 'cancelled',
    message: `${sub.externalId}'s pro ended at the payment provider after its last billing cycle.`,
  });
});

test('one that B expires with its last charge is served until the end of the period that this pays', async () => {
  const sub = await world.subscribe('provider_b');
  const end = periodEnd(await world.show(sub.id));
  sellCycles(2);
  try {
    await world.advanceTo(end + 60_000);
  } finally {
    sellCycles(0);
  }
  expect(await world.atProvider(sub)).toMatchObject({ status: 'cancelled' });
  const last = await world.show(sub.id);
  expect(last).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
  expect(Date.parse(last.currentPeriodStart)).toBe(end);
  expect(periodEnd(last)).toBeGreaterThan(end + 27 * 86_400_000);
  expect(await row.access(sub)).toBe(1_000);
  const drift = await world.operator.get(`/api/billing/subscriptions/${sub.id}/drift`);
  expect(drift.body).toMatchObject({ inSync: true });
  await world.advanceTo(periodEnd(last) + 60_000);
  expect(await world.show(sub.id)).toMatchObject({ status: 'cancelled' });
});

test('one that B has expired with its last charge while it could not be read is served in the period that this pays', async () => {
  const sub = await world.subscribe('provider_b');
  const end = periodEnd(await world.show(sub.id));
  row.lose(true);
  row.break('provider_b', `/v1/billing/subscriptions/${sub.reference}`, 'answer_500');
  sellCycles(3);
  try {
    await world.advanceTo(end + 40 * DAY_MS);
  } finally {
    sellCycles(0);
  }
  row.hearAgain();
  await world.advanceBy(6 * HOUR_MS);
  expect(await world.atProvider(sub)).toMatchObject({ status: 'cancelled' });
  const last = await world.show(sub.id);
  expect(last).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
  expect(Date.parse(last.currentPeriodStart)).toBeGreaterThan(end + 27 * DAY_MS);
  expect(await row.access(sub)).toBe(1_000);
  const drift = await world.operator.get(`/api/billing/subscriptions/${sub.id}/drift`);
  expect(drift.body).toMatchObject({ inSync: true });
});

test('one that is taken up again after months begins the period that B is in, not one of all those months', async () => {
  const sub = await world.subscribe('provider_b');
  const end = periodEnd(await world.show(sub.id));
  await actAtProviderB(world, sub, 'suspend');
  await world.advanceTo(end + 80 * 86_400_000);
  await actAtProviderB(world, sub, 'activate');
  const { currentPeriodEnd } = await world.atProvider(sub);
  const shown = await world.show(sub.id);
  expect([shown.status, periodEnd(shown)]).toEqual(['active', currentPeriodEnd]);
  expect(periodEnd(shown) - Date.parse(shown.currentPeriodStart)).toBeLessThanOrEqual(31 * 86_400_000);
  expect(await row.access(sub)).toBe(1_000);
});

test('failed payments make it past due, and suspended it stays so; access follows the days of grace', async () => {
  const sub = await world.subscribe('provider_b');
  const end = periodEnd(await world.show(sub.id));
  account().switches.failPayments = true;
  await world.advanceTo(end + 60_000);
  expect(await world.show(sub.id)).toMatchObject({ status: 'past_due' });
  expect(await row.access(sub)).toBe(1_000);
  await world.advanceBy(11 * DAY_MS);
  account().switches.failPayments = false;
  expect(await world.atProvider(sub)).toMatchObject({ status: 'past_due' });
  expect(await world.show(sub.id)).toMatchObject({ status: 'past_due' });
  expect(await row.access(sub)).toBe('subscription_past_due');
  expect((await row.kinds(sub)).filter((kind) => kind === 'became_past_due')).toHaveLength(1);
});

test('a renewal begins a usage period, although the provider charges at an hour of its own', async () => {
  const sub = await world.subscribe('provider_b');
  const { currentPeriodEnd } = await world.show(sub.id);
  expect(await row.track(sub, 1_000)).toMatchObject({ usage: 1_000, period: { end: currentPeriodEnd } });
  await world.advanceTo(Date.parse(currentPeriodEnd) + 60_000);
  const renewed = await world.show(sub.id);
  expect(await row.track(sub, 1)).toMatchObject({
    usage: 1,
    period: { start: currentPeriodEnd, end: renewed.currentPeriodEnd },
  });
});
