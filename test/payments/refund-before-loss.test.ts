import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '../../src/domain/instant';
import { ProviderPayments, type CollectedPayment } from './provider-payments';
import { useStarted } from '../support/use-started';

/** A disputed payment that the merchant refunds here before the dispute is decided for the customer. */
const world = useStarted(() => ProviderPayments.start());

type Provider = 'provider_b' | 'provider_c';

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
  test('a payment that the merchant has refunded in full is not reduced again, and the dispute is over', async () => {
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

/** Requests a refund here that the fault keeps without an answer. Returns a function that asks for it again. */
async function requestUnanswered(
  payment: CollectedPayment,
  amount: string,
  fault: 'answer_500' | 'cut_after_commit',
): Promise<() => Promise<void>> {
  const { provider, paymentId } = payment;
  const { faults } = world.simulators.core;
  faults.set({ provider: 'c', path: world.calls[provider].refundPath(payment.reference), fault, times: 1 });
  const refund = await giveBack(payment, amount);
  expect(refund).toMatchObject({ status: 'accepted' });
  faults.clear();
  const [own] = await world.refunds(paymentId);
  return async () => {
    world.service.clock.ahead = HOUR_MS;
    await world.service.direct.catchUpRefund(world.scope, own?.id ?? '');
    world.service.clock.ahead = 0;
    await world.arrive();
  };
}

const stands = ({ paymentId }: CollectedPayment) =>
  world.rows(
    'SELECT kind, status, amount FROM tollgate.refunds WHERE payment_id = $1 ORDER BY kind, status',
    [paymentId],
  );

test('at provider_c, what a lost dispute took is not taken for a refund here that was never made', async () => {
  const payment = await collect('provider_c');
  const lose = dispute(payment);
  await world.arrive();
  const askAgain = await requestUnanswered(payment, '2900', 'answer_500');
  const { outbox } = world.simulators.core;
  const before = outbox.deliveries.length;
  outbox.switches.drop = true;
  lose();
  await world.pass(HOUR_MS);
  outbox.switches.drop = false;
  // The loss first, and then the refund that reports it.
  for (const { id } of outbox.deliveries.slice(before).reverse()) {
    outbox.resend(id);
    await world.arrive();
  }
  await askAgain();
  expect(await stands(payment)).toEqual([
    { kind: 'dispute', status: 'succeeded', amount: '2900' },
    { kind: 'refund', status: 'failed', amount: '2900' },
  ]);
  expect(await shown(payment)).toMatchObject({
    refundedAmount: { amount: '2900' },
    dispute: { status: 'lost' },
  });
});

test('at provider_c, a loss stays lost if what was taken for its report is a refund here', async () => {
  const payment = await collect('provider_c');
  const { provider, reference, paymentId } = payment;
  const lose = dispute(payment);
  await world.arrive();
  const { outbox } = world.simulators.core;
  outbox.switches.drop = true;
  const askAgain = await requestUnanswered(payment, '1450', 'cut_after_commit');
  const [ours] = await world.calls[provider].refunds(reference);
  const before = outbox.deliveries.length;
  lose();
  outbox.switches.drop = false;
  // Only the dispute is reported. Then the loss is tied to our refund, as if the provider left out our id.
  outbox.resend(outbox.deliveries.slice(before).at(-1)?.id ?? '');
  await world.arrive();
  await world.rows(
    `INSERT INTO tollgate.provider_references (workspace_id, environment, provider, kind, reference, connection_id, target_id, created_at)
     SELECT workspace_id, environment, $2, 'refund', $3, $4, id, now() FROM tollgate.refunds
      WHERE payment_id = $1 AND kind = 'dispute'`,
    [paymentId, provider, ours?.id, world.connections[provider]],
  );
  await askAgain();
  await world.pass(HOUR_MS);
  expect(await stands(payment)).toEqual([
    { kind: 'dispute', status: 'succeeded', amount: '1450' },
    { kind: 'refund', status: 'succeeded', amount: '1450' },
  ]);
});
