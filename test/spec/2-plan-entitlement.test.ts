import { createCustomer, createFeature, createPlan, idOf, pointersOf, subscribe } from '../catalog/offer';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { createWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/** Section 2, plan entitlement: attaches a feature and its quota to a plan. */
const service = useService();
let client: OperatorClient;
let integrator: Integrator;
let planId: string;
beforeAll(async () => {
  const { workspaceId, sandboxKey } = await createWorkspace(service.database);
  client = await logIn(service, { role: 'developer', workspaceId });
  integrator = new Integrator(service.urls.sandbox, sandboxKey);
  planId = await createPlan(client);
});

const create = (body: object, plan = planId) => client.post(`/api/plans/${plan}/entitlements`, { body });

test('an entitlement attaches a feature and its quota to a plan', async () => {
  const featureKey = await createFeature(client);
  const created = await create({ featureKey, quota: 1000.5 });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    planId,
    feature: { key: featureKey, kind: 'metered' },
    quota: 1000.5,
    unlimited: false,
    perSeat: false,
    resetInterval: 'billing_period',
    enforcement: 'hard',
    creditCost: null,
  });
  expect(idOf(created)).toMatch(/^ent_/);
  const { body } = await client.get(`/api/plans/${planId}/entitlements`, { query: { take: '1' } });
  expect(body['data']).toEqual([created.body]);
});

test('a quota of null is unlimited, a boolean feature has none', async () => {
  const unlimited = await create({ featureKey: await createFeature(client), quota: null });
  expect(unlimited.body).toMatchObject({ quota: null, unlimited: true });
  const onOff = await create({ featureKey: await createFeature(client, 'boolean') });
  expect(onOff.body).toMatchObject({ quota: null, unlimited: false, creditCost: null });
});

test.each([
  ['a metered feature without a quota', 'metered', {}, ['/quota']],
  ['a quota as text', 'metered', { quota: '5' }, ['/quota']],
  ['a negative quota', 'metered', { quota: -1 }, ['/quota']],
  ['a quota with seven decimals', 'metered', { quota: 0.1234567 }, ['/quota']],
  ['a quota beyond 10^12', 'metered', { quota: 1e12 + 1 }, ['/quota']],
  ['a tiny quota', 'metered', { quota: 1e-300 }, ['/quota']],
  ['a credit cost of zero', 'metered', { quota: 1, creditCost: 0 }, ['/creditCost']],
  ['an unknown interval', 'metered', { quota: 1, resetInterval: 'hour' }, ['/resetInterval']],
  ['an unknown enforcement', 'metered', { quota: 1, enforcement: 'none' }, ['/enforcement']],
  ['a quota of a boolean feature', 'boolean', { quota: 1 }, ['/quota']],
  ['a credit cost of a boolean feature', 'boolean', { creditCost: 1 }, ['/creditCost']],
  ['seats of a boolean feature', 'boolean', { perSeat: true }, ['/perSeat']],
  ['an unknown field', 'metered', { quota: 1, limit: 1 }, ['/limit']],
] as const)('%s is refused', async (_, kind, terms, pointers) => {
  const answer = await create({ featureKey: await createFeature(client, kind), ...terms });
  expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
  expect(pointersOf(answer)).toEqual(pointers);
});

test('a quota that a number cannot hold is refused', async () => {
  const url = `${service.urls.console}/api/plans/${planId}/entitlements?organizationId=${client.workspaceId}&env=sandbox`;
  const answer = await fetch(url, {
    method: 'POST',
    headers: { Cookie: client.cookie, 'Content-Type': 'application/json', Origin: service.urls.console },
    body: `{"featureKey":"${await createFeature(client)}","quota":123456789012.1234567}`,
  });
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 'body_number_imprecise' });
});

test('the feature is named once, exists, and is attached once', async () => {
  const featureKey = await createFeature(client);
  expect((await create({ quota: 1 })).status).toBe(400);
  expect((await create({ featureKey, featureId: 'feat_x', quota: 1 })).status).toBe(400);
  expect((await create({ featureKey: 'no-such-feature', quota: 1 })).body['code']).toBe('feature_not_found');
  expect((await create({ featureKey, quota: 1 }, 'plan_none')).body['code']).toBe('plan_not_found');
  expect((await create({ featureKey, quota: 1 })).status).toBe(201);
  const again = await create({ featureKey, quota: 2 });
  expect([again.status, again.body['code']]).toEqual([409, 'resource_conflict']);
});

test('PATCH keeps what is left out, PUT replaces', async () => {
  const featureKey = await createFeature(client);
  const terms = { quota: 10, perSeat: true, resetInterval: 'day', enforcement: 'soft', creditCost: 0.25 };
  const path = `/api/plans/${planId}/entitlements/${idOf(await create({ featureKey, ...terms }))}`;
  expect((await client.patch(path, { body: { quota: null } })).body).toMatchObject({
    ...terms,
    quota: null,
    unlimited: true,
  });
  expect((await client.put(path, { body: { quota: 7 } })).body).toMatchObject({
    quota: 7,
    perSeat: false,
    resetInterval: 'billing_period',
    enforcement: 'hard',
    creditCost: null,
  });
  expect(pointersOf(await client.put(path, { body: {} }))).toEqual(['/quota']);
  expect((await client.delete(path)).status).toBe(204);
  expect((await client.delete(path)).body['code']).toBe('entitlement_not_found');
});

test.each([{ quota: null }, { resetInterval: 'never' }])(
  'rollover is refused without a next period or unused units, and the fix of a PATCH works: %j',
  async (change) => {
    const featureKey = await createFeature(client);
    const refused = await create({ featureKey, quota: 5, rollover: { periods: 2 }, ...change });
    expect([refused.status, pointersOf(refused)]).toEqual([400, ['/rollover']]);
    const path = `/api/plans/${planId}/entitlements/${idOf(await create({ featureKey, quota: 5, rollover: { periods: 2 } }))}`;
    const { body } = await client.patch(path, { body: change });
    expect(body['errors']).toMatchObject([{ pointer: '/rollover', fix: 'Send null for `rollover`.' }]);
    expect((await client.patch(path, { body: { ...change, rollover: null } })).body).toMatchObject(change);
  },
);

test('another plan’s entitlement is not reached through this one', async () => {
  const other = await createPlan(client);
  const id = idOf(await create({ featureKey: await createFeature(client), quota: 1 }, other));
  const path = `/api/plans/${planId}/entitlements/${id}`;
  expect((await client.patch(path, { body: { quota: 2 } })).status).toBe(404);
  expect((await client.delete(path)).status).toBe(404);
});

test('a change applies to subscribers from the very next call', async () => {
  const plan = await createPlan(client);
  const featureKey = await createFeature(client);
  const entitlement = idOf(await create({ featureKey, quota: 10 }, plan));
  const { externalId } = await createCustomer(client);
  expect((await subscribe(client, { externalId, planId: plan })).status).toBe(201);
  expect((await integrator.track(externalId, featureKey, 8)).status).toBe(200);
  expect((await integrator.check(externalId, featureKey, 5)).body).toMatchObject({
    allowed: false,
    remaining: 2,
  });

  const path = `/api/plans/${plan}/entitlements/${entitlement}`;
  await client.patch(path, { body: { quota: 20 } });
  expect((await integrator.check(externalId, featureKey, 5)).body).toMatchObject({
    allowed: true,
    usage: 8,
    quota: 20,
    remaining: 12,
  });
  await client.delete(path);
  expect((await integrator.check(externalId, featureKey, 1)).body).toMatchObject({
    allowed: false,
    reason: { code: 'feature_not_in_plan' },
  });
});
