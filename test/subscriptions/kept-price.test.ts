import { randomUUID } from 'node:crypto';
import { ProviderARow } from '../support/provider-a-row';
import type { WorldSubscription } from '../support/provider-world';
import { plansAtB } from '../support/provider-shop';
import { useProviderRow } from '../support/use-provider-world';
import type { PaymentProvider } from '../../src/domain/provider';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';

/** After a plan's price change, earlier subscriptions keep the former price at the provider, and the API shows it. */
const { world } = useProviderRow();

const usd = (amount: string) => ({ amount, currency: 'USD' });

/** Sets the price of plan `pro` to 40, under a new reference at the provider. */
async function raise(provider: PaymentProvider): Promise<void> {
  const { a, b, c } = world.simulators.providers;
  const { provider_a, provider_b, provider_c } = world.secrets;
  const { clientId = '', clientSecret = '' } = provider_b;
  a.account({ secretKey: provider_a['secretKey'] ?? '' }).price({
    id: 'price_pro_new',
    unitAmount: 4000,
    currency: 'usd',
    interval: 'month',
  });
  b.account({
    clientId,
    clientSecret,
    plans: plansAtB().flatMap((plan) =>
      plan.id === 'P-PRO'
        ? [plan, { ...plan, id: 'P-PRO-NEW', price: { value: '40.00', currency_code: 'USD' } }]
        : [plan],
    ),
  });
  c.account({
    secretKey: provider_c['secretKey'] ?? '',
    plans: [{ code: 'PLN_pro_new', name: 'pro', amount: 4000, currency: 'USD', interval: 'monthly' }],
  });
  const name = { provider_a: 'price_pro_new', provider_b: 'P-PRO-NEW', provider_c: 'PLN_pro_new' };
  await call(provider, { pro: name[provider] });
  await cost('4000');
}

async function call(provider: PaymentProvider, names: Record<string, string>): Promise<void> {
  const connection = `/api/provider-connections/${world.connections[provider]}`;
  const { body } = await world.operator.get(connection);
  const { planReferences } = body['settings'] as { planReferences: Record<string, string> };
  const settings = { planReferences: { ...planReferences, ...names } };
  expect((await world.operator.patch(connection, { body: { settings } })).status).toBe(200);
}

async function cost(amount: string): Promise<void> {
  const plan = `/api/plans/${world.plans.pro.planId}`;
  expect((await world.operator.patch(plan, { body: { price: usd(amount) } })).status).toBe(200);
}

function setActive(price: string, active: boolean): Promise<Response> {
  return fetch(`${world.simulators.urls.a}/v1/prices/${price}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.secrets.provider_a['secretKey'] ?? ''}` },
    body: new URLSearchParams({ active: String(active) }),
  });
}

async function renew({ id }: WorldSubscription): Promise<void> {
  await world.advanceTo(Date.parse((await world.show(id)).currentPeriodEnd) + HOUR_MS);
}

/** Returns the amounts collected for a subscription, newest first. */
async function collected({ id }: WorldSubscription): Promise<number[]> {
  const query = { subscriptionId: id };
  const { body } = await world.operator.get('/api/billing/payments', { query });
  return (body['data'] as { amount: { amount: string } }[]).map(({ amount }) => Number(amount.amount));
}

/** Returns the timeline's estimate of the next renewal. */
async function estimate({ id }: WorldSubscription): Promise<unknown> {
  const { body } = await world.operator.get(`/api/billing/subscriptions/${id}/timeline`);
  const upcoming = body['upcoming'] as { kind: string; estimate: unknown }[];
  return upcoming.find(({ kind }) => kind === 'read_back')?.estimate;
}

test.each<[PaymentProvider, number]>([
  ['provider_a', 2],
  ['provider_b', 2],
  ['provider_c', 1],
])('at %s, after its renewals too', async (provider, seats) => {
  const early = await world.subscribe(provider, { seats });
  await raise(provider);
  try {
    for (let renewals = 1; renewals <= 2; renewals += 1) {
      await renew(early);
      expect((await collected(early))[0]).toBe(3000 * seats);
      expect(await world.show(early.id)).toMatchObject({ price: usd('3000'), status: 'active' });
      expect(await estimate(early)).toEqual(usd(String(3000 * seats)));
    }
    const late = await world.subscribe(provider, { seats });
    await renew(late);
    expect(await world.show(late.id)).toMatchObject({ price: usd('4000') });
  } finally {
    await cost('3000');
    const names = { provider_a: 'price_pro', provider_b: 'P-PRO', provider_c: 'PLN_pro' };
    await call(provider, { pro: names[provider] });
  }
});

