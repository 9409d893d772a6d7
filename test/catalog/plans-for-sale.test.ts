import { randomUUID } from 'node:crypto';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { createKey, createWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';
import { createFeature, createGroup, idOf, planBody } from './offer';

/** The catalogue as a pricing page reads it with a secret key. */
const service = useService();
let admin: OperatorClient;
let app: Integrator;
beforeEach(async () => {
  const { workspaceId, sandbox } = await createWorkspace(service.database);
  admin = await logIn(service, { role: 'admin', workspaceId });
  app = new Integrator(service.urls.sandbox, await createKey(service.database, sandbox, ['read']));
});

const CONNECTIONS = '/api/provider-connections';

interface PlanAnswer {
  id: string;
  slug: string;
  providers: { provider: string; mapped: boolean; sellable: boolean; reason: string | null }[];
  entitlements: { feature: { key: string }; quota: number | null }[];
}

async function createPlan(members: object = {}): Promise<string> {
  return idOf(await admin.post('/api/plans', { body: planBody(await createGroup(admin), members) }));
}
async function list(query = ''): Promise<PlanAnswer[]> {
  const answer = await app.send('GET', `/v1/plans${query}`);
  expect(answer.status).toBe(200);
  return answer.body['data'] as PlanAnswer[];
}
async function connect(provider: string, settings: object = {}): Promise<string> {
  const body = { provider, displayName: provider, settings };
  return idOf(await admin.post(CONNECTIONS, { body }));
}

test('one call shows price, trial, group, entitlements and where each plan can be sold', async () => {
  const a = await connect('provider_a');
  const c = await connect('provider_c');
  const trial = await createPlan({ slug: 'pro', trialDays: 14, metadata: { providerAPriceId: 'price_1' } });
  const plain = await createPlan({ slug: 'basic', metadata: { providerCPlanCode: 'PLN_1' } });
  const feature = await createFeature(admin);
  const other = await createFeature(admin, 'boolean');
  for (const body of [{ featureKey: feature, quota: 100 }, { featureKey: other }])
    idOf(await admin.post(`/api/plans/${trial}/entitlements`, { body }));

  const [basic, pro] = await list();
  expect(pro).toMatchObject({
    id: trial,
    slug: 'pro',
    price: { amount: '2900', currency: 'USD' },
    interval: 'month',
    trialDays: 14,
    planGroup: { name: 'Group' },
    entitlements: [
      { feature: { key: feature }, quota: 100 },
      { feature: { key: other }, quota: null },
    ],
  });
  expect(pro?.providers).toEqual([
    { provider: 'internal', connectionId: null, mapped: true, sellable: true, reason: null },
    { provider: 'provider_a', connectionId: a, mapped: true, sellable: true, reason: null },
    { provider: 'provider_c', connectionId: c, mapped: false, sellable: false, reason: 'trial_unsupported' },
  ]);
  expect(basic).toMatchObject({ id: plain, entitlements: [] });
  expect(basic?.providers.map(({ mapped, reason }) => [mapped, reason])).toEqual([
    [true, null],
    [false, 'plan_not_mapped'],
    [true, null],
  ]);
  const operators = (await admin.get('/api/plans')).body['data'];
  expect(operators).toEqual([basic, pro]);
});

test('a plan’s slug may be the name of a property that every object has', async () => {
  await connect('provider_a', { planReferences: { other: 'price_2' } });
  await createPlan({ slug: 'constructor', metadata: { providerAPriceId: 'price_1' } });
  const [plan] = await list();
  expect(plan?.providers.map(({ mapped, reason }) => [mapped, reason])).toEqual([
    [true, null],
    [true, null],
  ]);
});

test('a plan is read by id and by slug; those of others are not there', async () => {
  const id = await createPlan({ slug: 'pro' });
  const [byId, bySlug] = [await app.send('GET', `/v1/plans/${id}`), await app.send('GET', '/v1/plans/pro')];
  expect(byId).toMatchObject({ status: 200, body: { id, slug: 'pro' } });
  expect(bySlug.body).toEqual(byId.body);
  const stranger = await createWorkspace(service.database);
  const theirs = new Integrator(
    service.urls.sandbox,
    await createKey(service.database, stranger.sandbox, ['read']),
  );
  for (const name of [id, 'pro', 'nothing']) {
    expect(await theirs.send('GET', `/v1/plans/${name}`)).toMatchObject({
      status: 404,
      body: { code: 'plan_not_found' },
    });
  }
});

test('a disabled connection and an archived plan sell nothing', async () => {
  const connection = await connect('provider_a');
  const id = await createPlan({ metadata: { providerAPriceId: 'price_1' } });
  await admin.delete(`${CONNECTIONS}/${connection}`);
  const reasonsOf = async () => (await list()).flatMap(({ providers }) => providers.map((one) => one.reason));
  expect(await reasonsOf()).toEqual([null, 'connection_disabled']);
  await admin.post(`/api/plans/${id}/archive`, {});
  expect(await reasonsOf()).toEqual(['plan_archived', 'plan_archived']);
  expect(await list('?archived=false')).toEqual([]);
});

test('the plans of an archived group are sold nowhere, and say when it was archived', async () => {
  const id = await createPlan();
  const { planGroupId } = (await app.send('GET', `/v1/plans/${id}`)).body as { planGroupId: string };
  const { body: group } = await admin.post(`/api/plan-groups/${planGroupId}/archive`, {});
  expect(await list('?archived=false')).toMatchObject([
    {
      archivedAt: null,
      planGroup: { id: planGroupId, archivedAt: group['archivedAt'] },
      providers: [{ provider: 'internal', sellable: false, reason: 'plan_archived' }],
    },
  ]);
  await admin.post(`/api/plan-groups/${planGroupId}/unarchive`, {});
  expect(await list()).toMatchObject([{ planGroup: { archivedAt: null }, providers: [{ sellable: true }] }]);
});

test('an ETag spares what has not changed, and no change is missed', async () => {
  const id = await createPlan();
  const ask = (etag?: string) =>
    app.send('GET', '/v1/plans', undefined, etag === undefined ? {} : { 'If-None-Match': etag });
  const first = await ask();
  const etag = first.headers.get('etag') ?? '';
  expect([etag.startsWith('W/"'), first.headers.get('cache-control')]).toEqual([true, 'private, no-cache']);
  const second = await ask(etag);
  expect([second.status, second.text, second.headers.get('etag')]).toEqual([304, '', etag]);
  expect(second.headers.get('vary')).toBe(first.headers.get('vary'));
  expect(second.headers.get('vary')).toContain('Accept-Encoding');
  const changes: (() => Promise<unknown>)[] = [
    () => admin.patch(`/api/plans/${id}`, { body: { price: { amount: '3000', currency: 'USD' } } }),
    async () =>
      admin.post(`/api/plans/${id}/entitlements`, {
        body: { featureKey: await createFeature(admin), quota: 1 },
      }),
    () => connect('provider_a'),
    () => admin.post(`/api/plans/${id}/archive`, {}),
  ];
  let before = etag;
  for (const change of changes) {
    await change();
    const after = await ask(before);
    expect([after.status, after.headers.get('etag') === before]).toEqual([200, false]);
    before = after.headers.get('etag') ?? '';
  }
  expect((await ask(`"${randomUUID()}"`)).status).toBe(200);
});

test('features are listed for a key', async () => {
  const key = await createFeature(admin);
  expect(await app.send('GET', '/v1/features')).toMatchObject({
    status: 200,
    body: { data: [{ key, kind: 'metered' }], hasMore: false },
  });
});
