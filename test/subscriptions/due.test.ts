import { DAY_MS } from '../../src/domain/instant';
import { createCustomer, createGroup, createPlan, idOf, subscribe } from '../catalog/offer';
import { command, planIn } from '../support/billing';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

const service = useService({ commands: 'direct' });
let client: OperatorClient;
beforeEach(async () => {
  // A new workspace for each test.
  client = await logIn(service, { role: 'developer' });
});

interface Due {
  at: string;
  subscriptionId: string;
  externalId: string;
  steps: { at: string; kind: string; message: string; estimate: { amount: string } | null }[];
}

async function due(query: Record<string, string> = {}): Promise<Due[]> {
  const answer = await client.get('/api/billing/due', { query });
  expect(answer.status).toBe(200);
  return answer.body['data'] as Due[];
}

/** Creates a subscription that renews this many days from now. */
async function renewingIn(days: number, plan: string): Promise<string> {
  const { externalId } = await createCustomer(client);
  const anchor = new Date(Date.now() + days * DAY_MS).toISOString();
  return idOf(await subscribe(client, { externalId, planId: plan, anchor }));
}

test('what renews within the week, the earliest first, with what it will charge', async () => {
  const plan = await createPlan(client, { price: { amount: '2900', currency: 'USD' } });
  const later = await renewingIn(5, plan);
  const sooner = await renewingIn(2, plan);
  const nextMonth = await renewingIn(20, plan);
  const week = await due();
  expect(week.map(({ subscriptionId }) => subscriptionId)).toEqual([sooner, later]);
  expect(week[0]?.steps).toMatchObject([
    { at: week[0]?.at, kind: 'turn_period', estimate: { amount: '2900' } },
  ]);
  expect(await due({ within: 'day' })).toEqual([]);
  expect((await due({ within: 'month' })).map(({ subscriptionId }) => subscriptionId)).toEqual([
    sooner,
    later,
    nextMonth,
  ]);
  const from = new Date(Date.now() + 3 * DAY_MS).toISOString();
  expect((await due({ from })).map(({ subscriptionId }) => subscriptionId)).toEqual([later]);
});

test('a renewal that is overdue, from its time on, without the earlier steps that are overdue, too', async () => {
  const admin = await logIn(service, { role: 'admin', workspaceId: client.workspaceId });
  await admin.patch('/api/billing/settings', { body: { pastDueAfterDays: 1 } });
  const plan = await createPlan(client, { price: { amount: '2900', currency: 'USD' } });
  const overdue = await renewingIn(2, plan);
  const from = new Date().toISOString();
  const [{ at } = { at: '' }] = await due({ from });
  // No workflow takes the steps here.
  service.clock.ahead = 2 * DAY_MS + 1_000;
  try {
    client = await logIn(service, { role: 'developer', workspaceId: client.workspaceId });
    expect(await due()).toEqual([]);
    expect(await due({ from })).toMatchObject([
      { at, subscriptionId: overdue, steps: [{ at, kind: 'turn_period', estimate: { amount: '2900' } }] },
    ]);
  } finally {
    service.clock.ahead = 0;
  }
});

test('a trial that ends, a change that comes, and an end that is no renewal', async () => {
  const group = await createGroup(client);
  const small = await planIn(client, group, 'small', '1000');
  const large = await planIn(client, group, 'large', '5000');
  const trial = await createPlan(client, { trialDays: 3 });
  const changing = await renewingIn(4, large);
  await command(client, changing, 'change', { body: { planId: small } });
  const { externalId } = await createCustomer(client);
  const trying = idOf(await subscribe(client, { externalId, planId: trial }));
  const cancelled = await renewingIn(1, await createPlan(client));
  await command(client, cancelled, 'cancel');
  const week = await due();
  expect(week.map(({ subscriptionId, steps }) => [subscriptionId, steps.map(({ kind }) => kind)])).toEqual([
    [trying, ['end_trial']],
    [changing, ['scheduled_change', 'turn_period']],
  ]);
  expect(week[1]?.steps[1]?.estimate?.amount).toBe('1000');
});

test('pages are those of one window, each subscription once, also of equal instants', async () => {
  const plan = await createPlan(client);
  const anchor = new Date(Date.now() + 2 * DAY_MS).toISOString();
  const ids: string[] = [];
  for (let index = 0; index < 5; index += 1) {
    const { externalId } = await createCustomer(client);
    ids.push(idOf(await subscribe(client, { externalId, planId: plan, anchor })));
  }
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { take: '2', ...(cursor === undefined ? {} : { cursor }) };
    const { body } = await client.get('/api/billing/due', { query });
    seen.push(...(body['data'] as Due[]).map(({ subscriptionId }) => subscriptionId));
    cursor = body['nextCursor'] as string | undefined;
  } while (cursor !== undefined);
  expect(seen).toEqual([...ids].sort());
  const first = await client.get('/api/billing/due', { query: { take: '2' } });
  const foreign = { take: '2', within: 'month', cursor: String(first.body['nextCursor']) };
  expect((await client.get('/api/billing/due', { query: foreign })).body['code']).toBe('cursor_invalid');
});

test('subscriptions are listed by their renewal and by what they await', async () => {
  const group = await createGroup(client);
  const small = await planIn(client, group, 'small', '1000');
  const large = await planIn(client, group, 'large', '5000');
  const changing = await renewingIn(4, large);
  await command(client, changing, 'change', { body: { planId: small } });
  const renewing = await renewingIn(10, small);
  const ids = async (query: Record<string, string>): Promise<string[]> =>
    ((await client.get('/api/billing/subscriptions', { query })).body['data'] as { id: string }[]).map(
      ({ id }) => id,
    );
  expect(await ids({ awaiting: 'change' })).toEqual([changing]);
  expect(await ids({ awaiting: 'renewal' })).toEqual([renewing]);
  expect(await ids({ awaiting: 'approval' })).toEqual([]);
  const middle = new Date(Date.now() + 7 * DAY_MS).toISOString();
  expect(await ids({ renewsTo: middle })).toEqual([changing]);
  expect(await ids({ renewsFrom: middle })).toEqual([renewing]);
  const wrong = await client.get('/api/billing/subscriptions', { query: { awaiting: 'godot' } });
  expect([wrong.status, wrong.body['code']]).toEqual([400, 'validation_failed']);
});
