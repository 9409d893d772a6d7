import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/domain/instant';
import { createCustomer, createFeature, createPlan, idOf, pointersOf } from '../catalog/offer';
import { eventsOf, owing, pay, read, refund, usd } from '../payments/money';
import { PAYMENT_PROVIDERS, ProviderPayments } from '../payments/provider-payments';
import { command, dataOf, historyOf } from '../support/billing';
import { idsOf } from '../support/events';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { untilTaken } from '../support/until-taken';
import { createWorkspace } from '../support/workspace';
import { useService } from '../support/use-service';
import { useStarted } from '../support/use-started';

/** Payments of local billing: a payment that an operator records settles what is owed. */
const service = useService({ commands: 'direct' });
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { role: 'admin' });
});

test('a payment in full settles its transaction', async () => {
  const { transactionId, subscriptionId, customerId, externalId } = await owing(client);
  const paid = await pay(client, transactionId, '2900', { reference: 'Transfer 17' });
  expect([paid.status, paid.body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^pay_/) as string,
      status: 'succeeded',
      provider: 'internal',
      connectionId: null,
      amount: usd('2900'),
      appliedAmount: usd('2900'),
      unappliedAmount: usd('0'),
      refundedAmount: usd('0'),
      refundableAmount: usd('2900'),
      transactionId,
      checkoutId: null,
      subscriptionId,
      customerId,
      externalId,
      reference: 'Transfer 17',
      references: [],
      receivedAt: expect.any(String) as string,
      settlementId: null,
      dispute: null,
      createdAt: expect.any(String) as string,
    },
  ]);
  expect(await read(client, 'payments', String(paid.body['id']))).toEqual(paid.body);
  expect(await read(client, 'transactions', transactionId)).toMatchObject({
    status: 'paid',
    amountPaid: usd('2900'),
    amountOpen: usd('0'),
    paidAt: paid.body['receivedAt'],
  });
  expect(await read(client, 'subscriptions', subscriptionId)).toMatchObject({
    status: 'active',
    paymentDueAt: null,
  });
  expect(await historyOf(client, subscriptionId)).toEqual(['created', 'payment_recorded']);
  expect((await eventsOf(client, 'PAYMENT_RECORDED'))[0]).toMatchObject({
    status: 'OK',
    source: 'console',
    message: `${externalId} paid 29.00 USD: ${transactionId} is paid in full.`,
    data: { paymentId: paid.body['id'], transactionId, subscriptionId, amount: '2900', currency: 'USD' },
  });
});

test('a payment that only moves a deadline later does not wake the workflow, which wakes in time for the current row', async () => {
  const { transactionId, subscriptionId } = await owing(client);
  const jobsOf = () =>
    service.database.query('SELECT FROM graphile_worker._private_jobs WHERE key = $1', [
      `subscription/sandbox/${subscriptionId}`,
    ]);
  await service.database.query('DELETE FROM graphile_worker._private_jobs');
  await pay(client, transactionId, '2900');
  expect(await read(client, 'subscriptions', subscriptionId)).toMatchObject({ paymentDueAt: null });
  expect(await jobsOf()).toEqual([]);
});

test('payments in part leave the rest open and due until the last of them, also if one is refunded', async () => {
  const { transactionId, subscriptionId } = await owing(client);
  const due = (await read(client, 'subscriptions', subscriptionId))['paymentDueAt'];
  expect(due).toEqual(expect.any(String));
  const part = await pay(client, transactionId, '900');
  const partlyPaid = {
    status: 'partially_paid',
    amountPaid: usd('900'),
    amountOpen: usd('2000'),
    paidAt: null,
  };
  expect(await read(client, 'transactions', transactionId)).toMatchObject(partlyPaid);
  expect((await eventsOf(client, 'PAYMENT_RECORDED'))[0]?.['message']).toContain(
    `20.00 USD of ${transactionId} is still open`,
  );
  await refund(client, String(part.body['id']));
  expect(await read(client, 'transactions', transactionId)).toMatchObject(partlyPaid);
  expect(await read(client, 'subscriptions', subscriptionId)).toMatchObject({ paymentDueAt: due });
  await pay(client, transactionId, '2000');
  expect(await read(client, 'transactions', transactionId)).toMatchObject({ status: 'paid' });
  expect(await read(client, 'subscriptions', subscriptionId)).toMatchObject({ paymentDueAt: null });
});

