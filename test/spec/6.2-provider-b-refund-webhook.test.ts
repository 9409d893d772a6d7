import { ProviderPayments, type CollectedPayment } from '../payments/provider-payments';
import { useStarted } from '../support/use-started';

/** "Refund webhook: correlated by the original capture ID, not by the checkout order ID" */
const world = useStarted(() => ProviderPayments.start());

function account() {
  const { clientId = '', clientSecret = '' } = world.calls.provider_b.secrets;
  return world.simulators.providers.b.account({ clientId, clientSecret });
}

async function referencesOf({ paymentId }: CollectedPayment): Promise<{ kind: string; reference: string }[]> {
  const { body } = await world.operator.get(`/api/billing/payments/${paymentId}`);
  return body['references'] as { kind: string; reference: string }[];
}

async function orderOf(payment: CollectedPayment): Promise<string> {
  return (await referencesOf(payment)).find(({ kind }) => kind === 'order')?.reference ?? '';
}

/** Sends a genuinely signed refund of 5.00. Returns the status of the answer. */
async function send(type: string, resource: object): Promise<number | undefined> {
  const refund = { status: 'COMPLETED', amount: { value: '5.00', currency_code: 'USD' }, ...resource };
  const id = account().send({ type, resourceType: 'refund', summary: 'Refunded', resource: refund });
  await world.arrive();
  const sent = world.simulators.core.outbox.deliveries.find((delivery) => delivery.id === id);
  return sent?.attempts.at(-1)?.status;
}

test.each([
  ['its related ids', true],
  ['the path of its link', false],
])('a refund finds its payment by the capture that stands in %s', async (_, related) => {
  account().switches.relatedCaptureId = related;
  const payment = await world.collect('provider_b');
  const other = await world.collect('provider_b');
  const name = await world.calls.provider_b.refund(payment.reference, 500);
  await world.arrive();
  expect(await world.refunds(payment.paymentId)).toMatchObject([
    { amount: '500', status: 'succeeded', reference: name },
  ]);
  expect(await world.refunds(other.paymentId)).toEqual([]);
});

test('the order’s id, in every place where the capture belongs, leads to no payment', async () => {
  const payment = await world.collect('provider_b');
  const order = await orderOf(payment);
  expect(order).not.toBe(payment.reference);
  const up = `https://api.sandbox.paypal.com/v2/checkout/orders/${order}`;
  const status = await send('PAYMENT.CAPTURE.REFUNDED', {
    id: 'REFUNDBYORDER1',
    supplementary_data: { related_ids: { order_id: order } },
    links: [{ href: up, rel: 'up', method: 'GET' }],
  });
  expect(status).toBeGreaterThanOrEqual(500);
  const asCapture = await send('PAYMENT.CAPTURE.REFUNDED', {
    id: 'REFUNDBYORDER2',
    supplementary_data: { related_ids: { capture_id: order } },
  });
  expect(asCapture).toBeGreaterThanOrEqual(200);
  expect(await world.refunds(payment.paymentId)).toEqual([]);
  expect(await world.rows(`SELECT * FROM tollgate.refunds WHERE id LIKE '%ORDER%'`)).toEqual([]);
});

test('the refund of a subscription’s payment finds it by the sale', async () => {
  const payment = await world.collect('provider_b', 'subscription');
  const name = await world.calls.provider_b.refund(payment.reference, 500);
  await world.arrive();
  expect(await world.refunds(payment.paymentId)).toMatchObject([
    { amount: '500', status: 'succeeded', reference: name },
  ]);
  expect((await referencesOf(payment)).map(({ kind }) => kind)).not.toContain('order');
});

test('reported repeatedly, it is one refund', async () => {
  const payment = await world.collect('provider_b');
  await world.shuffled(5, async () => {
    await world.calls.provider_b.refund(payment.reference, 500);
    await world.calls.provider_b.refund(payment.reference, 500);
  });
  expect(await world.refunds(payment.paymentId)).toMatchObject([
    { amount: '500', status: 'succeeded' },
    { amount: '500', status: 'succeeded' },
  ]);
});
