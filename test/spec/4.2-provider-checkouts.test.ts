import { randomUUID } from 'node:crypto';
import { complete } from '../connections/connection-calls';
import { made, ProviderCheckoutBench, type ShownCheckout } from '../checkouts/provider-checkout-bench';
import { ProviderARow } from '../support/provider-a-row';
import type { WorldSubscription } from '../support/provider-world';
import type { PaymentProvider } from '../../src/domain/provider';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { useStarted } from '../support/use-started';

/** Section 4.2, checkout creation, at the payment providers. */
const bench = useStarted(() => ProviderCheckoutBench.start());
afterEach(() => {
  bench.world.simulators.core.outbox.switches.drop = false;
  bench.world.simulators.core.faults.clear();
});
const PROVIDERS: [PaymentProvider][] = [['provider_a'], ['provider_b'], ['provider_c']];

/** Drops all webhooks from now on. Pending ones are delivered first, because they could report what comes next. */
async function drop(): Promise<void> {
  const { outbox } = bench.world.simulators.core;
  await deliverWebhooks(outbox);
  outbox.switches.drop = true;
}

async function externalIdOf(checkout: ShownCheckout): Promise<string> {
  const shown = await bench.world.operator.get(`/api/billing/checkouts/${checkout.id}`);
  return String(shown.body['externalId']);
}

async function wakeOf({ id }: ShownCheckout): Promise<unknown> {
  const [row] = await bench.rows('SELECT next_wake_at FROM tollgate.checkouts WHERE id = $1', [id]);
  return row?.['next_wake_at'];
}

/** Returns the status that provider A reports for a checkout. */
async function statusThere({ id }: ShownCheckout): Promise<string> {
  const [row] = await bench.rows<{ reference: string }>(
    'SELECT reference FROM tollgate.checkouts WHERE id = $1',
    [id],
  );
  const { adapter, access } = await bench.world.open('provider_a');
  const found = await adapter.fetchCheckout(access, { kind: 'checkout', reference: row?.reference ?? '' });
  return found.kind === 'done' ? found.value.status : found.kind;
}

/** Opens an empty account for these secrets at their provider. */
function openOther(secrets: Record<string, string>, webhookUrl: string): void {
  const { a, b, c } = bench.world.simulators.providers;
  const { secretKey = '', clientId = '', clientSecret = '' } = secrets;
  if (secretKey === '') b.account({ clientId, clientSecret, webhooks: [], plans: [] });
  else if (secrets['webhookSecret'] === undefined) c.account({ secretKey, webhookUrl, plans: [] });
  else a.account({ secretKey, webhookUrl, webhookSecret: secrets['webhookSecret'] });
}

