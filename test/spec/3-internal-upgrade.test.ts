import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/domain/instant';
import { createCustomer, createFeature, createGroup, idOf, subscribe } from '../catalog/offer';
import { command, dataOf, historyOf, planIn, preview, twoPlans } from '../support/billing';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { untilTaken } from '../support/until-taken';
import { createWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';

/** Section 3, internal, upgrade: local and immediate, with one pending transaction for the net amount. */
const service = useService({ commands: 'direct' });
let client: OperatorClient;
let integrator: Integrator;
beforeAll(async () => {
  const { workspaceId, sandboxKey } = await createWorkspace(service.database);
  client = await logIn(service, { role: 'admin', workspaceId });
  integrator = new Integrator(service.urls.sandbox, sandboxKey);
});

interface Proration {
  remainingMs: number;
  periodMs: number;
  current: { amount: { amount: string }; fullAmount: { amount: string } };
  target: { amount: { amount: string }; fullAmount: { amount: string } };
  net: { amount: string };
}

/** Rounds `part` of `whole` of an amount half-even, independently of the domain's code. */
function shareOf(amount: bigint, part: number, whole: number): bigint {
  const [dividend, divisor] = [amount * BigInt(part), BigInt(whole)];
  const [floor, rest] = [dividend / divisor, (dividend % divisor) * 2n];
  return rest > divisor || (rest === divisor && floor % 2n === 1n) ? floor + 1n : floor;
}

/** Creates a subscription that is ten days into its month. */
async function runningFor(planId: string, seats: number): Promise<{ id: string; externalId: string }> {
  const { externalId } = await createCustomer(client);
  const anchor = new Date(Date.now() - 10 * DAY_MS).toISOString();
  return { id: idOf(await subscribe(client, { externalId, planId, seats, anchor })), externalId };
}

test('it makes one pending transaction: what is left of the target less what is unused of the current', async () => {
  const { starter, starterSlug, pro, proSlug } = await twoPlans(client);
  const { id } = await runningFor(starter, 3);
  const { status, body } = await command(client, id, 'change', { body: { planId: pro, seats: 5 } });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    effective: 'immediate',
    requiresCustomerAction: false,
    subscription: { plan: { id: pro, slug: proSlug }, seats: 5, price: { amount: '3000' } },
    transaction: {
      subscriptionId: id,
      kind: 'proration',
      status: 'pending',
      proration: {
        policyVersion: 1,
        current: { plan: { id: starter, slug: starterSlug }, seats: 3, fullAmount: { amount: '3000' } },
        target: { plan: { id: pro, slug: proSlug }, seats: 5, fullAmount: { amount: '15000' } },
      },
      tax: { behavior: 'none', rates: [] },
    },
  });
  const { subscription, transaction } = body as Record<
    'subscription' | 'transaction',
    Record<string, unknown>
  >;
  const proration = transaction['proration'] as Proration;
  const { remainingMs, periodMs, current, target, net } = proration;
  expect(Date.parse(String(body['effectiveAt'])) + remainingMs).toBe(
    Date.parse(String(subscription['currentPeriodEnd'])),
  );
  const unused = shareOf(3000n, remainingMs, periodMs);
  const remaining = shareOf(15_000n, remainingMs, periodMs);
  expect([current.amount.amount, target.amount.amount, net.amount]).toEqual([
    String(unused),
    String(remaining),
    String(remaining - unused),
  ]);
  expect(transaction).toMatchObject({
    total: { amount: net.amount, currency: 'USD' },
    amountOpen: { amount: net.amount },
  });
  const listed = await client.get('/api/billing/transactions', { query: { subscriptionId: id } });
  expect(dataOf(listed).map(({ kind }) => kind)).toEqual(['proration', 'initial']);
  expect(await historyOf(client, id)).toEqual(['created', 'upgraded']);
});

test('the same key returns the original transaction, whatever has changed since', async () => {
  const { starter, pro } = await twoPlans(client);
  const { id } = await runningFor(starter, 1);
  const [key, body] = [randomUUID(), { planId: pro }];
  const first = await command(client, id, 'change', { key, body });
  await command(client, id, 'change', { body: { seats: 9 } });
  const replayed = await command(client, id, 'change', { key, body });
  expect(replayed.headers.get('Idempotency-Replayed')).toBe('true');
  expect(replayed.body).toEqual(first.body);
  const other = await command(client, id, 'change', { key, body: { planId: pro, seats: 2 } });
  expect([other.status, other.body['code']]).toEqual([422, 'idempotency_key_reused']);
  const listed = await client.get('/api/billing/transactions', { query: { subscriptionId: id } });
  expect(dataOf(listed)).toHaveLength(3);
});