test.each([{ seats: 3 }, { plan: 'large' }] as const)(
  'a change to %j at provider A costs what its preview says after a renewal at that price',
  async (to) => {
    const early = await world.subscribe('provider_a', { seats: 2 });
    await raise('provider_a');
    try {
      await renew(early);
      await world.advanceBy(10 * DAY_MS);
      const preview = await world.operator.post(`/api/billing/subscriptions/${early.id}/change`, {
        body: 'plan' in to ? { planSlug: to.plan } : to,
        query: { dryRun: 'true' },
      });
      expect((await world.change(early.id, to)).status).toBe(200);
      await world.settle();
      const { amount } = preview.body['dueNow'] as { amount: string };
      const [charged = 0] = await collected(early);
      // A proration computed a moment later may be a cent lower.
      expect(Math.abs(charged - Number(amount))).toBeLessThanOrEqual(1);
    } finally {
      await cost('3000');
      await call('provider_a', { pro: 'price_pro' });
    }
  },
);

test('more seats are not sold where provider A bills a price that is not the subscription’s', async () => {
  const subscription = await world.subscribe('provider_a', { seats: 2 });
  const { a } = world.simulators.providers;
  const unknown = { id: 'price_unknown', unitAmount: 7700, currency: 'usd', interval: 'month' } as const;
  a.account({ secretKey: world.secrets.provider_a['secretKey'] ?? '' }).price(unknown);
  for (const price of [unknown.id, 'price_large']) {
    await new ProviderARow(world).changePriceAtProvider(subscription, price);
    const preview = await world.operator.post(`/api/billing/subscriptions/${subscription.id}/change`, {
      body: { seats: 3 },
      query: { dryRun: 'true' },
    });
    const refused = { status: 409, body: { code: 'plan_price_differs', planReference: price } };
    expect(preview).toMatchObject(refused);
    expect(await world.change(subscription.id, { seats: 3 })).toMatchObject(refused);
  }
});

test('with other seats at provider A, also from the renewal that brings fewer', async () => {
  const early = await world.subscribe('provider_a', { seats: 3 });
  await raise('provider_a');
  try {
    // A price that is inactive at the provider still bills those who have it.
    expect((await setActive('price_pro', false)).status).toBe(200);
    expect((await world.change(early.id, { seats: 4 })).status).toBe(200);
    expect((await world.change(early.id, { seats: 2 })).status).toBe(200);
    expect(await estimate(early)).toEqual(usd('6000'));
    await world.advanceTo(Date.parse((await world.show(early.id)).currentPeriodEnd) - 5 * HOUR_MS);
    expect(await new ProviderARow(world).billed(early)).toBe('price_pro × 2');
    await renew(early);
    expect((await collected(early))[0]).toBe(6000);
    expect(await world.show(early.id)).toMatchObject({ seats: 2, scheduledChange: null, price: usd('3000') });
  } finally {
    await setActive('price_pro', true);
    await cost('3000');
    await call('provider_a', { pro: 'price_pro' });
  }
});

test.each([
  ['withdrawn', (id: string) => world.withdraw(id)],
  [
    'given up with a cancellation that is taken back',
    async (id: string) => {
      expect((await world.command(id, 'cancel')).status).toBe(200);
      return world.command(id, 'reactivate');
    },
  ],
])('where a prepared change at provider A is %s', async (_, giveUp) => {
  const early = await world.subscribe('provider_a', { seats: 2 });
  await raise('provider_a');
  try {
    expect((await world.change(early.id, { plan: 'starter' })).status).toBe(200);
    const end = Date.parse((await world.show(early.id)).currentPeriodEnd);
    await world.advanceTo(end - 5 * HOUR_MS);
    expect(await new ProviderARow(world).billed(early)).toBe('price_starter × 2');
    expect((await giveUp(early.id)).status).toBe(200);
    expect(await new ProviderARow(world).billed(early)).toBe('price_pro × 2');
  } finally {
    await cost('3000');
    await call('provider_a', { pro: 'price_pro' });
  }
});

test('where the plan that it was given at provider A is replaced by a repair', async () => {
  const row = new ProviderARow(world);
  const early = await world.subscribe('provider_a', { seats: 2 });
  await raise('provider_a');
  try {
    await row.changePriceAtProvider(early, 'price_large');
    const drift = `/api/billing/subscriptions/${early.id}/drift`;
    const headers = { 'Idempotency-Key': randomUUID() };
    const repair = () => world.operator.post(drift, { body: { take: 'local' }, headers });
    // A price that cannot be read now may be its own.
    row.break('provider_a', '/v1/prices/price_pro', 'answer_500');
    expect((await repair()).status).toBe(202);
    expect(await row.billed(early)).toBe('price_large × 2');
    row.hearAgain();
    await row.settleLater();
    expect(await repair()).toMatchObject({ status: 200, body: { inSync: true } });
    expect(await row.billed(early)).toBe('price_pro × 2');
    await renew(early);
    expect((await collected(early))[0]).toBe(6000);
    expect(await world.show(early.id)).toMatchObject({ price: usd('3000') });
  } finally {
    await cost('3000');
    await call('provider_a', { pro: 'price_pro' });
  }
});