describe.each(PROVIDERS)('at %s', (provider) => {
  /** Gives the connection credentials of another account, which is empty. Returns what gives it its own again. */
  const useOtherAccount = async (): Promise<() => Promise<void>> => {
    const { operator, connections, secrets, service } = bench.world;
    const path = `/api/provider-connections/${connections[provider]}`;
    const use = async (used: Record<string, string>): Promise<void> => {
      expect((await operator.patch(path, { body: { secrets: used } })).status).toBe(200);
    };
    const other = complete[provider]();
    openOther(other, service.urls.sandbox);
    await use(other);
    return () => use(secrets[provider]);
  };

  test('a plan is offered on the provider’s page, and begins when it is paid there', async () => {
    const { externalId } = await bench.customer();
    const key = randomUUID();
    const body = { externalId, planSlug: 'pro', provider };
    const answer = await bench.send(body, key);
    expect([answer.status, answer.body]).toMatchObject([
      201,
      {
        kind: 'subscription',
        status: 'open',
        provider,
        connectionId: bench.world.connections[provider],
        plan: { slug: 'pro' },
        seats: 1,
        amountDue: { amount: '3000', currency: 'USD' },
        amount: null,
        transaction: null,
        failure: null,
        successUrl: 'http://sandbox.test/checkout/return',
      },
    ]);
    const checkout = answer.body as unknown as ShownCheckout;
    expect(checkout.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect(await bench.show(checkout.id)).toEqual(checkout);
    expect(await bench.world.show(checkout.subscriptionId)).toMatchObject({ status: 'incomplete', provider });
    expect(await bench.eventsOf('CHECKOUT_CREATED', checkout.id)).toMatchObject([{ status: 'OK' }]);

    const replay = await bench.send(body, key);
    expect([replay.status, replay.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    expect(JSON.stringify(replay.body)).toBe(JSON.stringify(answer.body));

    await bench.pay(provider, checkout);
    await bench.world.settle();
    await bench.wake(checkout.id);
    await bench.world.settle();
    if (provider === 'provider_c')
      await bench.unheard(checkout.id, (await bench.world.now()) + 3 * MINUTE_MS);
    expect(await bench.world.show(checkout.subscriptionId)).toMatchObject({ status: 'active' });
    expect(await bench.show(checkout.id)).toMatchObject({ status: 'complete', url: null });
    const paid = (await bench.paymentsOf(externalId)).filter((row) => row['subscription_id'] !== null);
    expect(paid).toMatchObject([{ amount: '3000', status: 'succeeded' }]);
  });

  test('when no webhook comes, the provider is read back, and it begins all the same', async () => {
    const checkout = await bench.offer(provider);
    await bench.unheard(checkout.id, (await bench.world.now()) + HOUR_MS);
    await drop();
    const paidAt = await bench.world.now();
    await bench.pay(provider, checkout);
    await bench.unheard(checkout.id, paidAt + HOUR_MS);
    expect(await bench.show(checkout.id)).toMatchObject({ status: 'complete', failure: null });
    const { status, currentPeriodStart } = await bench.world.show(checkout.subscriptionId);
    const beganAfter = Date.parse(currentPeriodStart) - paidAt;
    expect([status, Math.abs(beganAfter) < MINUTE_MS]).toEqual(['active', true]);
    expect(await bench.paymentsOf(await externalIdOf(checkout))).toHaveLength(1);
  });

  test('an amount is taken once: its payment is the customer’s, and no subscription’s', async () => {
    const checkout = await bench.ask(provider);
    expect(checkout).toMatchObject({
      kind: 'payment',
      status: 'open',
      plan: null,
      seats: null,
      subscriptionId: null,
      amount: { amount: '1234', currency: 'USD' },
      amountDue: { amount: '1234' },
      description: 'A workshop',
    });
    await drop();
    await bench.pay(provider, checkout);
    await bench.unheard(checkout.id, (await bench.world.now()) + 2 * MINUTE_MS);
    expect(await bench.show(checkout.id)).toMatchObject({ status: 'complete', amountDue: { amount: '0' } });
    const paid = { amount: '1234', status: 'succeeded', transaction_id: null, subscription_id: null };
    expect(await bench.paymentsOf(await externalIdOf(checkout))).toMatchObject([paid]);
    const other = await bench.ask(provider);
    await bench.pay(provider, other);
    await bench.world.settle();
    await bench.unheard(other.id, (await bench.world.now()) + 2 * MINUTE_MS);
    expect(await bench.show(other.id)).toMatchObject({ status: 'complete' });
    const [payment, ...more] = await bench.paymentsOf(await externalIdOf(other));
    expect([String(payment?.['id']).slice(0, 4), payment, more]).toMatchObject(['pay_', paid, []]);
  });

  test('unpaid at its deadline it is over, at the provider too', async () => {
    const checkout = await bench.offer(provider, { expiresInMinutes: 60 });
    const deadline = Date.parse(checkout.expiresAt);
    await bench.unheard(checkout.id, deadline - MINUTE_MS);
    expect(await bench.show(checkout.id)).toMatchObject({ status: 'open', url: checkout.url });
    await bench.unheard(checkout.id, deadline + MINUTE_MS);
    expect(await bench.show(checkout.id)).toMatchObject({ status: 'expired', url: null });
    expect(await bench.world.show(checkout.subscriptionId)).toMatchObject({ status: 'expired' });
    expect(await wakeOf(checkout)).toBeNull();
    // B and C have no call that ends a page.
    if (provider === 'provider_a') expect(await statusThere(checkout)).toBe('expired');
  });

  test('with credentials of another account meanwhile, which does not know it, it stays open and begins when it is paid', async () => {
    const checkout = await bench.offer(provider);
    const useOwnAccount = await useOtherAccount();
    await bench.unheard(checkout.id, (await bench.world.now()) + 10 * MINUTE_MS);
    expect(await bench.show(checkout.id)).toMatchObject({ status: 'open', url: checkout.url });
    await useOwnAccount();
    await drop();
    await bench.pay(provider, checkout);
    await bench.unheard(checkout.id, (await bench.world.now()) + HOUR_MS);
    expect(await bench.show(checkout.id)).toMatchObject({ status: 'complete' });
    expect(await bench.world.show(checkout.subscriptionId)).toMatchObject({ status: 'active' });
  });

  test('paid shortly before its deadline, at which its connection has credentials of another account, it begins once its own are back', async () => {
    const checkout = await bench.offer(provider, { expiresInMinutes: 60 });
    const deadline = Date.parse(checkout.expiresAt);
    await bench.unheard(checkout.id, deadline - MINUTE_MS);
    await drop();
    await bench.pay(provider, checkout);
    const useOwnAccount = await useOtherAccount();
    await bench.unheard(checkout.id, deadline + MINUTE_MS);
    expect(await bench.show(checkout.id)).toMatchObject({ status: 'open', url: checkout.url });
    await useOwnAccount();
    await bench.unheard(checkout.id, deadline + 120 * MINUTE_MS);
    expect(await bench.show(checkout.id)).toMatchObject({ status: 'complete' });
    expect(await bench.world.show(checkout.subscriptionId)).toMatchObject({ status: 'active' });
  });

  test('an amount stays open with credentials of another account, and is taken once its own are back', async () => {
    const checkout = await bench.ask(provider);
    await drop();
    await bench.pay(provider, checkout);
    const useOwnAccount = await useOtherAccount();
    await bench.unheard(checkout.id, (await bench.world.now()) + 10 * MINUTE_MS);
    expect(await bench.show(checkout.id)).toMatchObject({ status: 'open', url: checkout.url });
    await useOwnAccount();
    await bench.unheard(checkout.id, (await bench.world.now()) + HOUR_MS);
    expect(await bench.show(checkout.id)).toMatchObject({ status: 'complete' });
    const paid = { amount: '1234', status: 'succeeded' };
    expect(await bench.paymentsOf(await externalIdOf(checkout))).toMatchObject([paid]);
  });

  test('paid at the very last moment, unheard of, it begins', async () => {
    const checkout = await bench.offer(provider, { expiresInMinutes: 60 });
    const deadline = Date.parse(checkout.expiresAt);
    await bench.unheard(checkout.id, deadline - MINUTE_MS);
    await drop();
    await bench.pay(provider, checkout);
    await bench.unheard(checkout.id, deadline + MINUTE_MS);
    expect(await bench.show(checkout.id)).toMatchObject({ status: 'complete' });
    expect(await bench.world.show(checkout.subscriptionId)).toMatchObject({ status: 'active' });
  });

  test('given up it is over at once; paid and unheard of, it is complete instead', async () => {
    const checkout = await bench.offer(provider);
    const expired = await bench.expire(checkout.id);
    expect([expired.status, expired.body['status']]).toEqual([200, 'expired']);
    expect(await bench.expire(checkout.id)).toMatchObject({ status: 200, body: expired.body });
    const other = await bench.offer(provider);
    await drop();
    await bench.pay(provider, other);
    const refused = await bench.expire(other.id);
    expect([refused.status, refused.body['code']]).toEqual([409, 'checkout_not_open']);
    expect(await bench.world.show(other.subscriptionId)).toMatchObject({ status: 'active' });
  });
});

test.each(PROVIDERS)(
  '%s answers after a time-out: the same key, one page, and the link is there',
  async (provider) => {
    const { externalId } = await bench.customer();
    const path = {
      provider_a: '/v1/checkout',
      provider_b: '/v1/billing/subscriptions',
      provider_c: '/transaction/initialize',
    };
    bench.world.fault(provider, path[provider], 'cut_after_commit', 5);
    const key = randomUUID();
    const accepted = await bench.send({ externalId, planSlug: 'pro', provider }, key);
    expect([accepted.status, accepted.body]).toMatchObject([
      202,
      { kind: 'create_checkout', status: 'accepted' },
    ]);
    bench.world.simulators.core.faults.clear();
    const id = String(accepted.body['id']).replace('op_', 'chk_');
    expect(await bench.show(id)).toMatchObject({ status: 'open', url: null });
    await bench.unheard(id, (await bench.world.now()) + 2 * MINUTE_MS);
    const operation = await bench.world.operator.get(accepted.headers.get('location') ?? '');
    expect(operation.body).toMatchObject({ status: 'succeeded', answer: { status: 201, body: { id } } });
    const answer = await bench.send({ externalId, planSlug: 'pro', provider }, key);
    expect([answer.status, answer.body['url']]).toEqual([201, (await bench.show(id)).url]);
    await bench.pay(provider, await bench.show(id));
    await bench.unheard(id, (await bench.world.now()) + 2 * MINUTE_MS);
    expect(await bench.show(id)).toMatchObject({ status: 'complete' });
  },
);

test('what the provider refuses is refused here: nothing stays open, and the next attempt is a new one there', async () => {
  const { operator, connections } = bench.world;
  const { externalId } = await bench.customer();
  const path = `/api/provider-connections/${connections.provider_a}`;
  const { planReferences } = (await operator.get(path)).body['settings'] as { planReferences: object };
  const refer = (pro: string) =>
    operator.patch(path, { body: { settings: { planReferences: { ...planReferences, pro } } } });
  await refer('price_of_nobody');
  const [key, body] = [randomUUID(), { externalId, planSlug: 'pro', provider: 'provider_a' }];
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const refused = await bench.send(body, key);
    expect([refused.status, refused.body['code'], refused.body['providerCode']]).toEqual([
      409,
      'provider_refused',
      'not_found',
    ]);
    expect(String(refused.body['detail'])).toContain('does not have this plan');
  }
  const { body: list } = await operator.get('/api/billing/checkouts', { query: { take: '1' } });
  const [checkout] = list['data'] as ShownCheckout[];
  expect(checkout).toMatchObject({ status: 'expired', url: null, externalId });
  expect(checkout?.failure).toContain('does not have this plan');
  expect(await bench.world.show(checkout?.subscriptionId ?? '')).toMatchObject({ status: 'expired' });
  await refer('price_pro');
  const made = await bench.send(body, key);
  expect([made.status, made.body]).toMatchObject([201, { id: checkout?.id, status: 'open', failure: null }]);
  expect(made.body['subscriptionId']).not.toBe(checkout?.subscriptionId);
});

test('a refused checkout whose key is sent again goes by the settings of then', async () => {
  const { operator, connections } = bench.world;
  const { externalId } = await bench.customer();
  const path = `/api/provider-connections/${connections.provider_a}`;
  const { planReferences } = (await operator.get(path)).body['settings'] as { planReferences: object };
  const refer = (references: object) =>
    operator.patch(path, { body: { settings: { planReferences: references } } });
  const defaultTo = async (defaultProvider: string): Promise<void> => {
    const changed = await operator.patch('/api/billing/settings', { body: { defaultProvider } });
    expect(changed.status).toBe(200);
  };
  const body = { externalId, planSlug: 'pro' };
  try {
    await refer({ ...planReferences, pro: 'price_of_nobody' });
    for (const provider of ['provider_b', 'internal'] as const) {
      await defaultTo('provider_a');
      const key = randomUUID();
      expect((await bench.send(body, key)).body).toMatchObject({ code: 'provider_refused' });
      await defaultTo(provider);
      const made = await bench.send(body, key);
      const connectionId = provider === 'internal' ? null : connections[provider];
      expect([made.status, made.body]).toMatchObject([201, { status: 'open', provider, connectionId }]);
      expect((await bench.send(body, key)).body).toEqual(made.body);
    }
  } finally {
    await refer(planReferences);
    await defaultTo('internal');
  }
});

describe('refused before anything is written', () => {
  async function counted(): Promise<unknown> {
    return bench.rows(
      `SELECT (SELECT count(*) FROM tollgate.checkouts) AS checkouts, (SELECT count(*) FROM tollgate.operations) AS operations,
              (SELECT count(*) FROM tollgate.subscriptions) AS subscriptions`,
      [],
    );
  }
  async function refused(body: object): Promise<unknown[]> {
    const before = await counted();
    const answer = await bench.send(body);
    expect(await counted()).toEqual(before);
    return [answer.status, answer.body['code']];
  }

  test('seats that a provider does not have, and a customer whom it cannot write to', async () => {
    const { externalId } = await bench.customer();
    const body = { externalId, planSlug: 'pro', provider: 'provider_c' };
    expect(await refused({ ...body, seats: 2 })).toEqual([422, 'capability_unsupported']);
    await bench.world.operator.put(`/api/customers/${externalId}`, { body: {} });
    const nobody = `silent-${randomUUID()}`;
    await bench.world.operator.post('/api/customers', { body: { externalId: nobody } });
    expect(await refused({ ...body, externalId: nobody })).toEqual([400, 'validation_failed']);
  });

  test('a plan that the provider has no name for', async () => {
    const { externalId } = await bench.customer();
    const { planGroupId } = bench.world.plans.pro;
    const price = { amount: '100', currency: 'USD' };
    const slug = `plan-${randomUUID().slice(0, 8)}`;
    const plan = { planGroupId, slug, name: 'P', price, interval: 'month' };
    expect((await bench.world.operator.post('/api/plans', { body: plan })).status).toBe(201);
    expect(await refused({ externalId, planSlug: slug, provider: 'provider_b' })).toEqual([
      422,
      'plan_not_mapped',
    ]);
  });

  test('a connection that is not there, is disabled, or is one of several', async () => {
    const { operator } = bench.world;
    const { externalId } = await bench.customer();
    const body = { externalId, planSlug: 'pro' };
    expect(await refused({ ...body, connectionId: 'conn_none' })).toEqual([404, 'connection_not_found']);
    const second = await operator.post('/api/provider-connections', {
      body: { provider: 'provider_b', displayName: 'Second' },
    });
    expect(await refused({ ...body, provider: 'provider_b' })).toEqual([422, 'connection_ambiguous']);
    const named = { ...body, connectionId: bench.world.connections.provider_b };
    expect(await refused({ ...named, provider: 'provider_a' })).toEqual([400, 'validation_failed']);
    const id = String(second.body['id']);
    await operator.patch(`/api/provider-connections/${id}`, { body: { disabled: true } });
    expect(await refused({ ...body, connectionId: id })).toEqual([409, 'connection_disabled']);
    expect((await bench.send({ ...body, provider: 'provider_b' })).status).toBe(201);
    const none = await operator.post('/api/billing/checkouts', {
      env: 'production',
      body: { ...body, provider: 'provider_a' },
      headers: { 'Idempotency-Key': randomUUID() },
    });
    expect([none.status, none.body['code']]).toEqual([404, 'connection_not_found']);
  });

  test.each([
    ['http that is not loopback', { successUrl: 'http://shop.example/paid' }, '/successUrl'],
    ['an address with a blank', { successUrl: ' https://shop.example/paid' }, '/successUrl'],
    ['an address with a line break', { successUrl: 'https://shop.exa\nmple/paid' }, '/successUrl'],
    ['an address without its slashes', { successUrl: 'https:shop.example' }, '/successUrl'],
    ['an address with a password', { successUrl: 'https://me:secret@shop.example/' }, '/successUrl'],
    ['no address', { cancelUrl: 'javascript:alert(1)' }, '/cancelUrl'],
    [
      'an amount without what it is for',
      { planSlug: undefined, amount: { amount: '1', currency: 'USD' } },
      '/description',
    ],
    ['a plan and an amount', { amount: { amount: '1', currency: 'USD' }, description: 'x' }, '/planId'],
    [
      'an amount of nothing',
      { planSlug: undefined, amount: { amount: '0', currency: 'USD' }, description: 'x' },
      '/amount/amount',
    ],
    ['what it is for without an amount', { description: 'x' }, '/description'],
  ])('%s', async (_, members, pointer) => {
    const answer = await bench.send({ externalId: 'a', planSlug: 'pro', provider: 'provider_a', ...members });
    expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
    expect((answer.body['errors'] as { pointer: string }[]).map((error) => error.pointer)).toEqual([pointer]);
  });

  test.each([
    ['missing beside an amount', { amount: { amount: '1', currency: 'USD' } }, /is missing/],
    ['sent without one', { planSlug: 'pro', description: 'x' }, /send it only together with amount/],
  ])('a description that is %s is refused for what it is', async (_, members, message) => {
    const answer = await bench.send({ externalId: 'a', provider: 'provider_a', ...members });
    expect(answer.body['detail']).toMatch(message);
  });
});

test('the workspace’s default provider collects where nobody says otherwise, and its connection says where to return', async () => {
  const { operator, connections } = bench.world;
  await operator.patch('/api/billing/settings', { body: { defaultProvider: 'provider_b' } });
  const path = `/api/provider-connections/${connections.provider_b}`;
  await operator.patch(path, { body: { settings: { returnUrl: 'https://shop.example/back' } } });
  const { externalId } = await bench.customer();
  const answer = await bench.send({ externalId, planSlug: 'pro', cancelUrl: 'https://shop.example/no' });
  expect([answer.status, answer.body]).toMatchObject([
    201,
    { provider: 'provider_b', successUrl: 'https://shop.example/back', cancelUrl: 'https://shop.example/no' },
  ]);
  await operator.patch('/api/billing/settings', { body: { defaultProvider: 'internal' } });
  await operator.patch(path, { body: { settings: { returnUrl: null } } });
});

test.each(PROVIDERS)('a new checkout at %s takes the place of the earlier, there too', async (provider) => {
  const { externalId } = await bench.customer();
  const body = { externalId, planSlug: 'pro', provider };
  const earlier = (await bench.send(body)).body as unknown as ShownCheckout;
  const later = (await bench.send(body)).body as unknown as ShownCheckout;
  expect(await bench.show(earlier.id)).toMatchObject({ status: 'expired', url: null });
  expect(await wakeOf(earlier)).not.toBeNull();
  await bench.wake(earlier.id);
  // A reports the end, so the checkout is polled once more, to find a last-moment payment.
  await deliverWebhooks(bench.world.simulators.core.outbox);
  await bench.wake(earlier.id);
  expect(await wakeOf(earlier)).toBeNull();
  await bench.pay(provider, later);
  await bench.unheard(later.id, (await bench.world.now()) + 2 * MINUTE_MS);
  expect(await bench.show(later.id)).toMatchObject({ status: 'complete' });
});

test.each(PROVIDERS)(
  'an earlier checkout at %s that was paid unheard of starts nothing, and an event says so once',
  async (provider) => {
    const { externalId } = await bench.customer();
    const body = { externalId, planSlug: 'pro', provider };
    const earlier = (await bench.send(body)).body as unknown as ShownCheckout;
    // A pending webhook from the checkout's creation would have the provider polled, and the payment found.
    await deliverWebhooks(bench.world.simulators.core.outbox);
    await drop();
    await bench.pay(provider, earlier);
    expect((await bench.send(body)).status).toBe(201);
    for (let time = 0; time < 2; time += 1) await bench.wake(earlier.id);
    const shown = await bench.show(earlier.id);
    expect(shown.status).toBe('expired');
    expect(shown.failure).toContain('after the checkout had ended');
    expect(await bench.world.show(earlier.subscriptionId)).toMatchObject({ status: 'expired' });
    const refusals = await bench.eventsOf('SUBSCRIPTION_CREATED', earlier.id);
    expect(refusals).toMatchObject([{ status: 'ERROR', data: { change: 'activation_refused' } }]);
    const [payment] = (await bench.paymentsOf(externalId)).filter((row) => row['subscription_id'] !== null);
    expect(payment).toMatchObject({ amount: '3000', status: 'succeeded' });
  },
);

test('a paid order of provider B is found by its order and by its capture', async () => {
  const checkout = await bench.ask('provider_b');
  await bench.pay('provider_b', checkout);
  await bench.unheard(checkout.id, (await bench.world.now()) + 2 * MINUTE_MS);
  const references = await bench.rows<{ kind: string }>(
    `SELECT r.kind FROM tollgate.provider_references r JOIN tollgate.payments p ON p.id = r.target_id
       JOIN tollgate.checkouts k ON k.customer_id = p.customer_id WHERE k.id = $1 ORDER BY r.kind`,
    [checkout.id],
  );
  expect(references.map(({ kind }) => kind)).toEqual(['capture', 'order']);
});

test('a capture that is declined leaves the link open, and says why', async () => {
  const checkout = await bench.ask('provider_b');
  const form = new URLSearchParams({ choice: 'approve_declined' });
  await fetch(checkout.url, { method: 'POST', body: form, redirect: 'manual' });
  await bench.unheard(checkout.id, (await bench.world.now()) + 2 * MINUTE_MS);
  const shown = await bench.show(checkout.id);
  expect(shown).toMatchObject({ status: 'open', url: checkout.url });
  expect(shown.failure).toContain('declined');
});

describe('a plan that begins with a trial', () => {
  const trialOf = (days: number) =>
    bench.world.operator.patch(`/api/plans/${bench.world.plans.pro.planId}`, { body: { trialDays: days } });
  beforeAll(() => trialOf(14));
  afterAll(() => trialOf(0));

  const times = (shown: Record<string, unknown>, ...names: string[]): number[] =>
    names.map((name) => Date.parse(String(shown[name])));

  async function inTrial(): Promise<WorldSubscription> {
    const { externalId } = await bench.customer();
    const checkout = made(await bench.send({ externalId, planSlug: 'pro', provider: 'provider_a' }));
    expect(checkout).toMatchObject({
      amountDue: { amount: '0', currency: 'USD' },
      trial: { days: 14, firstCharge: { amount: '3000', currency: 'USD' } },
    });
    expect(await bench.eventsOf('CHECKOUT_CREATED', checkout.id)).toMatchObject([
      { message: `${externalId} was offered pro with nothing to pay yet.` },
    ]);
    await bench.pay('provider_a', checkout);
    await bench.world.settle();
    const shown = await bench.world.show(checkout.subscriptionId);
    return {
      id: checkout.subscriptionId,
      provider: 'provider_a',
      reference: String(shown['providerReference']),
      externalId,
      email: '',
    };
  }

  test('provider A gives it: nothing is charged until it ends, and the first period begins then', async () => {
    const row = new ProviderARow(bench.world);
    const subscription = await inTrial();
    const shown = await bench.world.show(subscription.id);
    const [trialEnd = 0, periodEnd, anchor, start = 0] = times(
      shown,
      ...['trialEnd', 'currentPeriodEnd', 'billingAnchor', 'currentPeriodStart'],
    );
    expect(shown.status).toBe('trialing');
    expect([periodEnd, anchor, trialEnd - start]).toEqual([trialEnd, trialEnd, 14 * DAY_MS]);
    expect(await row.access(subscription)).toBe(1_000);
    expect(await bench.paymentsOf(subscription.externalId)).toEqual([]);
    await bench.world.advanceTo(trialEnd + 60_000);
    const after = await bench.world.show(subscription.id);
    expect(after).toMatchObject({ status: 'active', currentPeriodStart: shown['trialEnd'] });
    expect(row.collected(subscription)).toEqual(['subscription_create 0', 'subscription_cycle 3000']);
    expect(await bench.paymentsOf(subscription.externalId)).toMatchObject([{ amount: '3000' }]);
  });

  test('completed after it was replaced, it starts nothing, and the event does not speak of a payment', async () => {
    const { externalId } = await bench.customer();
    const body = { externalId, planSlug: 'pro', provider: 'provider_a' };
    const earlier = made(await bench.send(body));
    await deliverWebhooks(bench.world.simulators.core.outbox);
    await drop();
    await bench.pay('provider_a', earlier);
    made(await bench.send(body));
    await bench.wake(earlier.id);
    const words = `${externalId} completed the checkout of pro after it had ended.`;
    expect(await bench.show(earlier.id)).toMatchObject({ status: 'expired', failure: words });
    expect(await bench.eventsOf('SUBSCRIPTION_CREATED', earlier.id)).toMatchObject([
      { status: 'ERROR', message: expect.stringContaining(words) as string },
    ]);
    expect(await bench.paymentsOf(externalId)).toEqual([]);
  });

  test('in it an upgrade costs nothing, a cancel ends it with the trial, and access goes with it', async () => {
    const row = new ProviderARow(bench.world);
    const subscription = await inTrial();
    const body = { planId: bench.world.plans.large.planId };
    const path = `/api/billing/subscriptions/${subscription.id}`;
    const preview = await bench.world.operator.post(`${path}/change`, {
      body,
      query: { dryRun: 'true' },
      headers: { 'Idempotency-Key': randomUUID() },
    });
    expect(JSON.stringify(preview.body)).toContain('Nothing is charged during the trial');
    const changed = await bench.world.change(subscription.id, { plan: 'large' });
    expect([changed.status, changed.body['effective']]).toEqual([200, 'immediate']);
    expect(await row.billed(subscription)).toBe('price_large × 1');
    const cancelled = await bench.world.command(subscription.id, 'cancel');
    const shown = await bench.world.show(subscription.id);
    expect([cancelled.status, cancelled.body['effectiveAt']]).toEqual([200, shown['trialEnd']]);
    expect(shown.status).toBe('trialing');
    await bench.world.advanceTo(Date.parse(String(shown['trialEnd'])) + 60_000);
    expect((await bench.world.show(subscription.id)).status).toBe('cancelled');
    expect(await bench.paymentsOf(subscription.externalId)).toEqual([]);
  });

  test('one that is ended or moved at the provider ends then, and periods are counted from there', async () => {
    const row = new ProviderARow(bench.world);
    const subscription = await inTrial();
    const now = await bench.world.now();
    const later = Math.floor(now / 1000) * 1000 + 30 * DAY_MS;
    await row.updateAtProvider(subscription, { trial_end: String(later / 1000) });
    const moved = await bench.world.show(subscription.id);
    expect(times(moved, 'trialEnd', 'currentPeriodEnd', 'billingAnchor')).toEqual([later, later, later]);
    await row.updateAtProvider(subscription, { trial_end: 'now' });
    await bench.world.settle();
    const ended = await bench.world.show(subscription.id);
    const [trialEnd = 0, start, anchor] = times(ended, 'trialEnd', 'currentPeriodStart', 'billingAnchor');
    expect(ended.status).toBe('active');
    expect([start, anchor]).toEqual([trialEnd, trialEnd]);
    expect(trialEnd).toBeLessThan(later);
    expect(await bench.paymentsOf(subscription.externalId)).toMatchObject([{ amount: '3000' }]);
  });

  test.each(['provider_b', 'provider_c'] as const)(
    'is refused at %s, which would charge at once',
    async (provider) => {
      const { externalId } = await bench.customer();
      const { status, body } = await bench.send({ externalId, planSlug: 'pro', provider });
      expect([status, body]).toMatchObject([
        422,
        {
          code: 'capability_unsupported',
          capability: { name: 'checkout', supported: false, reasonCode: 'trial_unsupported' },
        },
      ]);
    },
  );
});