test('ten upgrades at once under one key make one transaction', async () => {
  const { starter, pro } = await twoPlans(client);
  const { id } = await runningFor(starter, 1);
  const key = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      untilTaken(() => command(client, id, 'change', { key, body: { planId: pro } })),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  const listed = await client.get('/api/billing/transactions', { query: { subscriptionId: id } });
  expect(dataOf(listed).filter(({ kind }) => kind === 'proration')).toHaveLength(1);
});

test('check and track follow from the very next call', async () => {
  const { starter, pro } = await twoPlans(client);
  const feature = await createFeature(client);
  const entitle = (plan: string, quota: number) =>
    client.post(`/api/plans/${plan}/entitlements`, { body: { featureKey: feature, quota, perSeat: true } });
  idOf(await entitle(starter, 10));
  idOf(await entitle(pro, 100));
  const { id, externalId } = await runningFor(starter, 2);
  expect((await integrator.track(externalId, feature, 15)).status).toBe(200);
  expect((await integrator.track(externalId, feature, 15)).status).toBe(403);
  await command(client, id, 'change', { body: { planId: pro, seats: 3 } });
  expect((await integrator.track(externalId, feature, 15)).body).toMatchObject({ quota: 300, usage: 30 });
});

test('the preview is what then happens, and writes nothing', async () => {
  const { starter, starterSlug, pro, proSlug } = await twoPlans(client);
  const [shared, extra] = [await createFeature(client), await createFeature(client, 'boolean')];
  const entitle = async (plan: string, body: object) =>
    idOf(await client.post(`/api/plans/${plan}/entitlements`, { body }));
  await entitle(starter, { featureKey: shared, quota: 10, perSeat: true });
  await entitle(pro, { featureKey: shared, quota: null });
  await entitle(pro, { featureKey: extra });
  const { id } = await runningFor(starter, 2);
  const before = (await client.get(`/api/billing/subscriptions/${id}`)).body;
  const { status, body } = await preview(client, id, { planSlug: proSlug, seats: 4 });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    dryRun: true,
    effective: 'immediate',
    direction: 'upgrade',
    from: { plan: { id: starter, slug: starterSlug }, seats: 2 },
    to: { plan: { id: pro, slug: proSlug }, seats: 4 },
    tax: { amount: '0', currency: 'USD' },
    requiresCustomerAction: false,
    policyVersion: 1,
    estimated: false,
    withdraws: null,
  });
  expect(body['steps']).not.toEqual([]);
  const quota = (units: number | null) => expect.objectContaining({ quota: units }) as unknown;
  const difference = [
    {
      feature: shared,
      from: quota(20),
      to: expect.objectContaining({ quota: null, unlimited: true }) as unknown,
    },
    { feature: extra, from: null, to: quota(null) },
  ].sort((one, other) => (one.feature < other.feature ? -1 : 1));
  expect(body['entitlements']).toEqual(difference);
  expect((await client.get(`/api/billing/subscriptions/${id}`)).body).toEqual(before);
  expect(await historyOf(client, id)).toEqual(['created']);

  const amount = (name: string) => BigInt((body[name] as { amount: string }).amount);
  expect(amount('net')).toBe(amount('charge') - amount('credit'));
  expect(amount('dueNow')).toBe(amount('net') + amount('tax'));
  const done = await command(client, id, 'change', { body: { planSlug: proSlug, seats: 4 } });
  const { total } = done.body['transaction'] as { total: { amount: string } };
  // A moment has passed between the two: at most a minor unit on each side.
  const apart = BigInt(total.amount) - amount('dueNow');
  expect(apart >= -2n && apart <= 2n).toBe(true);
});

