import { randomUUID } from 'node:crypto';
import { ProviderPayments, type CollectedPayment } from './provider-payments';

/** A disputed payment that the merchant refunds here before the dispute is decided for the customer. */
let world: ProviderPayments;
beforeAll(async () => {
  world = await ProviderPayments.start();
});
afterAll(() => world.stop());

type Provider = 'provider_b' | 'provider_c';

const HOUR_MS = 3_600_000;

/** B's simulator can only dispute payments of subscriptions. */
function collect(provider: Provider): Promise<CollectedPayment> {
  return world.collect(provider, provider === 'provider_b' ? 'subscription' : 'once');
}

/** Has the customer dispute the payment. Returns a function that decides it for the customer. */
function dispute({ provider, reference }: CollectedPayment): () => void {
  const { providers } = world.simulators;
  if (provider === 'provider_b') {
    const { clientId = '', clientSecret = '' } = world.calls.provider_b.secrets;
    const account = providers.b.account({ clientId, clientSecret });
    const id = account.dispute(reference);
    return () => {
      account.resolveDispute(id, 'lost');
    };
  }
  const account = providers.c.controls(world.calls.provider_c.secrets['secretKey'] ?? '');
  const id = account.dispute(reference);
  return () => {
    account.resolveDispute(id, 'lost');
  };
}

async function giveBack(
  { provider, paymentId }: CollectedPayment,
  amount: string,
): Promise<Record<string, unknown>> {
  const body = { paymentId, amount: { amount, currency: world.calls[provider].currency } };
  const headers = { 'Idempotency-Key': randomUUID() };
  const answer = await world.operator.post('/api/billing/refunds', { body, headers });
  expect([201, 202]).toContain(answer.status);
  await world.pass(HOUR_MS);
  return answer.body;
}

async function shown({ paymentId }: CollectedPayment): Promise<Record<string, unknown>> {
  return (await world.operator.get(`/api/billing/payments/${paymentId}`)).body;
}

describe.each<Provider>(['provider_b', 'provider_c'])('at %s', (provider) => {
  test('what the merchant has given back in full is not taken once more, and the dispute is over', async () => {
    const payment = await collect(provider);
    const lose = dispute(payment);
    await world.arrive();
    expect(await shown(payment)).toMatchObject({ dispute: { status: 'open' } });
    await giveBack(payment, '2900');
    lose();
    await world.pass(HOUR_MS);
    expect(await shown(payment)).toMatchObject({
      refundedAmount: { amount: '2900' },
      refundableAmount: { amount: '0' },
      dispute: { status: 'won' },
    });
    expect(await world.refunds(payment.paymentId)).toMatchObject([{ amount: '2900', status: 'succeeded' }]);
  });
});

test('at provider_c, what was given back before it was disputed is not taken once more', async () => {
  const payment = await collect('provider_c');
  await giveBack(payment, '2900');
  // Nothing shows which clock is ahead: the workspace's has not moved.
  await world.rows(`UPDATE tollgate.refunds SET requested_at = requested_at - interval '1 day'`);
  const lose = dispute(payment);
  await world.arrive();
  lose();
  await world.pass(HOUR_MS);
  expect(await shown(payment)).toMatchObject({
    refundedAmount: { amount: '2900' },
    dispute: { status: 'won' },
  });
});

test('at provider_c, of what was given back in part the rest is taken', async () => {
  const payment = await collect('provider_c');
  const lose = dispute(payment);
  await world.arrive();
  await giveBack(payment, '1000');
  lose();
  await world.pass(HOUR_MS);
  expect(await shown(payment)).toMatchObject({
    refundedAmount: { amount: '2900' },
    dispute: { status: 'lost' },
  });
  expect(await world.refunds(payment.paymentId)).toMatchObject([
    { amount: '1000', status: 'succeeded' },
    { amount: '1900', status: 'succeeded' },
  ]);
});

test('provider_b gives back nothing in part of a disputed payment, which the refund’s failure says', async () => {
  const payment = await collect('provider_b');
  const lose = dispute(payment);
  await world.arrive();
  const refused = await giveBack(payment, '1000');
  expect(refused).toMatchObject({
    status: 'failed',
    failure: expect.stringMatching(/^The payment provider does not allow this refund\. A disputed/) as string,
  });
  lose();
  await world.arrive();
  expect(await shown(payment)).toMatchObject({
    refundedAmount: { amount: '2900' },
    dispute: { status: 'lost' },
  });
});