test('where provider A could not be read when the change was first to be prepared', async () => {
  const row = new ProviderARow(world);
  const early = await world.subscribe('provider_a', { seats: 2 });
  await raise('provider_a');
  try {
    expect((await world.change(early.id, { plan: 'starter' })).status).toBe(200);
    const end = Date.parse((await world.show(early.id)).currentPeriodEnd);
    row.break('provider_a', `/v1/subscriptions/${early.reference}`, 'answer_500');
    await world.advanceTo(end - 5 * HOUR_MS);
    expect(await row.marker(early)).toMatchObject({ state: 'failed' });
    row.hearAgain();
    await world.advanceTo(end - 3 * HOUR_MS);
    expect(await row.billed(early)).toBe('price_starter × 2');
    expect((await world.withdraw(early.id)).status).toBe(200);
    expect(await row.billed(early)).toBe('price_pro × 2');
    // Withdrawn before anything was sent, there is nothing to restore.
    expect((await world.change(early.id, { plan: 'starter' })).status).toBe(200);
    row.break('provider_a', `/v1/subscriptions/${early.reference}`, 'answer_500');
    await world.advanceTo(end - 2 * HOUR_MS);
    expect(await row.marker(early)).toMatchObject({ state: 'failed', told: false });
    row.hearAgain();
    expect((await world.withdraw(early.id)).status).toBe(200);
    expect(await row.billed(early)).toBe('price_pro × 2');
  } finally {
    await cost('3000');
    await call('provider_a', { pro: 'price_pro' });
  }
});

test.each([
  ['and both are plans', false],
  ['and neither is a plan', true],
])('where provider A has a second item when the change is first to be prepared, %s', async (_, moved) => {
  const row = new ProviderARow(world);
  const early = await world.subscribe('provider_a', { seats: 2 });
  if (moved) await raise('provider_a');
  try {
    expect((await world.change(early.id, { plan: 'starter' })).status).toBe(200);
    const end = Date.parse((await world.show(early.id)).currentPeriodEnd);
    await row.updateAtProvider(early, { 'items[0][price]': 'price_large', proration_behavior: 'none' });
    if (moved) await call('provider_a', { large: 'price_large_new' });
    await world.advanceTo(end - 5 * HOUR_MS);
    expect(await row.marker(early)).toMatchObject({ state: 'failed', told: false });
    await row.removeItemAtProvider(early, 'price_large');
    await world.advanceTo(end - 3 * HOUR_MS);
    expect(await row.billed(early)).toBe('price_starter × 2');
    expect((await world.withdraw(early.id)).status).toBe(200);
    expect(await row.billed(early)).toBe('price_pro × 2');
  } finally {
    await cost('3000');
    await call('provider_a', { pro: 'price_pro', large: 'price_large' });
  }
});

test('where an item was added at provider A that is a plan itself', async () => {
  const row = new ProviderARow(world);
  const early = await world.subscribe('provider_a', { seats: 2 });
  await raise('provider_a');
  try {
    await row.updateAtProvider(early, { 'items[0][price]': 'price_large', proration_behavior: 'none' });
    expect(await row.billed(early)).toBe('price_pro × 2');
    // Which of the two to change is not guessed.
    expect((await world.change(early.id, { seats: 3 })).status).toBe(409);
    await renew(early);
    expect((await collected(early))[0]).toBe(15_000);
    expect(await world.show(early.id)).toMatchObject({ seats: 2, price: usd('3000') });
    await row.removeItemAtProvider(early, 'price_large');
    const { a } = world.simulators.providers;
    const addition = { id: 'price_addition', unitAmount: 500, currency: 'usd', interval: 'month' } as const;
    a.account({ secretKey: world.secrets.provider_a['secretKey'] ?? '' }).price(addition);
    await row.updateAtProvider(early, { 'items[0][price]': addition.id, proration_behavior: 'none' });
    expect((await world.change(early.id, { seats: 3 })).status).toBe(200);
    expect(await row.billed(early)).toBe('price_pro × 3');
  } finally {
    await cost('3000');
    await call('provider_a', { pro: 'price_pro' });
  }
});

test('a change at provider A, prepared before its plan was given a new price, has the price that is billed', async () => {
  const subscription = await world.subscribe('provider_a');
  expect((await world.change(subscription.id, { plan: 'starter' })).status).toBe(200);
  await world.advanceTo(Date.parse((await world.show(subscription.id)).currentPeriodEnd) - 5 * HOUR_MS);
  const plan = `/api/plans/${world.plans.starter.planId}`;
  const set = (amount: string) => world.operator.patch(plan, { body: { price: usd(amount) } });
  expect((await set('2000')).status).toBe(200);
  try {
    expect(await estimate(subscription)).toEqual(usd('1000'));
    for (let renewals = 1; renewals <= 2; renewals += 1) {
      await renew(subscription);
      expect((await collected(subscription))[0]).toBe(1000);
      expect(await world.show(subscription.id)).toMatchObject({
        plan: { slug: 'starter' },
        price: usd('1000'),
      });
    }
  } finally {
    await set('1000');
  }
});

