import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { DEFAULT_PORTAL_COLOUR, PORTAL_PARTS } from '../../src/domain/portal';
import type { Integrator } from '../support/integrator';
import { CatalogueSeeder } from '../support/catalogue';
import { ProviderARow } from '../support/provider-a-row';
import { untilLockWaits } from '../support/lock-waits';
import { logIn } from '../support/operator';
import { useProviderWorld } from '../support/use-provider-world';
import { linkFor, portalIntegrator, Visitor } from './visitor';

interface ViewBody {
  shows: string[];
  subscriptions: {
    id: string;
    status: string;
    plan: { slug: string };
    plans: { slug: string }[];
    mayWithdraw: boolean;
    withdrawReason: string | null;
  }[];
}

const world = useProviderWorld();
let app: Integrator;

beforeAll(async () => {
  app = await portalIntegrator(world.service, world.scope);
});
afterEach(() => set({ shows: [...PORTAL_PARTS], plans: null }));

async function set(body: Record<string, unknown>): Promise<void> {
  expect((await world.operator.patch('/api/billing/portal', { body })).status).toBe(200);
}

async function visit(externalId: string): Promise<Visitor> {
  const visitor = new Visitor(app.baseUrl);
  expect((await visitor.open(await linkFor(app, externalId))).status).toBe(204);
  return visitor;
}

async function local(plan = 'starter'): Promise<{ id: string; externalId: string }> {
  const externalId = `local-${randomUUID().slice(0, 8)}`;
  await app.send('PUT', `/v1/customers/${externalId}`, { name: 'Jo', metadata: { secret: 'internal-note' } });
  const key = { 'Idempotency-Key': externalId };
  const made = await app.send('POST', '/v1/subscriptions', { externalId, planSlug: plan }, key);
  return { id: String(made.body['id']), externalId };
}

const viewOf = async (visitor: Visitor) => (await visitor.view()).body as unknown as ViewBody;

test('the view has one customer’s things, and no name that an operator or a provider knows them by', async () => {
  const other = await local();
  const { externalId, id, reference } = await world.subscribe('provider_a');
  const visitor = await visit(externalId);
  const { text } = await visitor.view();
  expect((await viewOf(visitor)).subscriptions.map((one) => one.id)).toEqual([id]);
  for (const internal of [
    reference,
    other.id,
    world.connections.provider_a,
    'provider_a',
    'metadata',
    'cus_',
    'conn_',
  ])
    expect(text).not.toContain(internal);
  expect(await viewOf(await visit(other.externalId))).toMatchObject({ subscriptions: [{ id: other.id }] });
});

test('a subscription is shown however many checkouts for other plans were abandoned since', async () => {
  const { id, externalId } = await local();
  const seed = new CatalogueSeeder(world.service.database, world.scope);
  const plan = await seed.plan(`extra-${externalId}`, []);
  const { body: customer } = await app.send('GET', `/v1/customers/${externalId}`);
  const abandoned = { status: 'expired', next_wake_at: null };
  for (let n = 1; n <= 100; n += 1)
    await seed.subscription(String(customer['id']), plan, { ...abandoned, anchor: Date.now() + n });
  expect(await viewOf(await visit(externalId))).toMatchObject({ subscriptions: [{ id }] });
  const { body } = await app.send('GET', `/v1/customers/${externalId}`);
  const listed = body['subscriptions'] as { id: string; createdAt: string }[];
  expect(listed).toHaveLength(100);
  expect(listed.at(-1)?.id).toBe(id);
});

test('an archived feature that the plan still grants keeps its name', async () => {
  const { operator } = world;
  const feature = await operator.post('/api/features', {
    body: { key: 'reports', name: 'Monthly reports', kind: 'metered' },
  });
  const plan = await app.send('GET', '/v1/plans/starter');
  const entitlements = `/api/plans/${String(plan.body['id'])}/entitlements`;
  const granted = await operator.post(entitlements, { body: { featureKey: 'reports', quota: 5 } });
  const { id, externalId } = await local();
  await operator.post(`/api/features/${String(feature.body['id'])}/archive`);
  const visitor = await visit(externalId);
  const named = expect.arrayContaining([expect.objectContaining({ feature: 'Monthly reports' })]) as unknown;
  expect((await visitor.view()).body).toMatchObject({ usage: named });
  expect((await visitor.act(id, 'preview', { planSlug: 'pro' }, '')).body).toMatchObject({
    features: named,
  });
  const removed = await operator.delete(`${entitlements}/${String(granted.body['id'])}`);
  expect(removed.status).toBe(204);
});

