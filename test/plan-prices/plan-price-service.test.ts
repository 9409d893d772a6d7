import { randomUUID } from 'node:crypto';
import { createCustomer } from '../catalog/offer';
import { connect } from '../connections/connection-calls';
import type { ConsoleAnswer } from '../support/operator';
import { ProviderRow } from '../support/provider-row';
import type { PlanName } from '../support/provider-world';
import { useProviderWorld } from '../support/use-provider-world';
import { HOUR_MS } from '../../src/domain/instant';
import type { PaymentProvider } from '../../src/domain/provider';

/** A plan's price here, compared with the price its provider would charge. */
const world = useProviderWorld();
afterEach(() => {
  world.simulators.core.faults.clear();
});
const PROVIDERS: [PaymentProvider][] = [['provider_a'], ['provider_b'], ['provider_c']];

/** Reference of a price of 29 USD a month at each provider. */
const OTHER = { provider_a: 'price_29', provider_b: 'P-TWENTYNINE', provider_c: 'PLN_29' } as const;

function addOtherPrice(provider: PaymentProvider): void {
  const { a, b, c } = world.simulators.providers;
  const { provider_a, provider_b, provider_c } = world.secrets;
  switch (provider) {
    case 'provider_a':
      a.account({ secretKey: provider_a['secretKey'] ?? '' }).price({
        id: OTHER.provider_a,
        unitAmount: 2900,
        currency: 'usd',
        interval: 'month',
      });
      break;
    case 'provider_b':
      b.account({
        clientId: provider_b['clientId'] ?? '',
        clientSecret: provider_b['clientSecret'] ?? '',
        plans: [{ id: OTHER.provider_b, name: 'other', price: { value: '29.00', currency_code: 'USD' } }],
      });
      break;
    case 'provider_c':
      c.account({
        secretKey: provider_c['secretKey'] ?? '',
        plans: [
          { code: OTHER.provider_c, name: 'other', amount: 2900, currency: 'USD', interval: 'monthly' },
        ],
      });
  }
}

/** Creates a plan in a group of its own, mapped at one connection. */
async function plan(provider: PaymentProvider, reference: string, amount = 3900) {
  const slug = `plan-${randomUUID().slice(0, 8)}`;
  const { planId, planGroupId } = await world.seed.plan(slug, [], { price_amount: amount, pricing: 'flat' });
  const answer = await map(provider, { [slug]: reference });
  return { slug, planId, planGroupId, answer };
}

/** Adds plan references to those of a connection. */
async function map(
  provider: PaymentProvider,
  references: Record<string, string | null>,
): Promise<ConsoleAnswer> {
  const path = `/api/provider-connections/${world.connections[provider]}`;
  const { body } = await world.operator.get(path);
  const { planReferences } = body['settings'] as { planReferences: Record<string, string> };
  return world.operator.patch(path, {
    body: { settings: { planReferences: { ...planReferences, ...references } } },
  });
}

async function checkout(provider: PaymentProvider, slug: string, key = randomUUID()): Promise<ConsoleAnswer> {
  const { id, externalId } = await createCustomer(world.operator);
  await world.operator.patch(`/api/customers/${id}`, { body: { email: `${externalId}@example.test` } });
  return world.operator.post('/api/billing/checkouts', {
    body: { externalId, planSlug: slug, provider },
    headers: { 'Idempotency-Key': key },
  });
}

function pricesOf({ body }: ConsoleAnswer, member = 'planPrices'): Record<string, unknown>[] {
  return body[member] as Record<string, unknown>[];
}

/** Returns the developer events of a plan's price, the oldest first. */
async function eventsOf(planId: string): Promise<unknown[][]> {
  const query = { eventType: 'PLAN_PRICE_COMPARED', take: '200' };
  const { body } = await world.operator.get('/api/developer-events', { query });
  const all = body['data'] as { status: string; data: Record<string, unknown> }[];
  return all
    .filter(({ data }) => data['planId'] === planId)
    .map(({ status, data }) => [status, data['change'], data['connectionId']])
    .reverse();
}