test('a price at provider A that is inactive by now holds up no cancellation, and refuses a withdrawal', async () => {
  const early = await world.subscribe('provider_a', { seats: 2 });
  await raise('provider_a');
  try {
    expect((await world.change(early.id, { plan: 'starter' })).status).toBe(200);
    const end = Date.parse((await world.show(early.id)).currentPeriodEnd);
    await world.advanceTo(end - 5 * HOUR_MS);
    expect((await setActive('price_pro', false)).status).toBe(200);
    expect((await world.withdraw(early.id)).status).toBe(409);
    expect((await world.show(early.id)).scheduledChange).toMatchObject({ plan: { slug: 'starter' } });
    expect((await world.command(early.id, 'cancel')).status).toBe(200);
    expect(await world.atProvider(early)).toMatchObject({ cancelAtPeriodEnd: true });
    await world.advanceTo(end + HOUR_MS);
    expect(await world.show(early.id)).toMatchObject({ status: 'cancelled' });
  } finally {
    await setActive('price_pro', true);
    await cost('3000');
    await call('provider_a', { pro: 'price_pro' });
  }
});

test.each([
  ['another price', 3000, 1, { plan: 'large' }, 9000],
  ['the same price', 9000, 3, { plan: 'large', seats: 1 }, 9000],
] as const)(
  'a change at provider B to %s, approved before its plan was given a new one, is the customer’s as it is billed',
  async (_, now, seats, to, approved) => {
    const subscription = await world.subscribe('provider_b', { seats });
    expect((await collected(subscription))[0]).toBe(now);
    const { body } = await world.change(subscription.id, to);
    await world.pay('provider_b', String(body['approvalUrl']));
    await world.settle();
    const plan = `/api/plans/${world.plans.large.planId}`;
    const set = (amount: string) => world.operator.patch(plan, { body: { price: usd(amount) } });
    expect((await set('10000')).status).toBe(200);
    try {
      expect(await estimate(subscription)).toEqual(usd(String(approved)));
      for (let renewals = 1; renewals <= 2; renewals += 1) {
        await renew(subscription);
        expect((await collected(subscription))[0]).toBe(approved);
        expect(await world.show(subscription.id)).toMatchObject({
          plan: { slug: 'large' },
          seats: 1,
          price: usd('9000'),
          scheduledChange: null,
        });
      }
    } finally {
      await set('9000');
    }
  },
);

test('more seats of a flat plan come with the renewal at provider B also where an older price is kept', async () => {
  const pricing = (to: string) =>
    world.service.database.query('UPDATE tollgate.plans SET pricing = $1 WHERE id = $2', [
      to,
      world.plans.pro.planId,
    ]);
  await pricing('flat');
  const early = await world.subscribe('provider_b', { seats: 2 });
  await raise('provider_b');
  try {
    expect((await world.change(early.id, { seats: 3 })).body).toMatchObject({ effective: 'next_renewal' });
    expect(await estimate(early)).toEqual(usd('3000'));
    await renew(early);
    expect((await collected(early))[0]).toBe(3000);
    expect(await world.show(early.id)).toMatchObject({ seats: 3, scheduledChange: null, price: usd('3000') });
  } finally {
    await cost('3000');
    await call('provider_b', { pro: 'P-PRO' });
    await pricing('per_seat');
  }
});

test('another plan of the same name at provider B comes with the renewal also where an older price is kept', async () => {
  const { planGroupId } = world.plans.pro;
  const twin = { price_amount: 4000, pricing: 'per_seat', plan_group_id: planGroupId } as const;
  const { planId } = await world.seed.plan('twin', [], twin);
  const early = await world.subscribe('provider_b', { seats: 2 });
  await raise('provider_b');
  await call('provider_b', { twin: 'P-PRO-NEW' });
  try {
    const { body } = await world.command(early.id, 'change', { planId });
    expect(body).toMatchObject({ effective: 'next_renewal' });
    expect(await estimate(early)).toEqual(usd('6000'));
    await renew(early);
    expect((await collected(early))[0]).toBe(6000);
    expect(await world.show(early.id)).toMatchObject({
      plan: { slug: 'twin' },
      seats: 2,
      scheduledChange: null,
      price: usd('3000'),
    });
  } finally {
    await cost('3000');
    await call('provider_b', { pro: 'P-PRO' });
  }
});
