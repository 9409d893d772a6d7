import { createCustomer, createGroup, idOf, planBody, pointersOf, subscribe, unique } from '../catalog/offer';
import { logIn, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

/** Section 2, plan group: it has a slug-like name. */
const service = useService();
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { role: 'developer' });
});

test('a plan group is created, read, listed and renamed', async () => {
  const slug = unique('group');
  const created = await client.post('/api/plan-groups', { body: { slug, name: 'Main plans' } });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ slug, name: 'Main plans', archivedAt: null });
  const id = idOf(created);
  expect(id).toMatch(/^pgrp_/);
  expect((await client.get(`/api/plan-groups/${id}`)).body).toEqual(created.body);

  const renamed = await client.patch(`/api/plan-groups/${id}`, { body: { name: 'Core plans' } });
  expect(renamed.body).toMatchObject({ id, slug, name: 'Core plans' });
  const { body } = await client.get('/api/plan-groups', { query: { take: '1' } });
  expect(body['data']).toEqual([renamed.body]);
});

test.each([
  ['a slug with spaces', { slug: 'two words', name: 'x' }, ['/slug']],
  ['a slug in capitals', { slug: 'Main', name: 'x' }, ['/slug']],
  ['an empty name', { slug: 'main', name: '' }, ['/name']],
  ['a name with a line break', { slug: 'main', name: 'a\nb' }, ['/name']],
  ['a name that is a number', { slug: 'main', name: 5 }, ['/name']],
  ['a missing slug', { name: 'x' }, ['/slug']],
  ['an unknown field', { slug: 'main', name: 'x', colour: 'red' }, ['/colour']],
])('%s is refused', async (_, body, pointers) => {
  const answer = await client.post('/api/plan-groups', { body });
  expect(answer.status).toBe(400);
  expect(answer.body['code']).toBe('validation_failed');
  expect(pointersOf(answer)).toEqual(pointers);
});

test('a slug is taken once', async () => {
  const slug = unique('group');
  const body = { slug, name: 'One' };
  expect((await client.post('/api/plan-groups', { body })).status).toBe(201);
  const again = await client.post('/api/plan-groups', { body });
  expect(again.status).toBe(409);
  expect(again.body).toMatchObject({ code: 'resource_conflict', errors: [{ pointer: '/slug' }] });
  expect(JSON.stringify(again.body)).not.toMatch(/constraint|unique|plan_groups_/);
  const other = await createGroup(client);
  const renamed = await client.patch(`/api/plan-groups/${other}`, { body: { slug } });
  expect(renamed.body['code']).toBe('resource_conflict');
  // The same slug in production is a different record.
  expect((await client.post('/api/plan-groups', { body, env: 'production' })).status).toBe(201);
});

test('an archived group takes no new plans until it is taken out again', async () => {
  const group = await createGroup(client);
  const archived = await client.post(`/api/plan-groups/${group}/archive`);
  expect(archived.status).toBe(200);
  expect(archived.body['archivedAt']).toEqual(expect.any(String));
  expect((await client.post(`/api/plan-groups/${group}/archive`)).body).toEqual(archived.body);

  const refused = await client.post('/api/plans', { body: planBody(group) });
  expect(refused.status).toBe(409);
  expect(refused.body['code']).toBe('plan_group_archived');

  await client.post(`/api/plan-groups/${group}/unarchive`);
  expect((await client.post('/api/plans', { body: planBody(group) })).status).toBe(201);
});

test('the plans of an archived group take no new subscriptions', async () => {
  const group = await createGroup(client);
  const planId = idOf(await client.post('/api/plans', { body: planBody(group) }));
  await client.post(`/api/plan-groups/${group}/archive`);
  const { externalId } = await createCustomer(client);
  const refused = await subscribe(client, { externalId, planId });
  expect([refused.status, refused.body['code']]).toEqual([409, 'plan_archived']);
  await client.post(`/api/plan-groups/${group}/unarchive`);
  expect((await subscribe(client, { externalId, planId })).status).toBe(201);
});

test('an unknown group is a 404', async () => {
  for (const answer of [
    await client.get('/api/plan-groups/pgrp_none'),
    await client.patch('/api/plan-groups/pgrp_none', { body: { name: 'x' } }),
    await client.post('/api/plan-groups/pgrp_none/archive'),
    await client.post('/api/plans', { body: planBody('pgrp_none') }),
  ]) {
    expect([answer.status, answer.body['code']]).toEqual([404, 'plan_group_not_found']);
  }
});
