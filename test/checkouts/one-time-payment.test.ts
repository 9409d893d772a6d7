import { randomUUID } from 'node:crypto';
import { createCustomer, pointersOf } from '../catalog/offer';
import type { ConsoleAnswer } from '../support/operator';
import { useStarted } from '../support/use-started';
import { CheckoutWorkspace } from './checkout-workspace';

/** Checkouts of local billing that take a single payment. */
const bench = useStarted(() => CheckoutWorkspace.start());

const amount = { amount: '4200', currency: 'USD' };

async function ask(members: object = {}): Promise<Record<string, unknown>> {
  const { externalId } = await createCustomer(bench.client);
  const answer = await bench.send({ externalId, amount, description: 'A workshop', ...members });
  expect(answer.status).toBe(201);
  return answer.body;
}

function pay(body: object, key: string = randomUUID()): Promise<ConsoleAnswer> {
  return bench.client.post('/api/billing/payments', { body, headers: { 'Idempotency-Key': key } });
}

test('it is open until its payment is recorded, which is the customer’s and settles nothing else', async () => {
  const checkout = await ask({ metadata: { ref: 'x' } });
  expect(checkout).toMatchObject({
    kind: 'payment',
    status: 'open',
    provider: 'internal',
    plan: null,
    subscriptionId: null,
    transaction: null,
    amount,
    amountDue: amount,
    description: 'A workshop',
    url: null,
    metadata: { ref: 'x' },
  });
  const body = { checkoutId: checkout['id'], amount, reference: 'T-1' };
  const paid = await pay(body, 'once');
  expect([paid.status, paid.body]).toMatchObject([
    201,
    {
      status: 'succeeded',
      provider: 'internal',
      amount,
      transactionId: null,
      subscriptionId: null,
      checkoutId: checkout['id'],
      customerId: checkout['customerId'],
      refundableAmount: amount,
    },
  ]);
  const replay = await pay(body, 'once');
  expect([replay.body, replay.headers.get('idempotency-replayed')]).toEqual([paid.body, 'true']);
  expect(await bench.read(String(checkout['id']))).toMatchObject({
    status: 'complete',
    amountDue: { amount: '0' },
  });
  const query = { checkoutId: String(checkout['id']) };
  const listed = await bench.client.get('/api/billing/payments', { query });
  expect(listed.body['data']).toEqual([paid.body]);
  const again = await pay(body);
  expect([again.status, again.body['code']]).toEqual([409, 'checkout_not_open']);
});

test('ten payments at once: one is recorded', async () => {
  const { id } = await ask();
  const answers = await Promise.all(Array.from({ length: 10 }, () => pay({ checkoutId: id, amount })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
});

test('at its deadline it expires, and is not paid any more', async () => {
  const checkout = await ask();
  const [id, deadline] = [String(checkout['id']), Date.parse(String(checkout['expiresAt']))];
  expect(await bench.timers.expire(bench.scope, id, deadline - 1)).toMatchObject({ open: true });
  expect(await bench.timers.expire(bench.scope, id, deadline)).toMatchObject({ open: false });
  expect(await bench.read(id)).toMatchObject({ status: 'expired', amountDue: { amount: '0' } });
  const late = await pay({ checkoutId: id, amount });
  expect([late.status, late.body['code']]).toEqual([409, 'checkout_not_open']);
});

test('an operator gives it up, and nothing is left to do', async () => {
  const id = String((await ask())['id']);
  const expired = await bench.client.post(`/api/billing/checkouts/${id}/expire`);
  expect([expired.status, expired.body['status']]).toEqual([200, 'expired']);
  const rows = await bench.service.database.query(
    'SELECT next_wake_at FROM tollgate.checkouts WHERE id = $1',
    [id],
  );
  expect(rows).toEqual([{ next_wake_at: null }]);
});

test('another amount, another currency, a plan’s checkout, an unknown one and two things at once are refused', async () => {
  const { id } = await ask();
  const { checkout } = await bench.offer();
  const answers = await Promise.all([
    pay({ checkoutId: id, amount: { ...amount, amount: '4199' } }),
    pay({ checkoutId: id, amount: { ...amount, currency: 'EUR' } }),
    pay({ checkoutId: checkout.id, amount }),
    pay({ checkoutId: 'chk_none', amount }),
    pay({ checkoutId: id, transactionId: 'txn_x', amount }),
    pay({ amount }),
  ]);
  expect(answers.map(({ status, body }) => [status, body['code']])).toEqual([
    [400, 'validation_failed'],
    [422, 'payment_currency_differs'],
    [400, 'validation_failed'],
    [404, 'checkout_not_found'],
    [400, 'validation_failed'],
    [400, 'validation_failed'],
  ]);
  expect(answers.map((answer) => pointersOf(answer))).toEqual([
    ['/amount/amount'],
    [],
    ['/checkoutId'],
    [],
    ['/transactionId'],
    ['/transactionId'],
  ]);
  expect(await bench.read(String(id))).toMatchObject({ status: 'open' });
});

test('the list distinguishes the kinds and the providers', async () => {
  const checkout = await ask();
  const query = { customerId: String(checkout['customerId']) };
  const listed = async (more: Record<string, string>): Promise<unknown> =>
    (await bench.client.get('/api/billing/checkouts', { query: { ...query, ...more } })).body['data'];
  expect(await listed({ kind: 'payment', provider: 'internal' })).toEqual([checkout]);
  expect(await listed({ kind: 'subscription' })).toEqual([]);
  expect(await listed({ provider: 'provider_a' })).toEqual([]);
});
