import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/domain/instant';
import { createCustomer, createGroup, idOf, subscribe } from '../catalog/offer';
import { command, dataOf, planIn, preview, twoPlans } from '../support/billing';
import { logIn, type ConsoleAnswer, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

/** Reasons for which a change is refused, each with its code, in the preview as in the change; nothing is written. */
const service = useService({ commands: 'direct' });
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { role: 'admin' });
});

async function open(planId: string, seats = 2): Promise<string> {
  const { externalId } = await createCustomer(client);
  return idOf(await subscribe(client, { externalId, planId, seats }));
}

async function expectRefused(
  id: string,
  body: object,
  [status, code]: [number, string],
): Promise<ConsoleAnswer['body']> {
  const state = async () => [
    (await client.get(`/api/billing/subscriptions/${id}`)).body,
    (await client.get(`/api/billing/subscriptions/${id}/timeline`)).body,
  ];
  const before = await state();
  const previewed = await preview(client, id, body);
  expect([previewed.status, previewed.body['code']]).toEqual([status, code]);
  const refused = await command(client, id, 'change', { body });
  expect([refused.status, refused.body['code']]).toEqual([status, code]);
  expect(await state()).toEqual(before);
  return refused.body;
}

const slug = () => `plan-${randomUUID().slice(0, 8)}`;

test('a plan in another currency is refused', async () => {
  const { group, starter } = await twoPlans(client);
  const planId = await planIn(client, group, slug(), '2000', { currency: 'EUR' });
  await expectRefused(await open(starter), { planId }, [422, 'plan_currency_differs']);
});

test('a plan of another group is refused', async () => {
  const { starter } = await twoPlans(client);
  const planId = await planIn(client, await createGroup(client), slug(), '2000');
  await expectRefused(await open(starter), { planId }, [422, 'plan_group_differs']);
});

test('an archived plan, and one that does not exist, are refused', async () => {
  const { starter, pro } = await twoPlans(client);
  const id = await open(starter);
  await client.post(`/api/plans/${pro}/archive`);
  await expectRefused(id, { planId: pro }, [409, 'plan_archived']);
  await expectRefused(id, { planId: 'plan_none' }, [404, 'plan_not_found']);
  await expectRefused(id, { planSlug: 'no-such-plan' }, [404, 'plan_not_found']);
});

test('a change to the terms that it already has is refused', async () => {
  const { starter, starterSlug } = await twoPlans(client);
  const id = await open(starter);
  for (const body of [{ planId: starter }, { planSlug: starterSlug, seats: 2 }, { seats: 2 }]) {
    await expectRefused(id, body, [409, 'change_without_effect']);
  }
});

test('an empty body, two names of a plan, and unknown fields are refused', async () => {
  const { starter, starterSlug } = await twoPlans(client);
  const id = await open(starter);
  for (const body of [{}, { planId: starter, planSlug: starterSlug }, { seats: 3, price: 1 }]) {
    await expectRefused(id, body, [400, 'validation_failed']);
  }
});

test('an amount that cannot be recorded, now or at the renewal, is refused', async () => {
  const group = await createGroup(client);
  const [small, large, yearly] = [
    await planIn(client, group, slug(), '1000'),
    await planIn(client, group, slug(), '900000000000000000'),
    await planIn(client, group, slug(), '900000000000000000', { interval: 'year' }),
  ];
  const id = await open(small);
  await expectRefused(id, { planId: large }, [400, 'validation_failed']);
  await expectRefused(id, { planId: yearly }, [400, 'validation_failed']);
});

test('a change of a cancelled subscription is refused with its capability', async () => {
  const { starter, pro } = await twoPlans(client);
  const id = await open(starter);
  await command(client, id, 'cancel');
  const refused = await expectRefused(id, { planId: pro }, [409, 'capability_unavailable']);
  expect(refused['capability']).toMatchObject({
    name: 'planChange',
    supported: true,
    available: false,
    reasonCode: 'subscription_ended',
  });
});

test('a change of a past-due subscription is refused', async () => {
  const { starter } = await twoPlans(client);
  const id = await open(starter);
  const { body: settings } = await client.get('/api/billing/settings');
  service.clock.ahead = (Number(settings['pastDueAfterDays']) + 1) * DAY_MS;
  try {
    client = await logIn(service, { role: 'admin', workspaceId: client.workspaceId });
    const refused = await command(client, id, 'change', { body: { seats: 9 } });
    expect(refused.body).toMatchObject({
      code: 'capability_unavailable',
      capability: { name: 'seatChange', reasonCode: 'payment_past_due' },
    });
    const { body } = await client.get(`/api/billing/subscriptions/${id}`);
    expect(body).toMatchObject({ status: 'past_due', seats: 2 });
  } finally {
    service.clock.ahead = 0;
    client = await logIn(service, { role: 'admin', workspaceId: client.workspaceId });
  }
});

test('a change at a payment provider that is not connected is refused: nothing changes here alone', async () => {
  const { starter, pro } = await twoPlans(client);
  for (const [provider, code, status] of [
    ['provider_a', 'capability_unavailable', 409],
    ['provider_b', 'capability_unavailable', 409],
    ['provider_c', 'capability_unsupported', 422],
  ] as const) {
    const id = await open(starter);
    await service.database.query('UPDATE tollgate.subscriptions SET provider = $2 WHERE id = $1', [
      id,
      provider,
    ]);
    await expectRefused(id, { planId: pro }, [status, code]);
    const cancel = await command(client, id, 'cancel');
    expect([cancel.status, cancel.body['code']]).toEqual([409, 'capability_unavailable']);
    expect((await client.get(`/api/billing/subscriptions/${id}`)).body['status']).toBe('active');
    // Reset, so that the books at the end are those of local billing.
    await service.database.query("UPDATE tollgate.subscriptions SET provider = 'internal' WHERE id = $1", [
      id,
    ]);
  }
});

test('a change without a key is refused, unless it is a dry run', async () => {
  const { starter } = await twoPlans(client);
  const id = await open(starter);
  const path = `/api/billing/subscriptions/${id}/change`;
  const { status, body } = await client.post(path, { body: { seats: 3 } });
  expect([status, body['code']]).toEqual([400, 'idempotency_key_required']);
  const listed = await client.get('/api/billing/transactions', { query: { subscriptionId: id } });
  expect(dataOf(listed)).toHaveLength(1);
});

test('a refusal is not stored: the same key is decided again once the obstacle is gone', async () => {
  const { starter, pro } = await twoPlans(client);
  const id = await open(starter);
  const [key, body] = [randomUUID(), { planId: pro }];
  await client.post(`/api/plans/${pro}/archive`);
  expect((await command(client, id, 'change', { key, body })).status).toBe(409);
  await client.post(`/api/plans/${pro}/unarchive`);
  const done = await command(client, id, 'change', { key, body });
  expect([done.status, done.headers.get('Idempotency-Replayed')]).toEqual([200, null]);
});
