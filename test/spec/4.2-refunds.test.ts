import { randomUUID } from 'node:crypto';
import { idOf, pointersOf } from '../catalog/offer';
import { eventsOf, owing, pay, read, refund, usd } from '../payments/money';
import { PAYMENT_PROVIDERS, ProviderPayments } from '../payments/provider-payments';
import { dataOf, historyOf } from '../support/billing';
import { idsOf } from '../support/events';
import { logIn, type OperatorClient } from '../support/operator';
import { untilTaken } from '../support/until-taken';
import { useService } from '../support/use-service';
import { useStarted } from '../support/use-started';

/** Refunds of local billing: full or partial, and never more than was paid. */
const service = useService({ commands: 'direct' });
let client: OperatorClient;
beforeAll(async () => {
  client = await logIn(service, { role: 'admin' });
});

/** Makes a payment of `amount` on a transaction of 29.00 USD; in full by default. */
async function paid(amount = '2900') {
  const owed = await owing(client);
  return { ...owed, paymentId: idOf(await pay(client, owed.transactionId, amount)) };
}

test('a payment is refunded in full', async () => {
  const { paymentId, transactionId, subscriptionId, customerId, externalId } = await paid();
  const refunded = await refund(client, paymentId, undefined, { reason: 'Sorry' });
  expect([refunded.status, refunded.body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^ref_/) as string,
      paymentId,
      subscriptionId,
      customerId,
      externalId,
      kind: 'refund',
      provider: 'internal',
      connectionId: null,
      reference: null,
      status: 'succeeded',
      amount: usd('2900'),
      reason: 'Sorry',
      failure: null,
      waitingFor: null,
      requestedAt: expect.any(String) as string,
      completedAt: expect.any(String) as string,
      settlementId: null,
      createdAt: expect.any(String) as string,
    },
  ]);
  expect(await read(client, 'refunds', String(refunded.body['id']))).toEqual(refunded.body);
  expect(await read(client, 'payments', paymentId)).toMatchObject({
    status: 'succeeded',
    refundedAmount: usd('2900'),
    refundableAmount: usd('0'),
  });
  // The transaction stays paid: a refund does not demand payment again.
  expect(await read(client, 'transactions', transactionId)).toMatchObject({ status: 'paid' });
  expect(await historyOf(client, subscriptionId)).toEqual([
    'created',
    'payment_recorded',
    'refund_succeeded',
  ]);
  expect(await eventsOf(client, 'REFUND_RECORDED')).toMatchObject([
    {
      status: 'OK',
      source: 'console',
      message: `${externalId} was refunded 29.00 USD of ${paymentId}.`,
      data: { refundId: refunded.body['id'], paymentId, subscriptionId, amount: '2900', currency: 'USD' },
    },
  ]);
  const audits = await service.database.query(
    "SELECT operator_id FROM tollgate.audit_records WHERE action = 'refund.requested' AND target = $1",
    [refunded.body['id']],
  );
  expect(audits).toEqual([{ operator_id: client.operatorId }]);
});

test('refunds in part add up to the payment and no further', async () => {
  const { paymentId } = await paid();
  expect((await refund(client, paymentId, '1000')).status).toBe(201);
  const above = await refund(client, paymentId, '1901');
  expect([above.status, above.body['code']]).toEqual([409, 'refund_exceeds_payment']);
  expect(above.body['detail']).toContain('19.00 USD');
  expect((await refund(client, paymentId)).body).toMatchObject({ amount: usd('1900') });
  const nothing = await refund(client, paymentId);
  expect([nothing.status, nothing.body['code']]).toEqual([409, 'refund_exceeds_payment']);
  expect(await read(client, 'payments', paymentId)).toMatchObject({ refundableAmount: usd('0') });
});

test('an overpayment is refunded as well', async () => {
  const { paymentId } = await paid('4000');
  expect((await refund(client, paymentId, '4001')).body['code']).toBe('refund_exceeds_payment');
  expect((await refund(client, paymentId, '1100')).status).toBe(201);
});

test('many refunds at once never exceed the payment', async () => {
  const { paymentId } = await paid();
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => {
      const key = randomUUID();
      return untilTaken(() => refund(client, paymentId, '130', {}, key));
    }),
  );
  const granted = answers.filter((answer) => answer.status === 201);
  const refused = answers.filter((answer) => answer.status !== 201);
  expect(new Set(refused.map((answer) => answer.body['code']))).toEqual(new Set(['refund_exceeds_payment']));
  expect(granted).toHaveLength(22);
  expect(await read(client, 'payments', paymentId)).toMatchObject({
    refundedAmount: usd('2860'),
    refundableAmount: usd('40'),
  });
});

test('a refund is made once for its key; a refusal is decided again', async () => {
  const { paymentId } = await paid();
  const key = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => untilTaken(() => refund(client, paymentId, '100', {}, key))),
  );
  expect(new Set(answers.map((answer) => answer.body['id'])).size).toBe(1);
  expect(await read(client, 'payments', paymentId)).toMatchObject({ refundedAmount: usd('100') });
  const replayed = await refund(client, paymentId, '100', {}, key);
  expect([replayed.status, replayed.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  const reused = await refund(client, paymentId, '101', {}, key);
  expect([reused.status, reused.body['code']]).toEqual([422, 'idempotency_key_reused']);
  const refusedKey = randomUUID();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const refused = await refund(client, paymentId, '2801', {}, refusedKey);
    expect([refused.status, refused.body['code']]).toEqual([409, 'refund_exceeds_payment']);
  }
  expect(dataOf(await client.get('/api/billing/refunds', { query: { paymentId } }))).toHaveLength(1);
  const keyless = await client.post('/api/billing/refunds', { body: { paymentId } });
  expect(keyless.body['code']).toBe('idempotency_key_required');
});