test('an unchanged view is answered without a body', async () => {
  const { externalId } = await local();
  const visitor = await visit(externalId);
  const first = await visitor.view();
  const known = { 'If-None-Match': first.headers.get('etag') ?? '' };
  const again = await visitor.send('GET', 'view?watching=true', undefined, known);
  expect([again.status, again.text]).toEqual([304, '']);
  await app.track(externalId, 'api_calls');
  expect((await visitor.send('GET', 'view?watching=true', undefined, known)).status).toBe(200);
});

test('nothing is done to another customer’s subscription', async () => {
  const [mine, theirs] = [await local(), await local()];
  const visitor = await visit(mine.externalId);
  for (const [what, body] of [
    ['preview', { planSlug: 'pro' }],
    ['change', { planSlug: 'pro' }],
    ['cancel', {}],
    ['reactivate', {}],
    ['withdraw', {}],
    ['paid', {}],
  ] as const) {
    const answer = await visitor.act(theirs.id, what, body, randomUUID());
    expect([what, answer.status, answer.body['code']]).toEqual([what, 404, 'subscription_not_found']);
    expect(answer.text).not.toContain(theirs.id);
  }
  expect(await world.show(theirs.id)).toMatchObject({ status: 'active', plan: { slug: 'starter' } });
});

test('a key does one thing, and neither takes nor hits one of the application’s', async () => {
  const { id, externalId } = await local();
  const visitor = await visit(externalId);
  const key = `shared-${externalId}`;
  const answers = await Promise.all([1, 2, 3].map(() => visitor.act(id, 'change', { planSlug: 'pro' }, key)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const transactions = await app.send('GET', `/v1/transactions?subscriptionId=${id}`);
  expect((transactions.body['data'] as unknown[]).length).toBe(2);
  // The application may use the same key: it counts as a separate use.
  const change = await app.send(
    'POST',
    `/v1/subscriptions/${id}/change`,
    { seats: 2 },
    { 'Idempotency-Key': key },
  );
  expect(change.status).toBe(200);
  expect(answers[0]?.body).toEqual({
    effective: 'immediate',
    effectiveAt: expect.any(String) as string,
    requiresCustomerAction: false,
  });
});

test.each(['preview', 'change'])('a %s of nothing is refused, and takes no key', async (what) => {
  const { id, externalId } = await local();
  const visitor = await visit(externalId);
  for (const body of [{}, ...(what === 'change' ? [{ shown: { effective: 'immediate', dueNow: '0' } }] : [])])
    expect(await visitor.act(id, what, body, externalId)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ pointer: '/planSlug' }] },
    });
  expect((await visitor.act(id, what, { planSlug: 'pro' }, externalId)).status).toBe(200);
});