test('an amount beyond what is open is recorded as unapplied', async () => {
  const { transactionId } = await owing(client);
  const more = await pay(client, transactionId, '3000');
  expect(more.body).toMatchObject({ appliedAmount: usd('2900'), unappliedAmount: usd('100') });
  const again = await pay(client, transactionId, '2900');
  expect(again.body).toMatchObject({ appliedAmount: usd('0'), unappliedAmount: usd('2900') });
  expect(await read(client, 'transactions', transactionId)).toMatchObject({ amountPaid: usd('2900') });
});

test('a late payment of a cancelled subscription is unapplied and revives nothing', async () => {
  const { transactionId, subscriptionId } = await owing(client);
  await command(client, subscriptionId, 'cancel');
  const late = await pay(client, transactionId, '2900');
  expect(late.body).toMatchObject({
    status: 'succeeded',
    appliedAmount: usd('0'),
    unappliedAmount: usd('2900'),
    refundableAmount: usd('2900'),
  });
  expect(await read(client, 'transactions', transactionId)).toMatchObject({
    status: 'void',
    amountPaid: usd('0'),
  });
  expect(await read(client, 'subscriptions', subscriptionId)).toMatchObject({ status: 'cancelled' });
  expect((await eventsOf(client, 'PAYMENT_RECORDED'))[0]).toMatchObject({
    status: 'OK',
    message: expect.stringContaining('is void, so 29.00 USD is unapplied and can be refunded') as string,
  });
});

test.each([
  ['JPY', '1451', '1451 JPY'],
  ['USD', '1451', '14.51 USD'],
  ['KWD', '1451', '1.451 KWD'],
])('%s is exact in minor units', async (currency, amount, words) => {
  const { transactionId } = await owing(client, { price: { amount, currency } });
  const paid = await pay(client, transactionId, { amount, currency });
  expect(paid.body).toMatchObject({ appliedAmount: { amount, currency }, unappliedAmount: { amount: '0' } });
  expect((await eventsOf(client, 'PAYMENT_RECORDED'))[0]?.['message']).toContain(` paid ${words}: `);
});