const DIFFERING = {
  fields: ['amount'],
  local: { amount: '3900', currency: 'USD', interval: 'month', intervalCount: 1 },
  provider: { amount: '2900', currency: 'USD', interval: 'month', intervalCount: 1 },
};
const DIFFERS = { result: 'differs', ...DIFFERING };

describe.each(PROVIDERS)('a plan of 39 USD that %s would sell for 29', (provider) => {
  test('is mapped and reported, fails the connection’s test, and is not sold until the two agree', async () => {
    addOtherPrice(provider);
    const { slug, planId, answer } = await plan(provider, OTHER[provider]);
    expect(answer.status).toBe(200);
    const expected = { ...DIFFERS, plan: { id: planId, slug }, planReference: OTHER[provider] };
    expect(pricesOf(answer)[0]).toMatchObject(expected);

    const connectionId = world.connections[provider];
    expect(await eventsOf(planId)).toEqual([['ERROR', 'plan_price_differs', connectionId]]);
    const tested = await world.operator.post(`/api/provider-connections/${connectionId}/test`);
    expect(tested.body['ok']).toBe(false);
    expect(pricesOf(tested)).toContainEqual(expect.objectContaining({ result: 'differs' }));
    const check = (tested.body['checks'] as { check: string; ok: boolean; message: string }[]).find(
      (one) => one.check === 'plan_prices',
    );
    expect(check).toMatchObject({ ok: false });
    expect(check?.message).toContain(`${slug}: It costs 39.00 USD a month here`);

    const key = randomUUID();
    const refused = await checkout(provider, slug, key);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { code: 'plan_price_differs', connectionId, planId, planReference: OTHER[provider], ...DIFFERING },
    ]);
    expect(refused.body['detail']).toContain('29.00 USD a month');

    // Either side may be corrected. Here it is the plan's, and an event reports that both agree now.
    const changed = await world.operator.patch(`/api/plans/${planId}`, {
      body: { price: { amount: '2900', currency: 'USD' } },
    });
    expect(pricesOf(changed, 'atProviders')).toMatchObject([{ connectionId, result: 'equal' }]);
    expect((await checkout(provider, slug)).status).toBe(201);
    // They differ again: existing subscriptions continue, but there are no new sales.
    const dearer = await world.operator.patch(`/api/plans/${planId}`, {
      body: { price: { amount: '3900', currency: 'USD' } },
    });
    expect([dearer.status, pricesOf(dearer, 'atProviders')]).toMatchObject([200, [DIFFERS]]);
    expect((await checkout(provider, slug)).body['code']).toBe('plan_price_differs');
    await map(provider, { [slug]: OTHER[provider] });
    // Each change is reported once, however often the prices were compared.
    const kinds = ['plan_price_differs', 'plan_price_agrees', 'plan_price_differs'];
    expect((await eventsOf(planId)).map(([, change]) => change)).toEqual(kinds);
    await world.operator.post(`/api/plans/${planId}/archive`);
  });

  test('a provider that does not answer blocks no sale, and is reported as unverifiable', async () => {
    addOtherPrice(provider);
    const { slug, planId } = await plan(provider, OTHER[provider]);
    const path = { provider_a: '/v1/prices/', provider_b: '/v1/billing/plans/', provider_c: '/plan/' }[
      provider
    ];
    world.fault(provider, path, 'answer_500', 1_000);
    const sold = await checkout(provider, slug);
    expect(sold.status).toBe(201);
    const answer = await map(provider, {});
    expect(pricesOf(answer).find((one) => one['planReference'] === OTHER[provider])).toMatchObject({
      result: 'unverifiable',
      code: 'not_read',
      provider: null,
    });
    const tested = await world.operator.post(`/api/provider-connections/${world.connections[provider]}/test`);
    expect(tested.body['checks']).toContainEqual({
      check: 'plan_prices',
      ok: false,
      message: expect.stringMatching(/^0 of (\d+) prices match, \1 could not be read\./) as string,
    });
    await world.operator.post(`/api/plans/${planId}/archive`);
  });
});