test('a preview speaks of the quota of each entity, which is no unlimited use', async () => {
  const { starter, pro, proSlug } = await twoPlans(client);
  const feature = await createFeature(client);
  const entitle = async (plan: string, body: object) =>
    idOf(await client.post(`/api/plans/${plan}/entitlements`, { body: { featureKey: feature, ...body } }));
  await entitle(starter, { quota: 100, entityQuota: 5 });
  const other = await entitle(pro, { quota: 100, entityQuota: 10 });
  const { id } = await runningFor(starter, 1);
  const difference = async () => {
    const { body } = await preview(client, id, { planSlug: proSlug });
    return (body['entitlements'] as { from: object; to: object }[]).map(({ from, to }) => [from, to]);
  };
  const terms = (quota: number | null, entityQuota: number | null) =>
    expect.objectContaining({ quota, entityQuota, unlimited: false }) as unknown;
  expect(await difference()).toEqual([[terms(100, 5), terms(100, 10)]]);
  const path = `/api/plans/${pro}/entitlements/${other}`;
  expect((await client.patch(path, { body: { quota: null } })).status).toBe(200);
  expect(await difference()).toEqual([[terms(100, 5), terms(null, 10)]]);
  expect((await client.patch(path, { body: { quota: 100, entityQuota: 5 } })).status).toBe(200);
  expect(await difference()).toEqual([]);
});

test('a preview names how many entities each plan allows', async () => {
  const { starter, pro, proSlug } = await twoPlans(client);
  const { id } = await runningFor(starter, 1);
  const limits = async () => (await preview(client, id, { planSlug: proSlug })).body['entityLimit'];
  expect(await limits()).toEqual({ from: null, to: null });
  expect((await client.patch(`/api/plans/${pro}`, { body: { entityLimit: 5 } })).status).toBe(200);
  expect(await limits()).toEqual({ from: null, to: 5 });
});

test('a preview says that unused quota stays in one plan, and lapses in the other', async () => {
  const { starter, pro, proSlug } = await twoPlans(client);
  const feature = await createFeature(client);
  const rollover = { periods: 2, use: 'first', max: 150 };
  for (const [plan, more] of [
    [starter, { rollover }],
    [pro, {}],
  ] as const)
    idOf(
      await client.post(`/api/plans/${plan}/entitlements`, {
        body: { featureKey: feature, quota: 100, ...more },
      }),
    );
  const { id } = await runningFor(starter, 1);
  const { body } = await preview(client, id, { planSlug: proSlug });
  expect(body['entitlements']).toMatchObject([
    { feature, from: { quota: 100, rollover }, to: { quota: 100, rollover: null } },
  ]);
});

test('it withdraws a scheduled downgrade and says so', async () => {
  const { starter, pro, proSlug } = await twoPlans(client);
  const { id } = await runningFor(pro, 2);
  await command(client, id, 'change', { body: { planId: starter } });
  const { body } = await command(client, id, 'change', { body: { seats: 3 } });
  expect(body).toMatchObject({
    effective: 'immediate',
    withdrawn: { plan: { id: starter }, seats: 2 },
    subscription: { plan: { slug: proSlug }, seats: 3, scheduledChange: null },
  });
  expect(await historyOf(client, id)).toEqual([
    'created',
    'downgrade_scheduled',
    'scheduled_change_withdrawn',
    'seats_increased',
  ]);
});

/** Returns the terms that a preview shows for a change, in the form in which they are sent back. */
async function shownOf(id: string, body: object) {
  const { effective, dueNow, withdraws } = (await preview(client, id, body)).body;
  return { effective, dueNow: (dueNow as { amount: string }).amount, withdraws };
}

