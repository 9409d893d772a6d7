import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/domain/instant';
import { createCustomer, createGroup, idOf, subscribe } from '../catalog/offer';
import { command, dataOf, historyOf, planIn, preview, twoPlans, withdraw } from '../support/billing';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

/** Section 3, internal, downgrade: takes effect at the next renewal and can be withdrawn until then. */
const service = useService({ commands: 'direct' });
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { role: 'developer' });
});

async function open(planId: string, seats = 1): Promise<string> {
  const { externalId } = await createCustomer(client);
  return idOf(await subscribe(client, { externalId, planId, seats }));
}

test('it is scheduled: nothing is charged, and the terms of now stay until the period’s end', async () => {
  const { starter, starterSlug, pro, proSlug } = await twoPlans(client);
  const id = await open(pro, 5);
  const { body, status } = await command(client, id, 'change', { body: { planId: starter, seats: 3 } });
  expect(status).toBe(200);
  const subscription = body['subscription'] as Record<string, unknown>;
  expect(body).toMatchObject({
    effective: 'next_renewal',
    effectiveAt: subscription['currentPeriodEnd'],
    requiresCustomerAction: false,
    subscription: {
      plan: { slug: proSlug },
      seats: 5,
      price: { amount: '3000' },
      scheduledChange: {
        plan: { id: starter, slug: starterSlug },
        seats: 3,
        effectiveAt: subscription['currentPeriodEnd'],
      },
    },
  });
  expect(body['transaction']).toBeUndefined();
  expect(body['withdrawn']).toBeUndefined();
  const listed = await client.get('/api/billing/transactions', { query: { subscriptionId: id } });
  expect(dataOf(listed)).toHaveLength(1);
  expect(await historyOf(client, id)).toEqual(['created', 'downgrade_scheduled']);
});

test('where its renewal has passed since it was shown, it is refused and not planned for the one after', async () => {
  const { starter, pro } = await twoPlans(client);
  const { externalId } = await createCustomer(client);
  const anchor = new Date(Date.now() + DAY_MS).toISOString();
  const id = idOf(await subscribe(client, { externalId, planId: pro, seats: 2, anchor }));
  const shownBy = async (asking: OperatorClient) => {
    const { effective, effectiveAt, dueNow } = (await preview(asking, id, { planId: starter })).body;
    return { effective, effectiveAt, dueNow: (dueNow as { amount: string }).amount };
  };
  const old = await shownBy(client);
  expect(old).toEqual({ effective: 'next_renewal', effectiveAt: anchor, dueNow: '0' });
  service.clock.ahead = 2 * DAY_MS;
  try {
    const later = await logIn(service, { role: 'developer', workspaceId: client.workspaceId });
    const change = (shown: object) => command(later, id, 'change', { body: { planId: starter, shown } });
    const refused = await change(old);
    expect([refused.status, refused.body['code']]).toEqual([409, 'change_differs']);
    const plans = async () => (await later.get(`/api/billing/subscriptions/${id}`)).body;
    expect(await plans()).toMatchObject({ plan: { id: pro }, scheduledChange: null });
    const laterPreview = await shownBy(later);
    expect(laterPreview.effectiveAt).not.toBe(anchor);
    expect((await change(laterPreview)).status).toBe(200);
    expect(await plans()).toMatchObject({ scheduledChange: { effectiveAt: laterPreview.effectiveAt } });
    // The effective time is not compared if the caller does not send it.
    const { effective, dueNow } = old;
    expect((await change({ effective, dueNow })).status).toBe(200);
    expect((await change({ effective, dueNow, effectiveAt: 'soon' })).body['code']).toBe('validation_failed');
  } finally {
    service.clock.ahead = 0;
  }
});

