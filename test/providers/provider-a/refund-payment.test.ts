import type { ConnectionAccess } from '../../../src/providers/connection-access';
import type { RefundRequest } from '../../../src/providers/provider-operations';
import { providerA } from '../../../src/providers/provider-a/adapter';
import { idOf } from '../../simulators/provider-a-world';
import { startOperations } from './operations-world';
import { useStarted } from '../../support/use-started';

const world = useStarted(startOperations);
let access: ConnectionAccess;
beforeAll(() => {
  ({ access } = world);
});
beforeEach(() => {
  world.core.faults.clear();
  world.account.setRefundsPending(false);
});

const refunded = (payment: string, change: Partial<RefundRequest> = {}) =>
  providerA.refundPayment(access, world.refund(payment, change));
const refundsOf = async (payment: string) =>
  (await world.client.refunds.list({ payment_intent: payment })).data;

test('a part and then the rest go back, each named as the webhooks name it', async () => {
  const { payment } = await world.paid();
  world.receiver.received.splice(0);
  const part = await refunded(payment);
  expect(part).toMatchObject({
    kind: 'done',
    value: {
      of: { kind: 'payment', reference: payment },
      amount: 500n,
      currency: 'USD',
      status: 'succeeded',
    },
  });
  await world.core.outbox.flush();
  const events = world.receiver.received.map(({ body }) => providerA.readEvent(body));
  const event = events.find(({ eventType }) => eventType === 'refund.created');
  expect(part).toEqual({ kind: 'done', value: event?.refund });
  expect((await refunded(payment, { amount: 1_500n, refundId: 'ref_2' })).kind).toBe('done');
  const kept = (await refundsOf(payment)).map(({ amount, metadata }) => [amount, metadata]);
  expect(kept).toEqual([
    [1_500, { refundId: 'ref_2' }],
    [500, { refundId: 'ref_1' }],
  ]);
});

test('all refunds of a payment are read, the earliest first', async () => {
  const { payment } = await world.paid();
  expect(await providerA.fetchRefundsOf?.(access, payment)).toEqual({ kind: 'done', value: [] });
  const made = [await refunded(payment), await refunded(payment, { amount: 1_500n, refundId: 'ref_2' })];
  const value = made.map((each) => (each.kind === 'done' ? each.value : each));
  expect(await providerA.fetchRefundsOf?.(access, payment)).toEqual({ kind: 'done', value });
});

test.each(['charge', 'invoice', 'checkout'] as const)('a payment can be named by its %s', async (kind) => {
  const { invoice, payment, session } = await world.paid();
  const { latest_charge: charge } = await world.client.paymentIntents.retrieve(payment);
  const reference = { charge: idOf(charge), invoice, checkout: session }[kind];
  expect((await refunded(payment, { payment: { kind, reference } })).kind).toBe('done');
  expect(await refundsOf(payment)).toHaveLength(1);
});

test('a slow bank leaves it pending, and one that gives it back has refused it', async () => {
  const { payment } = await world.paid();
  world.account.setRefundsPending(true);
  const request = world.refund(payment);
  const pending = await providerA.refundPayment(access, request);
  expect(pending).toMatchObject({ kind: 'pending', value: { status: 'pending' } });
  const [made] = await refundsOf(payment);
  world.account.settleRefund(String(made?.id), 'failed');
  expect(await providerA.refundPayment(access, { ...request, repeated: true })).toMatchObject({
    kind: 'declined',
    code: 'refund_failed',
  });
});

test.each([false, true])(
  'an answer that did not come is looked for (with the key forgotten: %s): the money goes back once',
  async (forgotten) => {
    const { payment } = await world.paid();
    const request = world.refund(payment);
    world.cut('/v1/refunds');
    expect((await providerA.refundPayment(access, request)).kind).toBe('unknown');
    if (forgotten) world.account.forgetKeys();
    expect(await providerA.refundPayment(access, { ...request, repeated: true })).toMatchObject({
      kind: 'done',
      value: { amount: 500n },
    });
    expect(await refundsOf(payment)).toHaveLength(1);
  },
);

test('a refund that was never sent is sent by the next attempt, and a failure under the key stays unknown', async () => {
  const { payment } = await world.paid();
  const request = world.refund(payment, { repeated: true });
  expect((await providerA.refundPayment(access, request)).kind).toBe('done');
  world.core.faults.set({ provider: 'a', path: '/v1/refunds', fault: 'answer_500', times: 1 });
  const failing = world.refund(payment, { refundId: 'ref_2' });
  expect((await providerA.refundPayment(access, failing)).kind).toBe('unknown');
  expect((await providerA.refundPayment(access, { ...failing, repeated: true })).kind).toBe('unknown');
  world.account.forgetKeys();
  expect((await providerA.refundPayment(access, { ...failing, repeated: true })).kind).toBe('done');
  expect(await refundsOf(payment)).toHaveLength(2);
});

test('what was paid outside of the provider is a payment of its invoice, and nothing can be refunded of it', async () => {
  const { id, customer } = await world.paid();
  world.account.setCard(customer, 'declines');
  const renewsAt = (await world.client.subscriptions.retrieve(id)).items.data[0]?.current_period_end ?? 0;
  await world.core.clock.advanceTo(renewsAt * 1000);
  const [invoice] = (await world.client.invoices.list({ subscription: id, expand: ['data.payments'] })).data;
  const attempted = idOf(invoice?.payments?.data[0]?.payment.payment_intent);
  await world.client.invoices.pay(invoice?.id ?? '', { paid_out_of_band: true });
  const listed = await providerA.listPayments?.(access, id, 0);
  expect(listed).toMatchObject({
    kind: 'done',
    value: [
      {},
      { payment: { kind: 'invoice', reference: invoice?.id, amount: 2_000n, status: 'succeeded' } },
    ],
  });
  expect(await refunded(attempted)).toMatchObject({
    kind: 'declined',
    code: 'not_found',
    reason: expect.stringMatching(/^Nothing was charged for this payment .*\(request req_/) as string,
  });
  expect(await refunded('pr_1')).toMatchObject({
    code: 'not_found',
    reason: 'The payment provider has no payment to refund.',
  });
});

test('more than is left, nothing, and payments that there are not, are refused', async () => {
  const { payment } = await world.paid();
  const tooMuch = await refunded(payment, { amount: 2_001n });
  expect(tooMuch).toMatchObject({ kind: 'declined', code: 'refund_exceeds_payment' });
  expect(tooMuch).toMatchObject({
    reason: expect.stringMatching(/has been refunded at the payment provider.*\(request req_/) as string,
  });
  expect(await refunded(payment, { amount: 0n })).toMatchObject({ code: 'amount_not_possible' });
  expect((await refunded(payment, { amount: 2_000n })).kind).toBe('done');
  expect(await refunded(payment, { amount: 1n, refundId: 'ref_2' })).toMatchObject({
    code: 'charge_already_refunded',
    reason: expect.stringContaining('already been refunded') as string,
  });
  for (const kind of ['payment', 'charge', 'invoice', 'checkout'] as const) {
    const outcome = await refunded(payment, { payment: { kind, reference: 'x_none' } });
    expect(outcome).toMatchObject({ kind: 'declined', code: 'not_found' });
  }
  expect((await refunded(payment, { payment: { kind: 'order', reference: 'x' } })).kind).toBe('unsupported');
});