test('a change does what was shown of it, or nothing', async () => {
  const { planGroupId } = await world.seed.plan('team', [], { pricing: 'per_seat', price_amount: 1_000 });
  const dear = { plan_group_id: planGroupId, pricing: 'per_seat', price_amount: 100_000 };
  await world.seed.plan('company', [], dear);
  const { id, externalId } = await local('team');
  const visitor = await visit(externalId);
  const shown = async (body: object) => {
    const { effective, dueNow, withdraws } = (await visitor.act(id, 'preview', body, '')).body;
    return { effective, dueNow: (dueNow as { amount: string }).amount, withdraws };
  };
  const change = (body: object, key = randomUUID()) => visitor.act(id, 'change', body, key);
  const agreed = { seats: 5, shown: await shown({ seats: 5 }) };
  expect(agreed.shown).toEqual({ effective: 'immediate', dueNow: '4000', withdraws: null });
  // In another tab the plan becomes a dearer one: these seats would now cost a hundred times as much.
  expect((await change({ planSlug: 'company' })).status).toBe(200);
  const refused = await change(agreed);
  expect([refused.status, refused.body['code']]).toEqual([409, 'change_differs']);
  expect(await world.show(id)).toMatchObject({ plan: { slug: 'company' }, seats: 1 });
  // A change shown as immediate is carried out. Its response is replayed even if the same change would now have another
  // effect.
  const confirmed = { seats: 5, shown: await shown({ seats: 5 }) };
  const key = randomUUID();
  const done = await change(confirmed, key);
  expect(done.status).toBe(200);
  expect((await change(confirmed, key)).body).toEqual(done.body);
  // A change shown as scheduled for the renewal does not take effect immediately.
  const fewer = { seats: 4, shown: await shown({ seats: 4 }) };
  expect(fewer.shown).toEqual({ effective: 'next_renewal', dueNow: '0', withdraws: null });
  expect((await change({ seats: 3 })).status).toBe(200);
  expect((await change({ seats: 6, shown: fewer.shown })).body['code']).toBe('change_differs');
  // A change scheduled in the meantime, which was not shown, is not withdrawn unseen.
  expect((await change({ seats: 2, shown: fewer.shown })).body['code']).toBe('change_differs');
  expect((await world.show(id))['scheduledChange']).not.toBeNull();
  const seen = { seats: 6, shown: await shown({ seats: 6 }) };
  expect(seen.shown.withdraws).toMatchObject({ seats: 3 });
  expect((await change(seen)).status).toBe(200);
  expect(await world.show(id)).toMatchObject({ seats: 6, scheduledChange: null });
  for (const wrong of [{ effective: 'now', dueNow: '0' }, { effective: 'immediate', dueNow: '1.5' }, {}, 'x'])
    expect((await change({ seats: 7, shown: wrong })).body['code']).toBe('validation_failed');
  const atA = await world.subscribe('provider_a', { plan: 'starter' });
  const customer = await visit(atA.externalId);
  const cheap = { planSlug: 'large', shown: { effective: 'immediate', dueNow: '1' } };
  const dearer = await customer.act(atA.id, 'change', cheap, randomUUID());
  expect([dearer.status, dearer.body['code']]).toEqual([409, 'change_differs']);
  expect(await world.show(atA.id)).toMatchObject({ plan: { slug: 'starter' } });
});

test('each action that is not offered is refused, and so is a plan that may not be chosen', async () => {
  const { id, externalId } = await local();
  const visitor = await visit(externalId);
  const ask = async (what: string, body: object) =>
    (await visitor.act(id, what, body, randomUUID())).body['code'];
  await set({ shows: ['usage'] });
  for (const [what, body] of [
    ['preview', { planSlug: 'pro' }],
    ['change', { planSlug: 'pro' }],
    ['change', { seats: 2 }],
    ['cancel', {}],
    ['reactivate', {}],
    ['withdraw', {}],
    ['change', { planSlug: 'starter' }],
    ['paid', {}],
  ] as const)
    expect([what, await ask(what, body)]).toEqual([what, 'portal_action_not_offered']);
  await set({ shows: ['seatChange'] });
  expect(await ask('change', { planSlug: 'pro', seats: 2 })).toBe('portal_action_not_offered');
  await set({ shows: ['planChange'], plans: ['large'] });
  const [shown] = (await viewOf(visitor)).subscriptions;
  expect(shown?.plans.map(({ slug }) => slug)).toEqual(['large']);
  expect(await ask('change', { planSlug: 'pro' })).toBe('portal_action_not_offered');
  expect(await ask('change', { planSlug: 'large' })).toBeUndefined();
  expect(await world.show(id)).toMatchObject({ plan: { slug: 'large' }, seats: 1 });
});

test('a request that is sent again gets its answer, although its action is not offered any more', async () => {
  const { id, externalId } = await local();
  const visitor = await visit(externalId);
  const [changed, cancelled] = [randomUUID(), randomUUID()];
  const first = await visitor.act(id, 'change', { planSlug: 'pro' }, changed);
  expect(first.status).toBe(200);
  await set({ shows: ['usage'] });
  expect(await visitor.act(id, 'change', { planSlug: 'pro' }, changed)).toMatchObject({
    status: 200,
    body: first.body,
  });
  await set({ shows: ['cancel'] });
  const ended = await visitor.act(id, 'cancel', {}, cancelled);
  expect(ended.status).toBe(200);
  await set({ shows: ['usage'] });
  expect(await visitor.act(id, 'cancel', {}, cancelled)).toMatchObject({ status: 200, body: ended.body });
});