test('refunds are listed newest first, by what they are of', async () => {
  const { paymentId, subscriptionId, customerId } = await paid();
  const ids: string[] = [];
  for (const amount of ['1', '2', '3']) ids.push(idOf(await refund(client, paymentId, amount)));
  const newest = [...ids].reverse();
  for (const query of [{ paymentId }, { subscriptionId }, { customerId }] as Record<string, string>[]) {
    expect(idsOf((await client.get('/api/billing/refunds', { query })).body)).toEqual(newest);
  }
  const failed = await client.get('/api/billing/refunds', { query: { paymentId, status: 'failed' } });
  expect(dataOf(failed)).toEqual([]);
  const first = await client.get('/api/billing/refunds', { query: { paymentId, take: '2' } });
  const second = await client.get('/api/billing/refunds', {
    query: { paymentId, take: '2', cursor: String(first.body['nextCursor']) },
  });
  expect([...idsOf(first.body), ...idsOf(second.body)]).toEqual(newest);
});

test('a payment that has not succeeded has nothing to give back', async () => {
  const { paymentId } = await paid();
  const set = (status: string) =>
    service.database.query('UPDATE tollgate.payments SET status = $2 WHERE id = $1', [paymentId, status]);
  await set('pending');
  const answer = await refund(client, paymentId);
  expect([answer.status, answer.body['code']]).toEqual([409, 'payment_not_refundable']);
  expect(await read(client, 'payments', paymentId)).toMatchObject({ refundableAmount: usd('0') });
  await set('succeeded');
});

test.each([
  ['nothing', { amount: usd('0') }, ['/amount/amount']],
  ['a fraction', { amount: usd('0.5') }, ['/amount/amount']],
  ['an empty reason', { reason: '' }, ['/reason']],
  ['an unknown member', { currency: 'USD' }, ['/currency']],
])('%s is refused', async (_, members, pointers) => {
  const { paymentId } = await paid();
  const answer = await refund(client, paymentId, undefined, members);
  expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
  expect(pointersOf(answer)).toEqual(pointers);
});

test('another currency, another workspace, a lesser role and an unknown payment are refused', async () => {
  const { paymentId } = await paid();
  const euro = await refund(client, paymentId, { amount: '100', currency: 'EUR' });
  expect([euro.status, euro.body['code']]).toEqual([422, 'payment_currency_differs']);
  const stranger = await logIn(service, { role: 'owner' });
  const theirs = await refund(stranger, paymentId);
  expect([theirs.status, theirs.body['code']]).toEqual([404, 'payment_not_found']);
  const developer = await logIn(service, { role: 'developer', workspaceId: client.workspaceId });
  expect((await refund(developer, paymentId)).body['code']).toBe('role_forbidden');
  const refundId = idOf(await refund(client, paymentId));
  expect((await read(stranger, 'refunds', refundId))['code']).toBe('refund_not_found');
  expect((await refund(client, 'pay_none')).body['code']).toBe('payment_not_found');
});

describe('refunds at payment providers', () => {
  const world = useStarted(() => ProviderPayments.start());

  const list = async (query: Record<string, string>) =>
    dataOf(await world.operator.get('/api/billing/refunds', { query }));

  test('stand in one list with those of local billing, in one shape, and are told apart by their provider', async () => {
    const { transactionId } = await owing(world.operator);
    const local = idOf(await pay(world.operator, transactionId, '2900'));
    const ids = new Map([['internal', idOf(await refund(world.operator, local, '100'))]]);
    for (const [provider] of PAYMENT_PROVIDERS) {
      const { currency } = world.calls[provider];
      const { paymentId } = await world.collect(provider);
      await refund(world.operator, paymentId, { amount: '100', currency });
      await world.pass(60_000);
      ids.set(provider, String((await list({ paymentId }))[0]?.['id']));
    }
    const all = await list({});
    expect(all.map(({ provider }) => provider)).toEqual([...ids.keys()].reverse());
    expect(new Set(all.map((one) => Object.keys(one).sort().join())).size).toBe(1);
    for (const [provider, id] of ids) {
      const found = await list({ provider });
      expect(found).toMatchObject([{ id, provider, status: 'succeeded', amount: { amount: '100' } }]);
      const known = provider !== 'internal';
      expect([found[0]?.['reference'] !== null, found[0]?.['connectionId'] !== null]).toEqual([known, known]);
    }
  });

  test.each(PAYMENT_PROVIDERS)(
    '%s: one that was made there is listed too, without a caller’s reason',
    async (provider) => {
      const { paymentId, reference } = await world.collect(provider);
      const name = await world.calls[provider].refund(reference, 700);
      await world.pass(60_000);
      expect(await list({ paymentId })).toMatchObject([
        { status: 'succeeded', reference: name, reason: null, amount: { amount: '700' } },
      ]);
      const above = await refund(world.operator, paymentId, {
        amount: '2201',
        currency: world.calls[provider].currency,
      });
      expect(above.body['code']).toBe('refund_exceeds_payment');
    },
  );
});
