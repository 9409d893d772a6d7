import { DAY_MS } from '../../src/domain/instant';
import { createCustomer, createFeature, idOf, subscribe } from '../catalog/offer';
import { command, dataOf, twoPlans } from '../support/billing';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

/** "The subscription snapshots price and tax at its period's start", however late the renewal is taken. */
const service = useService({ commands: 'direct' });
let client: OperatorClient;
beforeEach(async () => {
  client = await logIn(service, { role: 'admin' });
  // No payments are made here.
  await client.patch('/api/billing/settings', { body: { pastDueAfterDays: 200, expireAfterDays: 300 } });
});

async function opened(planId: string): Promise<{ id: string; end: number }> {
  const { externalId } = await createCustomer(client);
  const id = idOf(await subscribe(client, { externalId, planId, seats: 2 }));
  return { id, end: await endOf(id) };
}

const featureOf = (): Promise<string> => createFeature(client);

async function endOf(id: string): Promise<number> {
  const { body } = await client.get(`/api/billing/subscriptions/${id}`);
  return Date.parse(String(body['currentPeriodEnd']));
}

/** Advances time without taking the steps that become due. */
async function passTo(instant: number): Promise<void> {
  const answer = await client.post('/api/sandbox/clock', {
    body: { to: new Date(instant).toISOString() },
    env: null,
    query: { organizationId: client.workspaceId, env: 'sandbox' },
  });
  expect(answer.status).toBe(200);
}

async function reprice(planId: string, amount: string): Promise<void> {
  const body = { price: { amount, currency: 'USD' } };
  expect((await client.patch(`/api/plans/${planId}`, { body })).status).toBe(200);
}

async function tax(rate: string): Promise<void> {
  const body = { taxBehavior: 'exclusive', taxRates: [{ name: 'VAT', rate }] };
  expect((await client.patch('/api/billing/settings', { body })).status).toBe(200);
}

/** Takes the due steps. Returns the totals of the renewals, oldest first. */
async function renewals(id: string): Promise<string[]> {
  await service.direct.catchUp({ workspaceId: client.workspaceId, environment: 'sandbox' }, id);
  return dataOf(await client.get('/api/billing/transactions', { query: { subscriptionId: id } }))
    .filter(({ kind }) => kind === 'renewal')
    .map(({ total }) => (total as { amount: string }).amount)
    .reverse();
}

test('a price and a tax that were edited after the boundary are for the renewal after it', async () => {
  const { pro } = await twoPlans(client);
  const { id, end } = await opened(pro);
  await passTo(end + 2 * DAY_MS);
  await reprice(pro, '5000');
  await tax('0.1');
  expect(await renewals(id)).toEqual(['6000']);
  await passTo((await endOf(id)) + DAY_MS);
  expect(await renewals(id)).toEqual(['6000', '11000']);
});

test('the timeline shows what an overdue renewal charges, though price and tax were edited since', async () => {
  const { pro } = await twoPlans(client);
  const { id, end } = await opened(pro);
  await tax('0.2');
  await passTo(end + DAY_MS);
  await reprice(pro, '5000');
  await tax('0.1');
  const { body } = await client.get(`/api/billing/subscriptions/${id}/timeline`);
  const upcoming = body['upcoming'] as { kind: string; estimate: { amount: string } | null }[];
  const shown = upcoming.find(({ kind }) => kind === 'turn_period')?.estimate?.amount;
  expect([shown]).toEqual(await renewals(id));
});

test('an edit before the boundary counts, and so does the last of several', async () => {
  const { pro } = await twoPlans(client);
  const { id, end } = await opened(pro);
  await reprice(pro, '4000');
  await tax('0.2');
  await reprice(pro, '3500');
  await tax('0.1');
  await passTo(end + DAY_MS);
  expect(await renewals(id)).toEqual(['7700']);
});

test('an edit that another one has overtaken does not reach back before it', async () => {
  const { pro } = await twoPlans(client);
  const { id, end } = await opened(pro);
  await passTo(end + 2 * DAY_MS);
  await reprice(pro, '5000');
  await tax('0.1');
  // Received before the edit above, although applied after it.
  service.clock.ahead -= DAY_MS;
  await reprice(pro, '4000');
  await tax('0.2');
  service.clock.ahead += DAY_MS;
  expect(await renewals(id)).toEqual(['6000']);
  await passTo((await endOf(id)) + DAY_MS);
  expect(await renewals(id)).toEqual(['6000', '9600']);
});

/** Gives the plan an entitlement whose unused quota rolls over, and returns its path. */
async function rollingOver(planId: string, featureKey: string, quota: number): Promise<string> {
  const path = `/api/plans/${planId}/entitlements`;
  const rollover = { periods: 1 };
  const body = { featureKey, quota, resetInterval: 'billing_period', enforcement: 'hard', rollover };
  return `${path}/${idOf(await client.post(path, { body }))}`;
}

/** Returns the quota that a subscription had at an instant, if its terms were changed since. */
async function quotaAt(id: string, at: number): Promise<unknown> {
  const rows = await service.database.query(
    `SELECT quota::float8 AS quota FROM tollgate.former_entitlement_terms
      WHERE subscription_id = $1 AND until > $2 ORDER BY until LIMIT 1`,
    [id, new Date(at)],
  );
  return rows[0]?.['quota'];
}

test('an edit of a quota that another one has overtaken does not reach back before it', async () => {
  const { pro } = await twoPlans(client);
  const entitlement = await rollingOver(pro, await featureOf(), 10);
  const { id } = await opened(pro);
  expect((await client.patch(entitlement, { body: { quota: 20 } })).status).toBe(200);
  service.clock.ahead -= 60_000;
  expect((await client.patch(entitlement, { body: { quota: 30 } })).status).toBe(200);
  service.clock.ahead += 60_000;
  expect(await quotaAt(id, service.clock.now() - 120_000)).toBe(10);
});

test('what an entitlement of the plan before gave at the boundary is kept, though it was edited since', async () => {
  const { pro, starter } = await twoPlans(client);
  const feature = await featureOf();
  const entitlement = await rollingOver(pro, feature, 10);
  await rollingOver(starter, feature, 3);
  const { id, end } = await opened(pro);
  expect((await command(client, id, 'change', { body: { planId: starter } })).status).toBe(200);
  await passTo(end + 2 * DAY_MS);
  expect((await client.patch(entitlement, { body: { quota: 5 } })).status).toBe(200);
  await renewals(id);
  expect(await quotaAt(id, end - 1)).toBe(10);
});

test('each of several missed renewals charges what held at its own boundary', async () => {
  const { pro } = await twoPlans(client);
  const { id, end } = await opened(pro);
  await passTo(end + DAY_MS);
  await reprice(pro, '4000');
  await tax('0.1');
  await passTo(end + 32 * DAY_MS);
  await reprice(pro, '5000');
  await tax('0.2');
  await passTo(end + 63 * DAY_MS);
  expect(await renewals(id)).toEqual(['6000', '8800', '12000']);
});

test('a scheduled change comes at the price that its plan had at the boundary', async () => {
  const { pro, starter } = await twoPlans(client);
  const { id, end } = await opened(pro);
  expect((await command(client, id, 'change', { body: { planId: starter } })).status).toBe(200);
  await passTo(end + 2 * DAY_MS);
  await reprice(starter, '2500');
  expect(await renewals(id)).toEqual(['2000']);
  await passTo((await endOf(id)) + DAY_MS);
  expect(await renewals(id)).toEqual(['2000', '5000']);
});
