import { randomUUID } from 'node:crypto';
import { MAX_CREDIT_GRANTS } from '../../src/domain/access-credits';
import { createCustomer, createFeature, createPlan, idOf, pointersOf, subscribe } from '../catalog/offer';
import { Integrator } from '../support/integrator';
import { logIn, type ConsoleAnswer, type OperatorClient } from '../support/operator';
import { trackUntilTaken, untilTaken } from '../support/until-taken';
import { createWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

const service = useService();
let client: OperatorClient;
let integrator: Integrator;
beforeAll(async () => {
  const { workspaceId, sandboxKey } = await createWorkspace(service.database);
  client = await logIn(service, { role: 'developer', workspaceId });
  integrator = new Integrator(service.urls.sandbox, sandboxKey);
});

function grant(customerId: string, body: object, key: string = randomUUID()): Promise<ConsoleAnswer> {
  return client.post(`/api/customers/${customerId}/credits`, { body, headers: { 'Idempotency-Key': key } });
}
const creditsOf = async (customerId: string) =>
  (await client.get(`/api/customers/${customerId}/credits`)).body;

/** Creates a customer whose plan has a quota of 1 and sells further units for half a credit. */
async function creditCustomer(): Promise<{ id: string; externalId: string; feature: string }> {
  const customer = await createCustomer(client);
  const planId = await createPlan(client);
  const feature = await createFeature(client);
  await client.post(`/api/plans/${planId}/entitlements`, {
    body: { featureKey: feature, quota: 1, creditCost: 0.5 },
  });
  await subscribe(client, { customerId: customer.id, planId });
  return { ...customer, feature };
}

test('credits are granted, listed and summed exactly', async () => {
  const { id } = await createCustomer(client);
  for (let i = 0; i < 10; i += 1) expect((await grant(id, { amount: 0.1 })).status).toBe(201);
  const last = await grant(id, { amount: 5, reason: 'Sorry', expiresAt: '2999-01-01T00:00:00Z' });
  expect(last.body).toMatchObject({
    customerId: id,
    amount: 5,
    remaining: 5,
    reason: 'Sorry',
    expiresAt: '2999-01-01T00:00:00.000Z',
    expired: false,
  });
  const page = await client.get(`/api/customers/${id}/credits`, { query: { take: '2' } });
  expect(page.body).toMatchObject({ balance: 6, hasMore: true, data: [last.body, { amount: 0.1 }] });
});

test('a grant is spent by track from the very next call', async () => {
  const { id, externalId, feature } = await creditCustomer();
  await grant(id, { amount: 2 });
  expect((await integrator.track(externalId, feature, 3)).body).toMatchObject({
    recorded: true,
    creditBalance: 1,
  });
  expect(await creditsOf(id)).toMatchObject({ balance: 1, data: [{ amount: 2, remaining: 1 }] });
});

test('an expired grant cannot be spent; expiring it again changes nothing', async () => {
  const { id, externalId, feature } = await creditCustomer();
  const grantId = idOf(await grant(id, { amount: 2 }));
  const path = `/api/customers/${id}/credits/${grantId}/expire`;
  const expired = await client.post(path);
  expect(expired.body).toMatchObject({ remaining: 2, expired: true });
  expect((await client.post(path)).body).toEqual(expired.body);
  expect(await creditsOf(id)).toMatchObject({ balance: 0 });
  expect((await integrator.track(externalId, feature, 2)).status).toBe(403);
  const unknown = await client.post(`/api/customers/${id}/credits/crd_none/expire`);
  expect([unknown.status, unknown.body['code']]).toEqual([404, 'credit_grant_not_found']);
});

test('expiry concurrent with tracks neither loses nor invents credits', async () => {
  const { id, externalId, feature } = await creditCustomer();
  const grantId = idOf(await grant(id, { amount: 10 }));
  const tracks = Array.from({ length: 20 }, () => trackUntilTaken(integrator, externalId, feature));
  const expiry = untilTaken(() => client.post(`/api/customers/${id}/credits/${grantId}/expire`));
  const answers = await Promise.all(tracks);
  await expiry;
  const recorded = answers.filter((answer) => answer.status === 200).length;
  const paid = Math.max(0, recorded - 1);
  expect(await creditsOf(id)).toMatchObject({
    balance: 0,
    data: [{ remaining: 10 - paid * 0.5, expired: true }],
  });
});

test('a customer has so many grants at most that are neither spent nor expired', async () => {
  const { id, externalId, feature } = await creditCustomer();
  await service.database.query(
    `INSERT INTO tollgate.credit_grants (workspace_id, environment, id, customer_id, amount, remaining, expires_at, created_at)
     SELECT workspace_id, environment, 'crd_' || id || lpad(n::text, 5, '0'), id, 1, 1,
            CASE n % 2 WHEN 1 THEN now() - interval '1 hour' END, now()
       FROM tollgate.customers, generate_series(1, $2) n WHERE id = $1`,
    [id, 2 * MAX_CREDIT_GRANTS],
  );
  const refused = await grant(id, { amount: 1 });
  expect([refused.status, refused.body['code']]).toEqual([409, 'too_many_credit_grants']);
  expect((await integrator.track(externalId, feature, 3)).body).toMatchObject({
    creditBalance: MAX_CREDIT_GRANTS - 1,
  });
  // The first grant to be spent makes room for another.
  expect((await grant(id, { amount: 1 })).status).toBe(201);
});

test('a grant runs once for its key', async () => {
  const { id } = await createCustomer(client);
  const key = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => untilTaken(() => grant(id, { amount: 3 }, key))),
  );
  expect(new Set(answers.map((answer) => answer.body['id'])).size).toBe(1);
  expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === 'true')).toHaveLength(19);
  expect(await creditsOf(id)).toMatchObject({ balance: 3 });
  expect((await grant(id, { amount: 4 }, key)).body['code']).toBe('idempotency_key_reused');
  const keyless = await client.post(`/api/customers/${id}/credits`, { body: { amount: 1 } });
  expect(keyless.body['code']).toBe('idempotency_key_required');
});

