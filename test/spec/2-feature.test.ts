import { createFeature, createPlan, idOf, pointersOf, unique } from '../catalog/offer';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

/** Section 2, feature: a stable string key, used as `feature` in usage calls. */
const service = useService();
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { role: 'developer' });
});

test('a feature has a stable key: name and unit change, the key does not', async () => {
  const key = `ai_tokens.${unique('v')}`;
  const created = await client.post('/api/features', {
    body: { key, name: 'Tokens', kind: 'metered', unit: 'token' },
  });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    key,
    name: 'Tokens',
    kind: 'metered',
    unit: 'token',
    archivedAt: null,
  });
  const id = idOf(created);
  expect(id).toMatch(/^feat_/);

  const changed = await client.patch(`/api/features/${id}`, { body: { name: 'AI tokens', unit: null } });
  expect(changed.body).toMatchObject({ id, key, name: 'AI tokens', unit: null });
  const refused = await client.patch(`/api/features/${id}`, { body: { key: 'other' } });
  expect([refused.status, ...pointersOf(refused)]).toEqual([400, '/key']);
  expect((await client.get(`/api/features/${id}`)).body).toEqual(changed.body);
});

test.each([
  ['a key with a space', { key: 'ai tokens', name: 'x', kind: 'metered' }, ['/key']],
  ['an empty key', { key: '', name: 'x', kind: 'metered' }, ['/key']],
  ['a key beyond 64 characters', { key: 'a'.repeat(65), name: 'x', kind: 'metered' }, ['/key']],
  ['a kind that is not known', { key: 'a', name: 'x', kind: 'gauge' }, ['/kind']],
  ['a unit of a boolean feature', { key: 'a', name: 'x', kind: 'boolean', unit: 'GB' }, ['/unit']],
  ['an unknown field', { key: 'a', name: 'x', kind: 'metered', quota: 5 }, ['/quota']],
])('%s is refused', async (_, body, pointers) => {
  const answer = await client.post('/api/features', { body });
  expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
  expect([...new Set(pointersOf(answer))]).toEqual(pointers);
});

test('a key is taken once', async () => {
  const key = await createFeature(client);
  const again = await client.post('/api/features', { body: { key, name: 'x', kind: 'boolean' } });
  expect(again.body).toMatchObject({ status: 409, code: 'resource_conflict', errors: [{ pointer: '/key' }] });
});

test('an archived feature is not added to plans, and works on where it is granted', async () => {
  const key = unique('feature');
  const id = idOf(await client.post('/api/features', { body: { key, name: 'x', kind: 'metered' } }));
  const held = await createPlan(client);
  const body = { featureId: id, quota: 5 };
  expect((await client.post(`/api/plans/${held}/entitlements`, { body })).status).toBe(201);
  expect((await client.post(`/api/features/${id}/archive`)).body['archivedAt']).toEqual(expect.any(String));

  const other = await createPlan(client);
  const refused = await client.post(`/api/plans/${other}/entitlements`, { body });
  expect([refused.status, refused.body['code']]).toEqual([409, 'feature_archived']);
  expect((await client.get(`/api/plans/${held}/entitlements`)).body).toMatchObject({
    data: [{ feature: { key } }],
  });

  await client.post(`/api/features/${id}/unarchive`);
  expect((await client.post(`/api/plans/${other}/entitlements`, { body })).status).toBe(201);
});

test('an unknown feature is a 404', async () => {
  for (const answer of [
    await client.get('/api/features/feat_none'),
    await client.patch('/api/features/feat_none', { body: {} }),
    await client.post('/api/features/feat_none/archive'),
  ]) {
    expect([answer.status, answer.body['code']]).toEqual([404, 'feature_not_found']);
  }
});
