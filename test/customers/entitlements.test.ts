import { createCustomer, createFeature, createPlan, idOf, subscribe } from '../catalog/offer';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

const service = useService();
let client: OperatorClient;
let integrator: Integrator;
beforeAll(async () => {
  client = await logIn(service, { role: 'developer' });
  const { body } = await client.post('/api/api-keys', { body: { name: 'test' } });
  integrator = new Integrator(service.urls.sandbox, String(body['secret']));
});

const features: Record<'limited' | 'soft' | 'flag' | 'elsewhere', string> = {
  limited: '',
  soft: '',
  flag: '',
  elsewhere: '',
};
let customer: { id: string; externalId: string };
beforeAll(async () => {
  features.limited = await createFeature(client);
  features.soft = await createFeature(client);
  features.flag = await createFeature(client, 'boolean');
  features.elsewhere = await createFeature(client);
  const planId = await createPlan(client);
  const grant = async (key: string, body: object): Promise<void> => {
    const { body: found } = await client.get('/api/features', { query: { take: '200' } });
    const feature = (found['data'] as { id: string; key: string }[]).find((one) => one.key === key);
    const answer = await client.post(`/api/plans/${planId}/entitlements`, {
      body: { featureId: feature?.id, ...body },
    });
    expect(answer.status).toBe(201);
  };
  await grant(features.limited, { quota: 10, resetInterval: 'month', enforcement: 'hard' });
  await grant(features.soft, { quota: 1, resetInterval: 'month', enforcement: 'soft' });
  await grant(features.flag, {});
  customer = await createCustomer(client);
  idOf(await subscribe(client, { externalId: customer.externalId, planId }));
  await integrator.track(customer.externalId, features.limited, 10);
  await integrator.track(customer.externalId, features.soft, 3);
});

const eventCount = async (): Promise<number> =>
  ((await client.get('/api/developer-events', { query: { take: '200' } })).body['data'] as unknown[]).length;

test('each feature shows what a check of one unit answers, and writes no decision', async () => {
  const before = await eventCount();
  const { status, body } = await client.get(`/api/customers/${customer.id}/entitlements`);
  expect(status).toBe(200);
  expect(await eventCount()).toBe(before);
  const shown = body['data'] as Record<string, unknown>[];
  expect(shown.map(({ feature }) => feature)).toEqual(Object.values(features).sort());
  for (const entitlement of shown) {
    const { name, kind, ...figures } = entitlement;
    expect(name).toBe('Feature');
    const { body: answer } = await integrator.check(customer.externalId, String(entitlement['feature']));
    const { status: word, decisionId, externalId, quantity, ...check } = answer;
    expect([word, externalId, quantity]).toEqual([
      figures['allowed'] === true ? 'access_granted' : 'access_denied',
      customer.externalId,
      1,
    ]);
    expect(decisionId).toMatch(/^dec_/);
    expect(figures).toEqual(check);
    expect(kind).toBe(entitlement['feature'] === features.flag ? 'boolean' : 'metered');
  }
  const allowed = shown.filter(({ allowed: yes }) => yes === true).map(({ feature }) => feature);
  expect(allowed).toEqual([features.soft, features.flag].sort());
});

test('an archived feature is listed where a plan still grants it, and nowhere else', async () => {
  const { body: found } = await client.get('/api/features', { query: { search: features.soft } });
  const [feature] = found['data'] as { id: string }[];
  const archive = (verb: string) => client.post(`/api/features/${String(feature?.id)}/${verb}`);
  const allowedOf = async (id: string): Promise<unknown> => {
    const { body } = await client.get(`/api/customers/${id}/entitlements`);
    const listed = body['data'] as { feature: string; allowed: boolean }[];
    return listed.find((one) => one.feature === features.soft)?.allowed;
  };
  const other = await createCustomer(client);
  expect((await archive('archive')).status).toBe(200);
  expect((await integrator.check(customer.externalId, features.soft)).body['allowed']).toBe(true);
  expect([await allowedOf(customer.id), await allowedOf(other.id)]).toEqual([true, undefined]);
  expect((await archive('unarchive')).status).toBe(200);
  expect(await allowedOf(other.id)).toBe(false);
});

test('a customer without a plan may use nothing, and an unknown one is not found', async () => {
  const { id } = await createCustomer(client);
  const { body } = await client.get(`/api/customers/${id}/entitlements`);
  const reasons = (body['data'] as { reason: { code: string } }[]).map(({ reason }) => reason.code);
  expect(new Set(reasons)).toEqual(new Set(['no_active_subscription']));
  const unknown = await client.get('/api/customers/cus_unknown/entitlements');
  expect([unknown.status, unknown.body['code']]).toEqual([404, 'customer_not_found']);
});

test('a workspace without features has none', async () => {
  const other = await logIn(service, { role: 'developer' });
  const { id } = await createCustomer(other);
  expect((await other.get(`/api/customers/${id}/entitlements`)).body).toEqual({ data: [], hasMore: false });
});

test('an operator’s check is the integrator’s, recorded with its source', async () => {
  const path = `/api/customers/${customer.id}/check`;
  const denied = await client.post(path, { body: { feature: features.limited, quantity: 1 } });
  expect(denied.status).toBe(200);
  expect(denied.body).toMatchObject({ status: 'access_denied', reason: { code: 'quota_exceeded' } });
  const { body } = await client.get(`/api/decisions/${String(denied.body['decisionId'])}`);
  expect(body).toMatchObject({ source: 'console', operation: 'check', feature: features.limited });
  const unknown = await client.post(path, { body: { feature: 'nope', quantity: 1 } });
  expect([unknown.status, unknown.body['code']]).toEqual([404, 'feature_not_found']);
  const nothing = await client.post(path, { body: { feature: features.limited, quantity: 0 } });
  expect([nothing.status, nothing.body['code']]).toEqual([400, 'validation_failed']);
  const viewer = await logIn(service, { role: 'viewer' });
  const refused = await viewer.post(path, { body: { feature: features.limited, quantity: 1 } });
  expect(refused.status).toBe(403);
});
