import { createFeature, createGroup, createPlan, idOf } from '../catalog/offer';
import { CatalogueSeeder } from '../support/catalogue';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';
import { createWorkspace } from '../support/workspace';

/** The audit record has one entry for each change, and none for a request that changes nothing. */
const service = useService({ resolveHost: () => Promise.resolve(['93.184.216.34']) });
let client: OperatorClient;
let api: Integrator;
beforeAll(async () => {
  const { workspaceId, sandboxKey } = await createWorkspace(service.database);
  client = await logIn(service, { role: 'admin', workspaceId });
  api = new Integrator(service.urls.sandbox, sandboxKey);
});

/** Returns the actions on an object, oldest first, with the members that each changed. */
async function actsOn(target: string): Promise<[string, string[]][]> {
  const rows = await service.database.query<{ action: string; detail: object }>(
    'SELECT action, detail FROM tollgate.audit_records WHERE target = $1 ORDER BY id',
    [target],
  );
  return rows.map(({ action, detail }) => [action, Object.keys(detail)]);
}

const made: Record<string, () => Promise<[path: string, id: string, body: object]>> = {
  'plan group': async () => {
    const id = await createGroup(client);
    return [`/api/plan-groups/${id}`, id, { name: 'Group' }];
  },
  plan: async () => {
    const terms = { name: 'Pro', price: { amount: '2900', currency: 'USD' }, interval: 'month' };
    const more = { trialDays: 14, entityLimit: 5, pricing: 'per_seat' };
    const id = await createPlan(client, { ...terms, ...more, metadata: { b: '1', a: '2' } });
    return [`/api/plans/${id}`, id, { ...terms, ...more, metadata: { a: '2', b: '1' } }];
  },
  feature: async () => {
    const body = { key: 'unchanged', name: 'Feature', kind: 'metered', unit: 'calls', dimensions: ['model'] };
    const id = idOf(await client.post('/api/features', { body }));
    return [`/api/features/${id}`, id, { name: 'Feature', unit: 'calls', dimensions: ['model'] }];
  },
  entitlement: async () => {
    const plan = await createPlan(client);
    const path = `/api/plans/${plan}/entitlements`;
    const body = {
      featureKey: await createFeature(client),
      quota: 1000.5,
      rollover: { periods: 2, max: 10.5 },
      alertPercents: [50, 90],
    };
    const id = idOf(await client.post(path, { body }));
    return [
      `${path}/${id}`,
      id,
      { quota: 1000.5, rollover: { periods: 2, max: 10.5 }, alertPercents: [50, 90], creditCost: null },
    ];
  },
  'webhook endpoint': async () => {
    const body = { url: 'https://app.example/hook', description: 'Shop', types: ['subscription.created'] };
    const id = idOf(await client.post('/api/webhook-endpoints', { body }));
    const same = { description: 'Shop', types: ['subscription.created'], enabled: true };
    return [`/api/webhook-endpoints/${id}`, id, same];
  },
};

test.each(Object.keys(made))('a %s that is changed to what it is has no record of it', async (kind) => {
  const [path, id, body] = (await made[kind]?.()) ?? ['', '', {}];
  const before = await actsOn(id);
  expect(before).toHaveLength(1);

  const changed = await client.patch(path, { body });
  expect(changed.status).toBe(200);
  expect(await actsOn(id)).toEqual(before);
  expect(changed.body['updatedAt']).toBe(changed.body['createdAt']);
});

test('the record of a change names the members that it changed', async () => {
  const plan = await createPlan(client);
  const body = { name: 'Pro', price: { amount: '3900', currency: 'USD' }, trialDays: 0 };
  expect((await client.patch(`/api/plans/${plan}`, { body })).status).toBe(200);
  expect((await actsOn(plan)).at(-1)).toEqual(['plan.updated', ['priceAmount']]);

  const path = `/api/plans/${plan}/entitlements`;
  const terms = { featureKey: await createFeature(client), quota: 10 };
  const id = idOf(await client.post(path, { body: terms }));
  expect((await client.patch(`${path}/${id}`, { body: { quota: 20 } })).status).toBe(200);
  const [action, members] = (await actsOn(id)).at(-1) ?? ['', []];
  expect([action, members.sort()]).toEqual(['entitlement.updated', ['feature', 'planId', 'quota']]);
});

test('an address that is sent again is confirmed, which is recorded', async () => {
  const url = 'https://app.example/confirmed';
  const id = idOf(await client.post('/api/webhook-endpoints', { body: { url } }));
  await client.patch(`/api/webhook-endpoints/${id}`, { body: { url } });
  expect((await actsOn(id)).at(-1)).toEqual(['webhook_endpoint.updated', ['url']]);
});

test.each(['plan-groups', 'features'])(
  'two operators who archive one of the %s at the same time: one record',
  async (list) => {
    const body =
      list === 'features'
        ? { key: 'archived', name: 'Feature', kind: 'metered' }
        : { slug: 'archived', name: 'Group' };
    const id = idOf(await client.post(`/api/${list}`, { body }));
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => client.post(`/api/${list}/${id}/archive`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await actsOn(id)).toHaveLength(2);
  },
);

test('an operator who releases a reservation is recorded, once; the application that does so is not', async () => {
  const scope = { workspaceId: client.workspaceId, environment: 'sandbox' } as const;
  const seed = new CatalogueSeeder(service.database, scope);
  const customer = await seed.customer('holder');
  await seed.subscription(customer, await seed.plan('held', [{ feature: 'calls', quota: 10 }]), {});
  const reserve = async (): Promise<string> => {
    const question = { externalId: 'holder', feature: 'calls', quantity: 2 };
    const { body } = await api.send('POST', '/v1/usage/check', {
      ...question,
      reserve: { expiresInSeconds: 600 },
    });
    return String(body['reservationId']);
  };
  const [byOperator, byKey] = [await reserve(), await reserve()];
  for (const _ of [1, 2])
    expect((await client.delete(`/api/billing/usage/reservations/${byOperator}`)).status).toBe(200);
  expect((await api.send('DELETE', `/v1/usage/reservations/${byKey}`)).status).toBe(200);

  expect(await actsOn(byOperator)).toEqual([['reservation.released', ['feature', 'quantity', 'customerId']]]);
  expect(await actsOn(byKey)).toEqual([]);
});