test('it takes back no change that somebody has planned since it was shown', async () => {
  const { starter, pro, starterSlug } = await twoPlans(client);
  const { id } = await runningFor(pro, 2);
  const upgrade = { seats: 3 };
  const old = { ...upgrade, shown: await shownOf(id, upgrade) };
  expect(old.shown.withdraws).toBeNull();
  await command(client, id, 'change', { body: { planId: starter } });
  const planned = (await client.get(`/api/billing/subscriptions/${id}`)).body['scheduledChange'];
  const refused = await command(client, id, 'change', { body: old });
  expect(refused).toMatchObject({
    status: 409,
    body: {
      code: 'change_differs',
      detail: `The change would replace the one to ${starterSlug} × 2 that has been planned in the meantime.`,
    },
  });
  expect((await client.get(`/api/billing/subscriptions/${id}`)).body).toMatchObject({
    seats: 2,
    scheduledChange: planned,
  });
  const seen = { ...upgrade, shown: await shownOf(id, upgrade) };
  expect(seen.shown.withdraws).toEqual({ plan: { id: starter, slug: starterSlug }, seats: 2 });
  // Terms that differ from those shown are refused as well.
  await command(client, id, 'change', { body: { seats: 1 } });
  expect((await command(client, id, 'change', { body: seen })).body['code']).toBe('change_differs');
  await command(client, id, 'change', { body: { planId: starter } });
  const key = randomUUID();
  const done = await command(client, id, 'change', { body: seen, key });
  expect(done).toMatchObject({ status: 200, body: { withdrawn: { plan: { id: starter }, seats: 2 } } });
  // The answer is repeated, whatever is scheduled by then.
  await command(client, id, 'change', { body: { planId: starter } });
  expect((await command(client, id, 'change', { body: seen, key })).body).toEqual(done.body);
});

test('it takes the place of what was planned where the caller does not say what was shown of that', async () => {
  const { starter, pro } = await twoPlans(client);
  const { id } = await runningFor(pro, 2);
  const { effective, dueNow } = await shownOf(id, { seats: 3 });
  await command(client, id, 'change', { body: { planId: starter } });
  const { status, body } = await command(client, id, 'change', {
    body: { seats: 3, shown: { effective, dueNow } },
  });
  expect([status, body]).toMatchObject([200, { withdrawn: { plan: { id: starter } } }]);
  for (const withdraws of [{}, true, { plan: null, seats: 1 }, { plan: { id: 'x' }, seats: 1 }])
    expect(
      (await command(client, id, 'change', { body: { seats: 4, shown: { effective, dueNow, withdraws } } }))
        .body['code'],
    ).toBe('validation_failed');
});

test('of an upgrade and a downgrade that are sent at once, none is lost', async () => {
  const { starter, pro } = await twoPlans(client);
  for (const turn of [0, 1, 2, 3]) {
    const { id } = await runningFor(pro, 2);
    const up = { body: { seats: 3, shown: await shownOf(id, { seats: 3 }) } };
    const down = { body: { planId: starter, shown: await shownOf(id, { planId: starter }) } };
    const sent = turn % 2 === 0 ? [up, down] : [down, up];
    const answers = await Promise.all(sent.map((one) => command(client, id, 'change', one)));
    const [upward, downward] = turn % 2 === 0 ? answers : [answers[1], answers[0]];
    expect(downward?.status).toBe(200);
    const { seats, scheduledChange } = (await client.get(`/api/billing/subscriptions/${id}`)).body;
    expect(scheduledChange).toMatchObject({ plan: { id: starter } });
    expect([upward?.status, seats]).toEqual(upward?.status === 200 ? [200, 3] : [409, 2]);
  }
});

test('more seats and a smaller plan are an upgrade where the whole costs more, and the reverse', async () => {
  const { starter, pro } = await twoPlans(client);
  const more = await runningFor(pro, 1);
  const up = await command(client, more.id, 'change', { body: { planId: starter, seats: 4 } });
  expect(up.body).toMatchObject({
    effective: 'immediate',
    subscription: { plan: { id: starter }, seats: 4 },
  });
  const fewer = await runningFor(starter, 4);
  const down = await command(client, fewer.id, 'change', { body: { planId: pro, seats: 1 } });
  expect(down.body).toMatchObject({
    effective: 'next_renewal',
    subscription: { plan: { id: starter }, seats: 4 },
  });
  expect(down.body['transaction']).toBeUndefined();
});

test('in a trial it is at once and costs nothing, and the trial’s end stays', async () => {
  const group = await createGroup(client);
  const small = await planIn(client, group, `small-${randomUUID().slice(0, 8)}`, '1000', { trialDays: 14 });
  const large = await planIn(client, group, `large-${randomUUID().slice(0, 8)}`, '9000', {
    interval: 'year',
  });
  const { externalId } = await createCustomer(client);
  const opened = await subscribe(client, { externalId, planId: small });
  const { trialEnd } = opened.body;
  const { body } = await command(client, idOf(opened), 'change', { body: { planId: large } });
  expect(body).toMatchObject({
    effective: 'immediate',
    subscription: {
      status: 'trialing',
      plan: { id: large },
      interval: 'year',
      trialEnd,
      currentPeriodEnd: trialEnd,
    },
    transaction: { kind: 'proration', status: 'paid', total: { amount: '0' } },
  });
});