/** Creates a price at provider A through its API, which the service's own client then reads. */
async function priceAtA(parameters: Record<string, string>): Promise<string> {
  const answer = await fetch(`${world.simulators.urls.a}/v1/prices`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.secrets.provider_a['secretKey'] ?? ''}` },
    body: new URLSearchParams({
      product: 'prod_demo',
      currency: 'usd',
      'recurring[interval]': 'month',
      ...parameters,
    }),
  });
  const body = (await answer.json()) as { id: string };
  if (answer.status !== 200) throw new Error(JSON.stringify(body));
  return body.id;
}

async function comparedAt(provider: PaymentProvider, reference: string, amount?: number) {
  const { slug, planId, answer } = await plan(provider, reference, amount);
  await world.operator.post(`/api/plans/${planId}/archive`);
  await map(provider, { [slug]: reference });
  return pricesOf(answer).find((one) => (one['plan'] as { slug: string }).slug === slug);
}

const TIERED = {
  billing_scheme: 'tiered',
  tiers_mode: 'graduated',
  'tiers[0][up_to]': '10',
  'tiers[0][unit_amount]': '100',
  'tiers[1][up_to]': 'inf',
  'tiers[1][unit_amount]': '50',
};

test.each<[string, Record<string, string>, object]>([
  [
    'one that is the same',
    { unit_amount: '3900', tax_behavior: 'inclusive' },
    { result: 'equal', taxBehavior: 'inclusive' },
  ],
  ['decimals that are the same', { unit_amount_decimal: '3900' }, { result: 'equal' }],
  [
    'parts of a cent',
    { unit_amount_decimal: '3900.5' },
    { result: 'differs', provider: { amount: '3900.5' } },
  ],
  ['tiers', TIERED, { result: 'unverifiable', code: 'tiered' }],
  ['tiers in another currency', { ...TIERED, currency: 'eur' }, { result: 'differs', fields: ['currency'] }],
  [
    'usage',
    { unit_amount: '3900', 'recurring[usage_type]': 'metered' },
    { result: 'unverifiable', code: 'usage_based' },
  ],
  [
    'packages',
    { unit_amount: '3900', 'transform_quantity[divide_by]': '10', 'transform_quantity[round]': 'up' },
    { result: 'unverifiable', code: 'quantity_transformed' },
  ],
  [
    'a quarter',
    { unit_amount: '3900', 'recurring[interval_count]': '3' },
    { result: 'differs', fields: ['interval'] },
  ],
  [
    'króna in hundredths',
    { unit_amount: '390000', currency: 'isk' },
    { result: 'differs', fields: ['currency'], provider: { amount: '3900' } },
  ],
])('a price of provider A with %s', async (_, parameters, expected) => {
  expect(await comparedAt('provider_a', await priceAtA(parameters))).toMatchObject(expected);
});

test.each<[string, object, object]>([
  [
    'a trial cycle',
    { trial: { days: 7, price: { value: '1.00', currency_code: 'USD' } } },
    {
      result: 'differs',
      fields: ['trial'],
      words:
        'It costs 39.00 USD a month here; at the payment provider, it costs 39.00 USD a month a seat, after a trial of 7 days for 1.00 USD.',
    },
  ],
  [
    'a free trial cycle',
    { trial: { days: 1 }, quantitySupported: false },
    { fields: ['trial'], words: expect.stringContaining('after a free trial of 1 day.') as string },
  ],
  [
    'a trial cycle before another price',
    {
      trial: { days: 7, price: { value: '1.00', currency_code: 'USD' } },
      price: { value: '29.00', currency_code: 'USD' },
    },
    { result: 'differs', fields: ['amount', 'trial'] },
  ],
  [
    'a setup fee',
    { setupFee: { value: '5.00', currency_code: 'USD' } },
    {
      result: 'differs',
      fields: ['setupFee'],
      words: expect.stringContaining('after a setup fee of 5.00 USD.') as string,
    },
  ],
  ['tiers', { pricingModel: 'TIERED' }, { result: 'unverifiable', code: 'tiered' }],
  [
    'taxes on top',
    { taxes: { percentage: '10', inclusive: false } },
    { result: 'equal', taxBehavior: 'exclusive' },
  ],
  [
    'twelve months',
    { interval: { unit: 'MONTH', count: 12 } },
    { result: 'differs', provider: { intervalCount: 12 } },
  ],
  [
    'yen without decimals',
    { price: { value: '3900', currency_code: 'JPY' } },
    { fields: ['currency'], provider: { amount: '3900' } },
  ],
])('a plan of provider B with %s', async (name, members, expected) => {
  const id = `P-${randomUUID().slice(0, 12).toUpperCase()}`;
  world.simulators.providers.b.account({
    clientId: world.secrets.provider_b['clientId'] ?? '',
    clientSecret: world.secrets.provider_b['clientSecret'] ?? '',
    plans: [{ id, name, price: { value: '39.00', currency_code: 'USD' }, ...members }],
  });
  expect(await comparedAt('provider_b', id)).toMatchObject(expected);
});

test('a plan that provider B begins with a trial of its own is not sold', async () => {
  const id = `P-${randomUUID().slice(0, 12).toUpperCase()}`;
  const price = { value: '39.00', currency_code: 'USD' };
  world.simulators.providers.b.account({
    clientId: world.secrets.provider_b['clientId'] ?? '',
    clientSecret: world.secrets.provider_b['clientSecret'] ?? '',
    plans: [{ id, name: 'with a trial', price, trial: { days: 7 } }],
  });
  const { slug, planId } = await plan('provider_b', id);
  const refused = await checkout('provider_b', slug);
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { code: 'plan_price_differs', fields: ['trial'] },
  ]);
  expect(refused.body['detail']).toContain('after a free trial of 7 days');
  await world.operator.post(`/api/plans/${planId}/archive`);
  await map('provider_b', { [slug]: null });
});

test.each<[string, 'quarterly' | 'biannually' | 'annually', object]>([
  ['each quarter', 'quarterly', { interval: 'month', intervalCount: 3 }],
  ['twice a year', 'biannually', { interval: 'month', intervalCount: 6 }],
  ['each year', 'annually', { interval: 'year', intervalCount: 1 }],
])('a plan of provider C that charges %s', async (name, interval, provider) => {
  const code = `PLN_${randomUUID().slice(0, 8)}`;
  world.simulators.providers.c.account({
    secretKey: world.secrets.provider_c['secretKey'] ?? '',
    plans: [{ code, name, amount: 3900, currency: 'USD', interval }],
  });
  expect(await comparedAt('provider_c', code)).toMatchObject({
    result: 'differs',
    fields: ['interval'],
    provider,
  });
});

/** Gives the world's large plan another price at its provider, in minor units. A needs another reference for it. */
async function priceOfLarge(provider: PaymentProvider, unitAmount: number): Promise<void> {
  const { a, b } = world.simulators.providers;
  const { provider_a, provider_b } = world.secrets;
  if (provider === 'provider_a') {
    const id = unitAmount === 9000 ? 'price_large' : `price_large_${unitAmount}`;
    const price = { id, unitAmount, currency: 'usd', interval: 'month' } as const;
    a.account({ secretKey: provider_a['secretKey'] ?? '' }).price(price);
    await map(provider, { large: id });
    return;
  }
  const price = { value: (unitAmount / 100).toFixed(2), currency_code: 'USD' };
  b.account({
    clientId: provider_b['clientId'] ?? '',
    clientSecret: provider_b['clientSecret'] ?? '',
    plans: [{ id: 'P-LARGE', name: 'large', price }],
  });
}

async function paymentsOf(subscriptionId: string): Promise<number> {
  const { body } = await world.operator.get('/api/billing/payments', { query: { take: '200' } });
  const all = body['data'] as { subscriptionId: string | null }[];
  return all.filter((payment) => payment.subscriptionId === subscriptionId).length;
}

describe('a change', () => {
  const CHANGING: [PaymentProvider][] = [['provider_a'], ['provider_b']];

  async function withPrice(name: PlanName, amount: string, work: () => Promise<void>): Promise<void> {
    const { planId } = world.plans[name];
    const before = await world.operator.get(`/api/plans/${planId}`);
    const set = (price: unknown) => world.operator.patch(`/api/plans/${planId}`, { body: { price } });
    expect((await set({ amount, currency: 'USD' })).status).toBe(200);
    try {
      await work();
    } finally {
      await set(before.body['price']);
    }
  }

  async function preview(id: string, body: object): Promise<ConsoleAnswer> {
    return world.operator.post(`/api/billing/subscriptions/${id}/change`, {
      body,
      query: { dryRun: 'true' },
    });
  }

  test.each(CHANGING)(
    'at %s: preview and command refuse alike; renewals and cancels go on',
    async (provider) => {
      const subscription = await world.subscribe(provider, { plan: 'pro' });
      await withPrice('large', '9100', async () => {
        const { planId } = world.plans.large;
        const previewed = await preview(subscription.id, { planId });
        const commanded = await world.change(subscription.id, { plan: 'large' });
        for (const { status, body } of [previewed, commanded]) {
          expect([status, body]).toMatchObject([
            409,
            {
              code: 'plan_price_differs',
              local: { amount: '9100' },
              provider: { amount: '9000', currency: 'USD', interval: 'month' },
            },
          ]);
        }
        expect(await world.show(subscription.id)).toMatchObject({ plan: { slug: 'pro' } });
      });
      await withPrice('pro', '3100', async () => {
        // At A, more seats are charged now, at the price of the period; at B from the renewal on, at the plan's price.
        const more = await world.change(subscription.id, { seats: 2 });
        expect(more.status).toBe(provider === 'provider_a' ? 200 : 409);
        const { currentPeriodEnd } = await world.show(subscription.id);
        await world.advanceTo(Date.parse(currentPeriodEnd) + 2 * HOUR_MS);
        const renewed = await world.show(subscription.id);
        expect(renewed.status).toBe('active');
        expect(Date.parse(renewed.currentPeriodEnd)).toBeGreaterThan(Date.parse(currentPeriodEnd));
        expect((await world.command(subscription.id, 'cancel')).status).toBe(200);
      });
    },
  );

  test('a key that was refused, sent again, has the price compared again, also for what waits for its renewal', async () => {
    const { id } = await world.subscribe('provider_a', { plan: 'pro' });
    const { planId } = world.plans.starter;
    const { effective, dueNow } = (await preview(id, { planId })).body;
    const shown = { effective, dueNow: (dueNow as { amount: string }).amount, withdraws: null };
    await world.change(id, { plan: 'starter', seats: 2 });
    const key = randomUUID();
    const change = () => world.command(id, 'change', { planId, shown }, key);
    expect((await change()).body['code']).toBe('change_differs');
    expect((await world.withdraw(id)).status).toBe(200);
    await withPrice('starter', '1100', async () => {
      const again = await change();
      expect([again.status, again.body['code']]).toEqual([409, 'plan_price_differs']);
      expect(await world.show(id)).toMatchObject({ scheduledChange: null });
    });
    expect((await change()).status).toBe(200);
    // A completed change is answered as before, whatever the plan costs by then.
    await withPrice('starter', '1100', async () => {
      expect((await change()).status).toBe(200);
    });
    expect((await world.command(id, 'cancel')).status).toBe(200);
  });

  test.each(CHANGING)(
    'at %s: a price that changes there between acceptance and call is not sold, and the renewal goes on',
    async (provider) => {
      const subscription = await world.subscribe(provider, { plan: 'pro' });
      const before = await world.show(subscription.id);
      const { direct } = world.service;
      const send = direct.send.bind(direct);
      direct.send = async (...sent) => {
        direct.send = send;
        // The command is accepted with the price that its caller was shown.
        await priceOfLarge(provider, 9500);
        return send(...sent);
      };
      const paid = () => paymentsOf(subscription.id);
      const paidBefore = await paid();
      const refused = await world.change(subscription.id, { plan: 'large' });
      expect([refused.status, refused.body]).toMatchObject([409, { code: 'plan_price_differs' }]);
      await world.settle();
      const same = { plan: { slug: 'pro' }, scheduledChange: null, pendingApproval: null };
      expect(await world.show(subscription.id)).toMatchObject({
        ...same,
        capabilities: { planChange: { available: true } },
      });
      expect(await world.atProvider(subscription)).toMatchObject({
        planReference: provider === 'provider_a' ? 'price_pro' : 'P-PRO',
      });
      expect(await paid()).toBe(paidBefore);
      // A subscription already on that plan renews at whatever price the provider charges.
      await priceOfLarge(provider, 9000);
      expect((await world.change(subscription.id, { plan: 'large' })).status).toBe(200);
      const { pendingApproval } = await world.show(subscription.id);
      if (pendingApproval !== null) await world.pay(provider, String(pendingApproval.approvalUrl));
      await world.settle();
      await priceOfLarge(provider, 9500);
      await world.advanceTo(Date.parse(before.currentPeriodEnd) + 2 * HOUR_MS);
      const renewed = await world.show(subscription.id);
      expect(renewed).toMatchObject({ status: 'active', plan: { slug: 'large' } });
      expect(Date.parse(renewed.currentPeriodEnd)).toBeGreaterThan(Date.parse(before.currentPeriodEnd));
      await priceOfLarge(provider, 9000);
    },
  );

  test('whose attempt died before it sent anything is not sold at a price that has changed since', async () => {
    const subscription = await world.subscribe('provider_b', { plan: 'pro' });
    const row = new ProviderRow(world);
    row.dieWithNextCommand('before_begin');
    const accepted = await world.change(subscription.id, { plan: 'large' });
    expect(accepted.status).toBe(202);
    await priceOfLarge('provider_b', 9500);
    await row.settleLater();
    const refused = { status: 'refused', problem: { code: 'plan_price_differs' } };
    expect(await row.operation(accepted)).toMatchObject(refused);
    expect(await world.show(subscription.id)).toMatchObject({ plan: { slug: 'pro' }, pendingApproval: null });
    expect(await world.atProvider(subscription)).toMatchObject({ planReference: 'P-PRO' });
    await priceOfLarge('provider_b', 9000);
  });

  test('to a dearer plan whose price differs is refused also where it only waits for the renewal', async () => {
    const subscription = await world.subscribe('provider_a', { plan: 'pro' });
    await withPrice('starter', '1100', async () => {
      const { planId } = world.plans.starter;
      expect((await preview(subscription.id, { planId })).body['code']).toBe('plan_price_differs');
      const refused = await world.change(subscription.id, { plan: 'starter' });
      expect([refused.status, refused.body['code']]).toEqual([409, 'plan_price_differs']);
    });
    expect((await world.change(subscription.id, { plan: 'starter' })).status).toBe(200);
  });

  test('that is refused anyway is refused for that reason, in the preview and in the command', async () => {
    const ending = await world.subscribe('provider_a', { plan: 'pro' });
    expect((await world.command(ending.id, 'cancel')).status).toBe(200);
    const going = await world.subscribe('provider_a', { plan: 'pro' });
    const { planId } = world.plans.starter;
    const codes = async (id: string): Promise<unknown[]> => [
      (await preview(id, { planId })).body['code'],
      (await world.change(id, { plan: 'starter' })).body['code'],
    ];
    await withPrice('starter', '1100', async () => {
      expect(await codes(ending.id)).toEqual(['capability_unavailable', 'capability_unavailable']);
      await world.operator.post(`/api/plans/${planId}/archive`);
      try {
        expect(await codes(going.id)).toEqual(['plan_archived', 'plan_archived']);
      } finally {
        await world.operator.post(`/api/plans/${planId}/unarchive`);
      }
    });
  });

  test('fewer seats sell nothing, and are let go at whatever price', async () => {
    const subscription = await world.subscribe('provider_a', { plan: 'pro', seats: 3 });
    await withPrice('pro', '3100', async () => {
      expect((await world.change(subscription.id, { seats: 2 })).status).toBe(200);
    });
  });
});

test('a price that was put right between two attempts under one key is sold by the second', async () => {
  addOtherPrice('provider_a');
  const { slug, planId } = await plan('provider_a', OTHER.provider_a);
  const { externalId } = await createCustomer(world.operator);
  const key = randomUUID();
  const send = () =>
    world.operator.post('/api/billing/checkouts', {
      body: { externalId, planSlug: slug, provider: 'provider_a' },
      headers: { 'Idempotency-Key': key },
    });
  expect((await send()).body['code']).toBe('plan_price_differs');
  await world.operator.patch(`/api/plans/${planId}`, {
    body: { price: { amount: '2900', currency: 'USD' } },
  });
  expect((await send()).status).toBe(201);
  await world.operator.post(`/api/plans/${planId}/archive`);
});

test('a difference that was removed while its connection was disabled is gone once it is enabled', async () => {
  addOtherPrice('provider_a');
  const { slug, planId } = await plan('provider_a', OTHER.provider_a);
  const connectionId = world.connections.provider_a;
  const setDisabled = (disabled: boolean): Promise<ConsoleAnswer> =>
    world.operator.patch(`/api/provider-connections/${connectionId}`, { body: { disabled } });
  const reason = async (): Promise<unknown> => {
    const { providers } = (await world.operator.get(`/api/plans/${planId}`)).body as {
      providers: { connectionId: string | null; reason: string | null }[];
    };
    return providers.find((one) => one.connectionId === connectionId)?.reason;
  };
  expect(await reason()).toBe('plan_price_differs');
  try {
    expect(pricesOf(await setDisabled(true))).toEqual([]);
    await world.operator.patch(`/api/plans/${planId}`, {
      body: { price: { amount: '2900', currency: 'USD' } },
    });
    expect(await reason()).toBe('connection_disabled');
  } finally {
    const enabled = await setDisabled(false);
    expect(pricesOf(enabled)).toContainEqual(
      expect.objectContaining({ plan: expect.objectContaining({ slug }) as unknown, result: 'equal' }),
    );
  }
  expect(await reason()).toBeNull();
  await world.operator.post(`/api/plans/${planId}/archive`);
});

test('a connection that cannot be asked is made all the same, and says so', async () => {
  const slug = `plan-${randomUUID().slice(0, 8)}`;
  await world.seed.plan(slug, [], { price_amount: 3900 });
  const id = await connect(world.operator, { provider: 'provider_a', settings: { planReferences: {} } });
  const mapped = await world.operator.patch(`/api/provider-connections/${id}`, {
    body: { settings: { planReferences: { [slug]: 'price_29' } } },
  });
  expect([mapped.status, pricesOf(mapped)]).toMatchObject([
    200,
    [{ result: 'unverifiable', code: 'not_read' }],
  ]);
});

test('newer plans crowd an older one out only if they have references, and then its difference is kept', async () => {
  addOtherPrice('provider_a');
  const { slug } = await plan('provider_a', OTHER.provider_a);
  const newer = Array.from({ length: 101 }, (_, count) => `newer-${count}`);
  for (const name of newer) await world.seed.plan(name, []);
  const first = await map('provider_a', { 'newer-0': 'price_none' });
  expect(pricesOf(first)).toContainEqual(expect.objectContaining({ planReference: OTHER.provider_a }));
  const all = await map('provider_a', Object.fromEntries(newer.map((name) => [name, 'price_none'])));
  expect(pricesOf(all)).toHaveLength(100);
  const { body } = await world.operator.get('/api/plans', { query: { search: slug } });
  const [{ providers }] = body['data'] as [{ providers: Record<string, unknown>[] }];
  expect(providers.find(({ provider }) => provider === 'provider_a')).toMatchObject({
    sellable: false,
    reason: 'plan_price_differs',
  });
});
