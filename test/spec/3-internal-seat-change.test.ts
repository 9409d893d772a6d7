import { randomUUID } from 'node:crypto';
import { createCustomer, createGroup, idOf, subscribe } from '../catalog/offer';
import { command, historyOf, planIn, preview, twoPlans } from '../support/billing';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

/** Section 3, internal, seats: an increase takes effect at once, a decrease at the next renewal. */
const service = useService({ commands: 'direct' });
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { role: 'developer' });
});

async function open(planId: string, seats: number): Promise<string> {
  const { externalId } = await createCustomer(client);
  return idOf(await subscribe(client, { externalId, planId, seats }));
}

test('more seats are there at once, with one transaction for them', async () => {
  const { pro } = await twoPlans(client);
  const id = await open(pro, 2);
  const { body } = await command(client, id, 'change', { body: { seats: 5 } });
  expect(body).toMatchObject({
    effective: 'immediate',
    subscription: { seats: 5, plan: { id: pro }, capabilities: { seatChange: { available: true } } },
    transaction: {
      kind: 'proration',
      status: 'pending',
      proration: { current: { seats: 2 }, target: { seats: 5 } },
    },
  });
  expect(await historyOf(client, id)).toEqual(['created', 'seats_increased']);
  // The answer equals what a later read returns.
  expect((await client.get(`/api/billing/subscriptions/${id}`)).body).toEqual(body['subscription']);
});

test('fewer seats wait for the renewal', async () => {
  const { pro } = await twoPlans(client);
  const id = await open(pro, 5);
  const { body } = await command(client, id, 'change', { body: { seats: 2 } });
  expect(body).toMatchObject({
    effective: 'next_renewal',
    subscription: { seats: 5, scheduledChange: { plan: { id: pro }, seats: 2 } },
  });
  expect(await historyOf(client, id)).toEqual(['created', 'seat_decrease_scheduled']);
});

test('seats cost what the period’s snapshot says, whatever the plan costs by now', async () => {
  const { pro } = await twoPlans(client);
  const id = await open(pro, 1);
  await client.patch(`/api/plans/${pro}`, { body: { price: { amount: '9900', currency: 'USD' } } });
  const { body } = await command(client, id, 'change', { body: { seats: 2 } });
  expect(body).toMatchObject({
    subscription: { price: { amount: '3000' } },
    transaction: {
      proration: { current: { fullAmount: { amount: '3000' } }, target: { fullAmount: { amount: '6000' } } },
    },
  });
});

test('the seats of an archived plan, and of one in an archived group, may still change', async () => {
  const { group, pro, proSlug } = await twoPlans(client);
  const id = await open(pro, 1);
  const admin = await logIn(service, { role: 'admin', workspaceId: client.workspaceId });
  await admin.post(`/api/plan-groups/${group}/archive`);
  expect((await command(client, id, 'change', { body: { planSlug: proSlug, seats: 2 } })).status).toBe(200);
  await admin.post(`/api/plans/${pro}/archive`);
  const { body } = await command(client, id, 'change', { body: { seats: 3 } });
  expect(body).toMatchObject({ effective: 'immediate', subscription: { seats: 3 } });
});

test('a flat plan’s seats cost nothing more, and leave a transaction all the same', async () => {
  const flat = await planIn(client, await createGroup(client), `flat-${randomUUID().slice(0, 8)}`, '5000', {
    pricing: 'flat',
  });
  const id = await open(flat, 1);
  const { body } = await command(client, id, 'change', { body: { seats: 10 } });
  expect(body).toMatchObject({
    transaction: { status: 'paid', total: { amount: '0' } },
    subscription: { seats: 10 },
  });
});

test('seats that nobody can have are refused, in the preview too', async () => {
  const { pro } = await twoPlans(client);
  const id = await open(pro, 2);
  for (const seats of [0, -1, 1.5, '3', 1_000_001]) {
    for (const answer of [
      await command(client, id, 'change', { body: { seats } }),
      await preview(client, id, { seats }),
    ]) {
      expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
      expect(answer.body['errors']).toMatchObject([{ pointer: '/seats' }]);
    }
  }
});

test.each([
  ['in a paid period', {}],
  ['in a trial, whose end charges the price that was offered', { trialDays: 14 }],
])('seats whose price of the period could not be recorded are refused %s', async (_, members) => {
  const group = await createGroup(client);
  const plan = await planIn(client, group, `dear-${randomUUID().slice(0, 8)}`, `1${'0'.repeat(15)}`, members);
  const id = await open(plan, 1);
  await client.patch(`/api/plans/${plan}`, { body: { price: { amount: '1', currency: 'USD' } } });
  const body = { seats: 100_000 };
  const [shown, made] = [await preview(client, id, body), await command(client, id, 'change', { body })];
  expect([shown.status, shown.body['code']]).toEqual([400, 'validation_failed']);
  expect([made.status, made.body['code']]).toEqual([400, 'validation_failed']);
});