test.each([
  ['JPY', '1000', '2000'],
  ['KWD', '12345', '54321'],
])('in %s the minor units are exact, with tax of the period’s start', async (currency, small, large) => {
  const settings = { taxBehavior: 'exclusive', taxRates: [{ name: 'VAT', rate: '0.19' }] };
  expect((await client.patch('/api/billing/settings', { body: settings })).status).toBe(200);
  try {
    const group = await createGroup(client);
    const suffix = randomUUID().slice(0, 8);
    const one = await planIn(client, group, `small-${suffix}`, small, { currency });
    const other = await planIn(client, group, `large-${suffix}`, large, { currency });
    const { id } = await runningFor(one, 7);
    await client.patch('/api/billing/settings', { body: { taxRates: [{ name: 'VAT', rate: '0.25' }] } });
    const { body } = await command(client, id, 'change', { body: { planId: other } });
    const transaction = body['transaction'] as Record<string, { amount: string }> & { proration: Proration };
    const { remainingMs, periodMs } = transaction.proration;
    const net =
      shareOf(BigInt(large) * 7n, remainingMs, periodMs) - shareOf(BigInt(small) * 7n, remainingMs, periodMs);
    const tax = shareOf(net, 19, 100);
    expect(transaction).toMatchObject({
      tax: { behavior: 'exclusive', rates: [{ name: 'VAT', rate: '0.19' }] },
      subtotal: { amount: String(net), currency },
      taxAmount: { amount: String(tax) },
      total: { amount: String(net + tax) },
    });
  } finally {
    await client.patch('/api/billing/settings', { body: { taxBehavior: 'none', taxRates: [] } });
  }
});

test('a flat plan’s upgrade counts no seats', async () => {
  const group = await createGroup(client);
  const suffix = randomUUID().slice(0, 8);
  const small = await planIn(client, group, `small-${suffix}`, '1000', { pricing: 'flat' });
  const large = await planIn(client, group, `large-${suffix}`, '5000', { pricing: 'flat' });
  const { id } = await runningFor(small, 3);
  const { body } = await command(client, id, 'change', { body: { planId: large } });
  expect(body).toMatchObject({
    transaction: {
      proration: { current: { fullAmount: { amount: '1000' } }, target: { fullAmount: { amount: '5000' } } },
    },
  });
});

test('an upgrade after the period’s end is priced against the new period', async () => {
  const { starter, pro } = await twoPlans(client);
  const { externalId } = await createCustomer(client);
  const anchor = new Date(Date.now() + DAY_MS).toISOString();
  const id = idOf(await subscribe(client, { externalId, planId: starter, anchor }));
  service.clock.ahead = 2 * DAY_MS;
  try {
    const later = await logIn(service, { role: 'developer', workspaceId: client.workspaceId });
    // Nothing has run since: a preview would have to guess, while the change takes the renewal first.
    await service.database.query('DELETE FROM graphile_worker._private_jobs');
    const early = await preview(later, id, { planId: pro });
    expect([early.status, early.headers.get('Retry-After')]).toEqual([503, '1']);
    // The renewal may be spread over minutes, so the preview has it processed.
    expect(
      await service.database.query('SELECT FROM graphile_worker._private_jobs WHERE key = $1', [
        `subscription/sandbox/${id}`,
      ]),
    ).toHaveLength(1);
    const { body } = await command(later, id, 'change', { body: { planId: pro } });
    const { subscription, transaction } = body as Record<
      'subscription' | 'transaction',
      Record<string, unknown>
    >;
    expect(transaction['periodStart']).toBe(subscription['currentPeriodStart']);
    expect(Date.parse(String(subscription['currentPeriodEnd']))).toBeGreaterThan(service.clock.now());
    const listed = await later.get('/api/billing/transactions', { query: { subscriptionId: id } });
    expect(dataOf(listed).map(({ kind }) => kind)).toEqual(['proration', 'renewal', 'initial']);
  } finally {
    service.clock.ahead = 0;
  }
});