test('the renewal applies it and charges the new terms', async () => {
  const { starter, starterSlug, pro } = await twoPlans(client);
  const id = await open(pro, 5);
  await command(client, id, 'change', { body: { planId: starter, seats: 3 } });
  service.clock.ahead = 32 * DAY_MS;
  try {
    const later = await logIn(service, { role: 'developer', workspaceId: client.workspaceId });
    // Any command first takes the overdue renewal; this one finds the downgrade applied.
    const refused = await command(later, id, 'change', { body: { planId: starter, seats: 3 } });
    expect([refused.status, refused.body['code']]).toEqual([409, 'change_without_effect']);
    const { body } = await later.get(`/api/billing/subscriptions/${id}`);
    expect(body).toMatchObject({ plan: { slug: starterSlug }, seats: 3, scheduledChange: null });
    const listed = await later.get('/api/billing/transactions', { query: { subscriptionId: id } });
    expect(dataOf(listed)[0]).toMatchObject({ kind: 'renewal', total: { amount: '3000' } });
  } finally {
    service.clock.ahead = 0;
  }
});

test('it can be withdrawn before, once, with a key or without', async () => {
  const { starter, starterSlug, pro } = await twoPlans(client);
  const id = await open(pro, 2);
  const body = { planId: starter };
  await command(client, id, 'change', { body });
  const withdrawn = await withdraw(client, id);
  expect(withdrawn.status).toBe(200);
  expect(withdrawn.body).toMatchObject({
    withdrawn: { plan: { slug: starterSlug }, seats: 2 },
    subscription: { plan: { id: pro }, scheduledChange: null },
  });
  const again = await withdraw(client, id);
  expect([again.status, again.body['code']]).toEqual([409, 'no_scheduled_change']);

  await command(client, id, 'change', { body });
  const path = `/api/billing/subscriptions/${id}/scheduled-change`;
  const headers = { 'Idempotency-Key': randomUUID() };
  const first = await client.delete(path, { headers });
  const replayed = await client.delete(path, { headers });
  expect([replayed.status, replayed.headers.get('Idempotency-Replayed')]).toEqual([200, 'true']);
  expect(replayed.body).toEqual(first.body);
  expect(await historyOf(client, id)).toEqual([
    'created',
    'downgrade_scheduled',
    'scheduled_change_withdrawn',
    'downgrade_scheduled',
    'scheduled_change_withdrawn',
  ]);
});

test('a new scheduled change replaces the one before and says so', async () => {
  const { starter, pro } = await twoPlans(client);
  const id = await open(pro, 5);
  await command(client, id, 'change', { body: { seats: 4 } });
  expect((await preview(client, id, { planId: starter })).body).toMatchObject({
    effective: 'next_renewal',
    withdraws: { plan: { id: pro }, seats: 4 },
    credit: { amount: '0' },
    dueNow: { amount: '0' },
    policyVersion: null,
  });
  const { body } = await command(client, id, 'change', { body: { planId: starter } });
  expect(body).toMatchObject({
    effective: 'next_renewal',
    withdrawn: { plan: { id: pro }, seats: 4 },
    subscription: { scheduledChange: { plan: { id: starter }, seats: 5 } },
  });
});

test('another interval always waits for the renewal, and is compared per year', async () => {
  const group = await createGroup(client);
  const suffix = randomUUID().slice(0, 8);
  const monthly = await planIn(client, group, `monthly-${suffix}`, '1000');
  const cheaper = await planIn(client, group, `yearly-${suffix}`, '11000', { interval: 'year' });
  const dearer = await planIn(client, group, `deluxe-${suffix}`, '13000', { interval: 'year' });
  const id = await open(monthly);
  const down = await preview(client, id, { planId: cheaper });
  expect(down.body).toMatchObject({ effective: 'next_renewal', direction: 'downgrade' });
  const up = await preview(client, id, { planId: dearer });
  expect(up.body).toMatchObject({ effective: 'next_renewal', direction: 'upgrade' });
  const { body } = await command(client, id, 'change', { body: { planId: dearer } });
  expect(body).toMatchObject({ effective: 'next_renewal', subscription: { interval: 'month' } });
});