test('a request that was refused is sent again only if its action is still offered', async () => {
  const { id, externalId } = await local();
  const visitor = await visit(externalId);
  const key = randomUUID();
  const first = await visitor.act(id, 'reactivate', {}, key);
  expect([first.status, first.body['code']]).toEqual([422, 'capability_unsupported']);
  await set({ shows: ['usage'] });
  expect((await visitor.act(id, 'reactivate', {}, key)).body['code']).toBe('portal_action_not_offered');
});

test('a scheduled change is withdrawn or replaced only if the customer could have requested it', async () => {
  const { id, externalId } = await local('pro');
  const visitor = await visit(externalId);
  const ask = async (what: string, body: object) =>
    (await visitor.act(id, what, body, randomUUID())).body['code'];
  const plan = (body: object) =>
    app.send('POST', `/v1/subscriptions/${id}/change`, body, { 'Idempotency-Key': randomUUID() });
  const mayWithdraw = async () => (await viewOf(visitor)).subscriptions[0]?.mayWithdraw;
  expect(await mayWithdraw()).toBe(false);
  // The application has scheduled another plan for the renewal; customers choose seats only.
  expect((await plan({ planSlug: 'starter' })).status).toBe(200);
  await set({ shows: ['seatChange'] });
  for (const [what, body] of [
    ['withdraw', {}],
    ['preview', { seats: 2 }],
    ['change', { seats: 2 }],
    ['change', { planSlug: 'pro', seats: 2 }],
  ] as const)
    expect([what, body, await ask(what, body)]).toEqual([what, body, 'portal_action_not_offered']);
  expect(await mayWithdraw()).toBe(false);
  expect(await world.show(id)).toMatchObject({ seats: 1, scheduledChange: { plan: { slug: 'starter' } } });
  await set({ shows: ['planChange'] });
  expect(await mayWithdraw()).toBe(true);
  expect(await ask('withdraw', {})).toBeUndefined();
});

test('a change that a provider’s customer has approved is not offered for withdrawal, which is refused', async () => {
  const { id, externalId } = await world.subscribe('provider_b');
  const visitor = await visit(externalId);
  const shown = async () => (await viewOf(visitor)).subscriptions[0];
  expect(await shown()).toMatchObject({ mayWithdraw: false, withdrawReason: null });
  const requested = await world.change(id, { plan: 'large' });
  expect(await shown()).toMatchObject({ mayWithdraw: true, withdrawReason: null });
  await world.pay('provider_b', String(requested.body['approvalUrl']));
  await world.settle();
  const refused = await visitor.act(id, 'withdraw', {}, randomUUID());
  expect(refused.status).toBe(409);
  expect(await shown()).toMatchObject({ mayWithdraw: true, withdrawReason: refused.body['reason'] });
});

test('a change that a provider’s customer has approved is changed back on the page, as the reason says', async () => {
  const { id, externalId } = await world.subscribe('provider_b');
  const visitor = await visit(externalId);
  const offered = async () => (await viewOf(visitor)).subscriptions[0]?.plans.map(({ slug }) => slug);
  expect(await offered()).not.toContain('pro');
  await world.pay('provider_b', String((await world.change(id, { plan: 'large' })).body['approvalUrl']));
  await world.settle();
  await set({ plans: ['large'] });
  expect(await offered()).toEqual(['pro', 'large']);
  const back = await visitor.act(id, 'change', { planSlug: 'pro' }, randomUUID());
  expect(back.status).toBe(200);
  await world.pay('provider_b', String((await world.show(id)).pendingApproval?.approvalUrl));
  await world.settle();
  expect(await world.show(id)).toMatchObject({ plan: { slug: 'pro' }, scheduledChange: null });
  expect(await offered()).toEqual(['large']);
});

test('a customer is not told that the connection is disabled where a change cannot be withdrawn', async () => {
  const row = new ProviderARow(world);
  const { subscription } = await row.inWindow();
  await world.settle();
  const visitor = await visit(subscription.externalId);
  const reason = async () => (await viewOf(visitor)).subscriptions[0]?.withdrawReason;
  const disable = (at: Date | null) =>
    world.service.database.query(
      `UPDATE tollgate.provider_connections SET disabled_at = $1
        WHERE environment = 'sandbox' AND provider = 'provider_a'`,
      [at],
    );
  expect(await reason()).toBeNull();
  await disable(new Date());
  expect(await reason()).toBe('This cannot be done at the moment.');
  await disable(null);
});