describe('a payment that moves a state', () => {
  /** Creates a separate workspace, because its clock only moves forward. */
  async function own(): Promise<{
    admin: OperatorClient;
    integrator: Integrator;
    feature: string;
    plan: string;
  }> {
    const { workspaceId, sandboxKey } = await createWorkspace(service.database);
    const admin = await logIn(service, { role: 'admin', workspaceId });
    const plan = await createPlan(admin);
    const feature = await createFeature(admin);
    idOf(await admin.post(`/api/plans/${plan}/entitlements`, { body: { featureKey: feature, quota: 5 } }));
    return { admin, integrator: new Integrator(service.urls.sandbox, sandboxKey), feature, plan };
  }
  const advance = (admin: OperatorClient, days: number) =>
    admin.post('/api/sandbox/clock', { body: { to: new Date(Date.now() + days * DAY_MS).toISOString() } });

  async function subscribed() {
    const { admin, integrator, feature, plan } = await own();
    const { externalId } = await createCustomer(admin);
    const opened = await admin.post('/api/billing/subscriptions', {
      body: { externalId, planId: plan },
      headers: { 'Idempotency-Key': randomUUID() },
    });
    const subscriptionId = idOf(opened);
    const list = await admin.get('/api/billing/transactions', { query: { subscriptionId } });
    return {
      admin,
      integrator,
      feature,
      externalId,
      subscriptionId,
      transactionId: idsOf(list.body)[0] ?? '',
    };
  }

  test('makes a past-due subscription active again, and access follows at once', async () => {
    const { admin, integrator, feature, externalId, subscriptionId, transactionId } = await subscribed();
    // Due after 7 days, with grace for 7 more.
    await advance(admin, 15);
    const part = await pay(admin, transactionId, '2899');
    expect(part.status).toBe(201);
    expect(await read(admin, 'subscriptions', subscriptionId)).toMatchObject({ status: 'past_due' });
    expect((await integrator.check(externalId, feature)).body).toMatchObject({
      allowed: false,
      reason: { code: 'subscription_past_due' },
    });
    const rest = await pay(admin, transactionId, '1');
    expect(rest.body).toMatchObject({ appliedAmount: usd('1') });
    expect(await read(admin, 'subscriptions', subscriptionId)).toMatchObject({
      status: 'active',
      paymentDueAt: null,
    });
    expect((await integrator.check(externalId, feature)).body).toMatchObject({ allowed: true });
    expect(await historyOf(admin, subscriptionId)).toEqual([
      'created',
      'became_past_due',
      'payment_recorded',
      'payment_recorded',
      'recovered',
    ]);
    expect((await eventsOf(admin, 'SUBSCRIPTION_CHANGED'))[0]).toMatchObject({
      source: 'console',
      data: { change: 'recovered', subscriptionId },
    });
  });

  test('comes too late once the subscription has expired by its time', async () => {
    const { admin, subscriptionId, transactionId } = await subscribed();
    // No worker has run since: due after 7 days, expired 30 days later.
    await advance(admin, 60);
    const late = await pay(admin, transactionId, '2900');
    expect(late.body).toMatchObject({ appliedAmount: usd('0'), unappliedAmount: usd('2900') });
    expect(await read(admin, 'subscriptions', subscriptionId)).toMatchObject({ status: 'expired' });
  });

  test('starts an incomplete subscription once its checkout is paid in full', async () => {
    const { admin, integrator, feature, plan } = await own();
    const { externalId } = await createCustomer(admin);
    const checkout = await admin.post('/api/billing/checkouts', {
      body: { externalId, planId: plan },
      headers: { 'Idempotency-Key': randomUUID() },
    });
    const id = idOf(checkout);
    const subscriptionId = String(checkout.body['subscriptionId']);
    const list = await admin.get('/api/billing/transactions', { query: { subscriptionId } });
    const transactionId = idsOf(list.body)[0] ?? '';
    await pay(admin, transactionId, '1000');
    expect(await read(admin, 'checkouts', id)).toMatchObject({ status: 'open' });
    expect((await integrator.check(externalId, feature)).body).toMatchObject({ allowed: false });
    await pay(admin, transactionId, '1900');
    expect(await read(admin, 'checkouts', id)).toMatchObject({ status: 'complete' });
    expect(await read(admin, 'subscriptions', subscriptionId)).toMatchObject({
      status: 'active',
      paymentDueAt: null,
    });
    expect((await integrator.check(externalId, feature)).body).toMatchObject({ allowed: true });
  });
});

test('a payment is recorded once for its key', async () => {
  const { transactionId } = await owing(client);
  const key = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => untilTaken(() => pay(client, transactionId, '100', {}, key))),
  );
  expect(new Set(answers.map((answer) => answer.body['id'])).size).toBe(1);
  expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === 'true')).toHaveLength(19);
  expect(await read(client, 'transactions', transactionId)).toMatchObject({ amountPaid: usd('100') });
  const other = await pay(client, transactionId, '101', {}, key);
  expect([other.status, other.body['code']]).toEqual([422, 'idempotency_key_reused']);
  const keyless = await client.post('/api/billing/payments', {
    body: { transactionId, amount: usd('1') },
  });
  expect(keyless.body['code']).toBe('idempotency_key_required');
});

test('many payments at once apply no more than is owed, and lose nothing', async () => {
  const { transactionId } = await owing(client);
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => {
      const key = randomUUID();
      return untilTaken(() => pay(client, transactionId, '130', {}, key));
    }),
  );
  expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 30 }, () => 201));
  const sum = (member: string) =>
    answers.reduce((total, { body }) => total + Number((body[member] as { amount: string }).amount), 0);
  expect([sum('amount'), sum('appliedAmount'), sum('unappliedAmount')]).toEqual([3900, 2900, 1000]);
  expect(await read(client, 'transactions', transactionId)).toMatchObject({
    status: 'paid',
    amountPaid: usd('2900'),
  });
});

