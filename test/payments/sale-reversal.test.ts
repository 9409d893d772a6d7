import { ProviderPayments, type CollectedPayment } from './provider-payments';
import { useStarted } from '../support/use-started';

/** Payments of subscriptions that provider B takes back and reports on the sale itself. */
const world = useStarted(() => ProviderPayments.start());

async function send(type: string, resourceType: string, resource: object): Promise<void> {
  const { clientId = '', clientSecret = '' } = world.calls.provider_b.secrets;
  const seed = { clientId, clientSecret, webhooks: [], plans: [] };
  world.simulators.providers.b.account(seed).send({ type, resourceType, summary: type, resource });
  await world.arrive();
}

function reverse({ reference }: CollectedPayment): Promise<void> {
  const amount = { total: '-29.00', currency: 'USD' };
  return send('PAYMENT.SALE.REVERSED', 'sale', { id: reference, state: 'completed', amount });
}

/** Reports a dispute of the payment that the merchant loses. */
async function lose({ reference }: CollectedPayment): Promise<void> {
  const dispute = {
    dispute_id: `PP-D-${reference}`,
    disputed_transactions: [{ seller_transaction_id: reference }],
    dispute_amount: { value: '29.00', currency_code: 'USD' },
    reason: 'UNAUTHORISED',
    status: 'OPEN',
  };
  await send('CUSTOMER.DISPUTE.CREATED', 'dispute', dispute);
  const outcome = { dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR' }, status: 'RESOLVED' };
  await send('CUSTOMER.DISPUTE.RESOLVED', 'dispute', { ...dispute, ...outcome });
}

async function refundsOf({ paymentId, reference }: CollectedPayment): Promise<unknown> {
  const read = await world.operator.get(`/api/billing/payments/${paymentId}`);
  expect(read.body).toMatchObject({ status: 'succeeded', refundableAmount: { amount: '0' } });
  const refunds = await world.refunds(paymentId);
  expect(refunds).toMatchObject([
    { amount: '2900', status: 'succeeded', reference: `reversal-of-${reference}` },
  ]);
  const listed = await world.operator.get('/api/billing/refunds', { query: { paymentId } });
  return (listed.body['data'] as { kind: string }[]).map(({ kind }) => kind);
}

test('is one refund, however often it is reported', async () => {
  const payment = await world.collect('provider_b', 'subscription');
  await reverse(payment);
  await reverse(payment);
  expect(await refundsOf(payment)).toEqual(['refund']);
});

test('is a refund for each part that is taken back, and no more than was paid', async () => {
  const { reference, paymentId } = await world.collect('provider_b', 'subscription');
  const part = (total: string, update_time: string) =>
    send('PAYMENT.SALE.REVERSED', 'sale', {
      id: reference,
      state: 'completed',
      amount: { total, currency: 'USD' },
      update_time,
    });
  for (const second of ['01', '02', '02', '03']) await part('-10.00', `2026-11-02T10:00:${second}Z`);
  await part('-9.00', '2026-11-02T10:00:04Z');
  await part('-9.00', '2026-11-02T10:00:05Z');
  const refunds = await world.refunds(paymentId);
  const recorded = refunds.map(({ amount, status }) => [amount, status]).sort();
  expect(recorded).toEqual([
    ['1000', 'succeeded'],
    ['1000', 'succeeded'],
    ['900', 'succeeded'],
  ]);
  const read = await world.operator.get(`/api/billing/payments/${paymentId}`);
  expect(read.body).toMatchObject({ refundableAmount: { amount: '0' } });
});

test('is what a lost dispute took', async () => {
  const payment = await world.collect('provider_b', 'subscription');
  await lose(payment);
  await reverse(payment);
  expect(await refundsOf(payment)).toEqual(['dispute']);
});