test('seats that were planned are for the page that offers seats', async () => {
  const { planGroupId } = await world.seed.plan('squad', [], { pricing: 'per_seat' });
  await world.seed.plan('squad-plus', [], { plan_group_id: planGroupId, price_amount: 9_900 });
  const { id, externalId } = await local('squad');
  const visitor = await visit(externalId);
  const ask = (what: string, body: object) => visitor.act(id, what, body, randomUUID());
  for (const seats of [3, 2]) expect((await ask('change', { seats })).status).toBe(200);
  await set({ shows: ['planChange'] });
  for (const [what, body] of [
    ['withdraw', {}],
    ['change', { planSlug: 'squad-plus' }],
  ] as const)
    expect((await ask(what, body)).body['code']).toBe('portal_action_not_offered');
  expect(await world.show(id)).toMatchObject({ seats: 3, scheduledChange: { seats: 2 } });
  await set({ shows: ['seatChange'] });
  expect((await ask('withdraw', {})).status).toBe(200);
  expect(await world.show(id)).toMatchObject({ seats: 3, scheduledChange: null });
});

test('a plan that its provider does not know, or that is in another currency, is not offered', async () => {
  const within = { plan_group_id: world.plans.pro.planGroupId };
  await world.seed.plan('unmapped', [], within);
  await world.seed.plan('in-euros', [], { ...within, price_currency: 'EUR' });
  const { externalId } = await world.subscribe('provider_a');
  const [atA] = (await viewOf(await visit(externalId))).subscriptions;
  expect(atA?.plans.map(({ slug }) => slug)).toEqual(['starter', 'large']);
  const [here] = (await viewOf(await visit((await local()).externalId))).subscriptions;
  expect(here?.plans.map(({ slug }) => slug)).toEqual(['unmapped', 'pro', 'large']);
});

test('refusals are worded for customers, whatever the cause', async () => {
  const { id, externalId, reference } = await world.subscribe('provider_c');
  const visitor = await visit(externalId);
  const refused = await visitor.act(id, 'change', { planSlug: 'large' }, randomUUID());
  expect(refused).toMatchObject({
    status: 422,
    body: { code: 'capability_unsupported', reason: expect.stringContaining('does not support') as string },
  });
  const unknown = await visitor.act(id, 'change', { planSlug: 'no-such-plan' }, randomUUID());
  expect(unknown.body).toMatchObject({ code: expect.stringMatching(/^capability_/) as string });
  const atA = await world.subscribe('provider_a');
  const customer = await visit(atA.externalId);
  const unmapped = await customer.act(atA.id, 'change', { planSlug: 'unmapped' }, randomUUID());
  expect(unmapped).toMatchObject({
    status: 409,
    body: { code: 'capability_unavailable', reason: 'This cannot be done at the moment.' },
  });
  for (const { text } of [refused, unknown, unmapped])
    for (const internal of [reference, atA.reference, id, 'planReferences', 'mapped', 'conn_'])
      expect(text).not.toContain(internal);
});

test('a command that is refused later gives the reason, worded for customers, and only to its customer', async () => {
  const row = new ProviderARow(world);
  const subscription = await row.subscribe();
  await row.setCard(subscription, 'declines');
  row.meetSilence(subscription);
  const visitor = await visit(subscription.externalId);
  const accepted = await visitor.act(subscription.id, 'change', { planSlug: 'large' }, randomUUID());
  expect([accepted.status, Object.keys(accepted.body)]).toEqual([202, ['operationId']]);
  const path = `operations/${String(accepted.body['operationId'])}`;
  const underWay = { state: 'under_way', code: null, reason: null };
  expect((await visitor.send('GET', path)).body).toEqual(underWay);
  await row.settleLater();
  const outcome = await visitor.send('GET', `${path}?watching=true`);
  expect(outcome.status).toBe(200);
  expect(outcome.body).toEqual({
    state: 'refused',
    code: 'payment_declined',
    reason: 'The card was declined, so nothing was changed.',
  });
  const stranger = await visit((await local()).externalId);
  const hidden = await stranger.send('GET', path);
  expect([hidden.status, hidden.body['code']]).toEqual([404, 'operation_not_found']);
  // Nor does the page show operations that the application or an operator has sent.
  await row.setCard(subscription, 'pays');
  row.meetSilence(subscription);
  const theirs = await world.change(subscription.id, { plan: 'large' });
  expect(theirs.status).toBe(202);
  expect((await visitor.send('GET', `operations/${String(theirs.body['id'])}`)).status).toBe(404);
  await row.settleLater();
  await row.rest();
});