test.each([
  ['zero', { amount: 0 }, ['/amount']],
  ['a negative amount', { amount: -1 }, ['/amount']],
  ['an amount as text', { amount: '1' }, ['/amount']],
  ['seven decimals', { amount: 0.0000001 }, ['/amount']],
  ['an amount beyond 10^12', { amount: 2e12 }, ['/amount']],
  ['an expiry that is past', { amount: 1, expiresAt: '2020-01-01T00:00:00Z' }, ['/expiresAt']],
  ['a date without a time', { amount: 1, expiresAt: '2999-01-01' }, ['/expiresAt']],
  ['an unknown field', { amount: 1, currency: 'USD' }, ['/currency']],
])('%s is refused', async (_, body, pointers) => {
  const { id } = await createCustomer(client);
  const answer = await grant(id, body);
  expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
  expect(pointersOf(answer)).toEqual(pointers);
  expect(await creditsOf(id)).toMatchObject({ data: [], balance: 0 });
});

test('the refusal of an expiry that is past names the current time, which a sandbox’s clock may have', async () => {
  const { id } = await createCustomer(client);
  const { body } = await grant(id, { amount: 1, expiresAt: '2020-01-01T00:00:00Z' });
  expect(body['detail']).toMatch(
    /^\/expiresAt: is not after the workspace’s current time, \d{4}-\d\d-\d\dT[\d:.]+Z$/,
  );
});

test('an unknown customer is a 404', async () => {
  const answers = await Promise.all([
    grant('cus_none', { amount: 1 }),
    client.get('/api/customers/cus_none/credits'),
  ]);
  for (const answer of answers)
    expect([answer.status, answer.body['code']]).toEqual([404, 'customer_not_found']);
});