test('payments are listed newest first, by what they are for', async () => {
  const { transactionId, subscriptionId, customerId } = await owing(client);
  const ids: string[] = [];
  for (const amount of ['1', '2', '3']) ids.push(idOf(await pay(client, transactionId, amount)));
  const newest = [...ids].reverse();
  for (const query of [{ transactionId }, { subscriptionId }, { customerId }] as Record<string, string>[]) {
    expect(idsOf((await client.get('/api/billing/payments', { query })).body)).toEqual(newest);
  }
  const failed = await client.get('/api/billing/payments', { query: { transactionId, status: 'failed' } });
  expect(dataOf(failed)).toEqual([]);
  const first = await client.get('/api/billing/payments', { query: { transactionId, take: '2' } });
  const second = await client.get('/api/billing/payments', {
    query: { transactionId, take: '2', cursor: String(first.body['nextCursor']) },
  });
  expect([...idsOf(first.body), ...idsOf(second.body)]).toEqual(newest);
  const otherFilter = await client.get('/api/billing/payments', {
    query: { take: '2', cursor: String(first.body['nextCursor']) },
  });
  expect(otherFilter.body['code']).toBe('cursor_invalid');
});

test.each([
  ['nothing', usd('0'), {}, ['/amount/amount']],
  ['less than nothing', usd('-1'), {}, ['/amount/amount']],
  ['a fraction of a cent', usd('1.5'), {}, ['/amount/amount']],
  ['a number', { amount: 100, currency: 'USD' }, {}, ['/amount/amount']],
  ['no such currency', { amount: '100', currency: 'XXX' }, {}, ['/amount/currency']],
  ['a time to come', usd('100'), { receivedAt: '2999-01-01T00:00:00Z' }, ['/receivedAt']],
  ['an unknown member', usd('100'), { provider: 'internal' }, ['/provider']],
])('%s is refused', async (_, amount, members, pointers) => {
  const { transactionId } = await owing(client);
  const answer = await pay(client, transactionId, amount, members);
  expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
  expect(pointersOf(answer)).toEqual(pointers);
  expect(await read(client, 'transactions', transactionId)).toMatchObject({ status: 'pending' });
});

test('another currency, another workspace and a lesser role are refused', async () => {
  const { transactionId } = await owing(client);
  const euro = await pay(client, transactionId, { amount: '2900', currency: 'EUR' });
  expect([euro.status, euro.body['code']]).toEqual([422, 'payment_currency_differs']);
  const stranger = await logIn(service, { role: 'owner' });
  const theirs = await pay(stranger, transactionId, '2900');
  expect([theirs.status, theirs.body['code']]).toEqual([404, 'transaction_not_found']);
  const developer = await logIn(service, { role: 'developer', workspaceId: client.workspaceId });
  expect((await pay(developer, transactionId, '2900')).body['code']).toBe('role_forbidden');
  const paymentId = idOf(await pay(client, transactionId, '2900'));
  expect((await read(stranger, 'payments', paymentId))['code']).toBe('payment_not_found');
});

describe('payments at payment providers', () => {
  const world = useStarted(() => ProviderPayments.start());

  const list = async (query: Record<string, string>) =>
    dataOf(await world.operator.get('/api/billing/payments', { query }));

  test('stand in one list with those of local billing, in one shape, and are told apart by their provider', async () => {
    const { transactionId } = await owing(world.operator);
    const ids = new Map([['internal', idOf(await pay(world.operator, transactionId, '2900'))]]);
    for (const [provider] of PAYMENT_PROVIDERS) ids.set(provider, (await world.collect(provider)).paymentId);
    const all = await list({});
    expect(all.map((payment) => payment['provider'])).toEqual([...ids.keys()].reverse());
    expect(new Set(all.map((payment) => Object.keys(payment).sort().join())).size).toBe(1);
    for (const [provider, id] of ids) {
      const found = await list({ provider });
      expect(found).toEqual([await read(world.operator, 'payments', id)]);
      expect(found).toMatchObject([{ id, provider, status: 'succeeded' }]);
    }
    const none = await world.operator.get('/api/billing/payments', { query: { provider: 'provider_d' } });
    expect([none.status, pointersOf(none)]).toEqual([400, ['/query/provider']]);
  });

  test.each(PAYMENT_PROVIDERS)(
    'one of %s names its connection and what the provider calls it',
    async (provider) => {
      const kinds = { provider_a: 'payment', provider_b: 'capture', provider_c: 'payment' };
      const { paymentId, reference } = await world.collect(provider);
      const payment = await read(world.operator, 'payments', paymentId);
      expect(payment).toMatchObject({
        provider,
        connectionId: world.connections[provider],
        reference,
        subscriptionId: null,
        amount: { amount: '2900' },
        refundableAmount: { amount: '2900' },
      });
      expect(payment['references']).toContainEqual({ kind: kinds[provider], reference });
    },
  );
});