test('one that takes longer and is done says so', async () => {
  const row = new ProviderARow(world);
  const subscription = await row.subscribe();
  row.meetSilence(subscription);
  const visitor = await visit(subscription.externalId);
  const accepted = await visitor.act(subscription.id, 'change', { planSlug: 'large' }, randomUUID());
  expect(accepted.status).toBe(202);
  await row.settleLater();
  const { body } = await visitor.send('GET', `operations/${String(accepted.body['operationId'])}`);
  expect(body).toEqual({ state: 'done', code: null, reason: null });
  await row.rest();
});

test('two admins who change different settings at the same moment do not undo each other', async () => {
  // At first there is no row.
  await world.service.database.query('DELETE FROM tollgate.portal_settings');
  for (const name of ['First', 'Second']) {
    const other = new Client({ connectionString: world.service.database.adminUrl });
    await other.connect();
    await other.query('BEGIN');
    await other.query('LOCK TABLE tollgate.portal_settings IN SHARE MODE');
    const changes = [set({ name }), set({ colour: '#123456' })];
    await untilLockWaits(world.service.database, 2);
    await other.query('COMMIT');
    await other.end();
    await Promise.all(changes);
    const { body } = await world.operator.get('/api/billing/portal');
    expect(body).toMatchObject({ name, colour: '#123456' });
    await set({ name: null, colour: DEFAULT_PORTAL_COLOUR });
  }
});

test('settings are checked, an admin’s to change, and recorded without the image', async () => {
  const viewer = await logIn(world.service, { role: 'developer', workspaceId: world.operator.workspaceId });
  expect((await viewer.patch('/api/billing/portal', { body: { name: 'x' } })).body['code']).toBe(
    'role_forbidden',
  );
  expect((await viewer.get('/api/billing/portal')).status).toBe(200);
  const dataUrl = (type: string, bytes: Buffer): string => `data:${type};base64,${bytes.toString('base64')}`;
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(40_000)]);
  for (const body of [
    { colour: 'red' },
    { colour: '#FFF' },
    { shows: ['everything'] },
    { shows: ['pay', 'pay'] },
    { plans: ['Not A Slug'] },
    { logo: 'https://cdn.example.com/logo.png' },
    { logo: dataUrl('image/svg+xml', Buffer.from('<svg onload="alert(1)"/>')) },
    { logo: dataUrl('image/png', Buffer.from('<svg onload="alert(1)"/>')) },
    { logo: dataUrl('image/png', png) },
    { unknown: true },
  ])
    expect([body, (await world.operator.patch('/api/billing/portal', { body })).status]).toEqual([body, 400]);
  const logo = dataUrl('image/png', png.subarray(0, 30_000));
  await set({ logo, name: 'Tollgate & Sons' });
  const visitor = await visit((await local()).externalId);
  const { brand } = (await visitor.view()).body as { brand: { name: string; logo: string } };
  expect(brand.name).toBe('Tollgate & Sons');
  const image = await fetch(app.baseUrl + brand.logo, { headers: { Cookie: visitor.cookie ?? '' } });
  expect(image.headers.get('content-type')).toBe('image/png');
  expect(dataUrl('image/png', Buffer.from(await image.arrayBuffer()))).toBe(logo);
  expect((await fetch(app.baseUrl + brand.logo)).status).toBe(401);
  await set({ logo: null, name: null });
  const audit = await world.operator.get('/api/audit', { query: { action: 'portal_settings.changed' } });
  expect(JSON.stringify(audit.body)).toContain('image/png, 30000 bytes');
  expect(JSON.stringify(audit.body)).not.toContain('iVBOR');
});
