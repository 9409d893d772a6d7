import { randomUUID } from 'node:crypto';
import { createCustomer, createGroup, createPlan, idOf, planBody, subscribe } from '../catalog/offer';
import { DAY_MS } from '../../src/domain/instant';
import { logIn, type OperatorClient } from '../support/operator';
import { untilTaken } from '../support/until-taken';
import { useService } from '../support/use-service';

const service = useService();
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { role: 'developer' });
});

async function countOf(customerId: string): Promise<number> {
  const [row] = await service.database.query<{ n: string }>(
    'SELECT count(*) AS n FROM tollgate.subscriptions WHERE customer_id = $1',
    [customerId],
  );
  return Number(row?.n);
}

test('the same key replays the first answer, byte for byte', async () => {
  const { externalId, id } = await createCustomer(client);
  const planId = await createPlan(client);
  const key = randomUUID();
  const first = await subscribe(client, { externalId, planId }, key);
  const replay = await subscribe(client, { externalId, planId }, key);
  expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null]);
  expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  expect(JSON.stringify(replay.body)).toBe(JSON.stringify(first.body));
  expect(await countOf(id)).toBe(1);
});

test('a replay is answered although the plan has been archived since', async () => {
  const { externalId } = await createCustomer(client);
  const planId = await createPlan(client);
  const key = randomUUID();
  const first = await subscribe(client, { externalId, planId }, key);
  await client.post(`/api/plans/${planId}/archive`);
  expect((await subscribe(client, { externalId, planId }, key)).body).toEqual(first.body);
});

test('the key for another request is refused, and nothing is opened', async () => {
  const { externalId } = await createCustomer(client);
  const other = await createCustomer(client);
  const planId = await createPlan(client);
  const key = randomUUID();
  await subscribe(client, { externalId, planId }, key);
  const reused = await subscribe(client, { externalId: other.externalId, planId }, key);
  expect([reused.status, reused.body['code']]).toEqual([422, 'idempotency_key_reused']);
  expect(await countOf(other.id)).toBe(0);
});

test('a missing key is refused', async () => {
  const body = { externalId: 'a', planId: 'b' };
  const answer = await client.post('/api/billing/subscriptions', { body });
  expect([answer.status, answer.body['code']]).toEqual([400, 'idempotency_key_required']);
});

test('a refusal does not use the key up', async () => {
  const { externalId } = await createCustomer(client);
  const planId = await createPlan(client);
  const key = randomUUID();
  await client.post(`/api/plans/${planId}/archive`);
  expect((await subscribe(client, { externalId, planId }, key)).status).toBe(409);
  await client.post(`/api/plans/${planId}/unarchive`);
  expect((await subscribe(client, { externalId, planId }, key)).status).toBe(201);
});

test('200 calls at once with one key open one subscription', async () => {
  const { externalId, id } = await createCustomer(client);
  const planId = await createPlan(client);
  const key = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => untilTaken(() => subscribe(client, { externalId, planId }, key))),
  );
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
  expect(new Set(answers.map((answer) => answer.body['id'])).size).toBe(1);
  expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1);
  expect(await countOf(id)).toBe(1);
  const events = await service.database.query(
    "SELECT id FROM tollgate.developer_events WHERE type = 'SUBSCRIPTION_CREATED' AND data->>'customerId' = $1",
    [id],
  );
  expect(events).toHaveLength(1);
});

test('calls at once with keys of their own open one subscription in the plan group', async () => {
  const { externalId, id } = await createCustomer(client);
  const group = await createGroup(client);
  const plans = [
    idOf(await client.post('/api/plans', { body: planBody(group) })),
    idOf(await client.post('/api/plans', { body: planBody(group) })),
  ];
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => {
      const key = randomUUID();
      return untilTaken(() => subscribe(client, { externalId, planId: plans[i % 2] }, key));
    }),
  );
  const opened = answers.filter((answer) => answer.status === 201);
  expect(opened).toHaveLength(1);
  for (const answer of answers.filter((one) => one.status !== 201)) {
    expect(answer.body).toMatchObject({
      status: 409,
      code: 'subscription_exists',
      subscriptionId: opened[0]?.body['id'],
    });
  }
  expect(await countOf(id)).toBe(1);
  // Another plan group allows another subscription.
  expect((await subscribe(client, { externalId, planId: await createPlan(client) })).status).toBe(201);
});

test('a plan that is deleted while it is subscribed to is either gone or kept, never both', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { externalId } = await createCustomer(client);
    const planId = await createPlan(client);
    const [opened, deleted] = await Promise.all([
      subscribe(client, { externalId, planId }),
      client.delete(`/api/plans/${planId}`),
    ]);
    expect([
      [201, 409],
      [404, 204],
    ]).toContainEqual([opened.status, deleted.status]);
  }
});

test('a plan’s currency cannot change beside the subscription that fixes it', async () => {
  for (let round = 0; round < 15; round += 1) {
    const { externalId } = await createCustomer(client);
    const planId = await createPlan(client);
    const [opened, changed] = await Promise.all([
      subscribe(client, { externalId, planId }),
      client.patch(`/api/plans/${planId}`, { body: { price: { amount: '2900', currency: 'EUR' } } }),
    ]);
    expect(opened.status).toBe(201);
    expect([200, 409]).toContain(changed.status);
    const plan = await client.get(`/api/plans/${planId}`);
    expect(opened.body['price']).toEqual(plan.body['price']);
  }
});

test('an expired subscription whose step is still pending asks to wait', async () => {
  const { externalId } = await createCustomer(client);
  const planId = await createPlan(client);
  const opened = await subscribe(client, { externalId, planId });
  // The default `expireAfterDays` is 30. No worker runs here, so nothing records the expiry.
  const expiry = Date.parse(String(opened.body['paymentDueAt'])) + 30 * DAY_MS;
  await client.post('/api/sandbox/clock', { body: { to: new Date(expiry).toISOString() } });
  const body = { externalId, planId };
  for (const answer of [
    await subscribe(client, body),
    await client.post('/api/billing/checkouts', { body, headers: { 'Idempotency-Key': randomUUID() } }),
  ]) {
    expect([answer.status, answer.body['code']]).toEqual([503, 'service_busy']);
    expect(answer.headers.get('retry-after')).toBe('1');
  }
});
