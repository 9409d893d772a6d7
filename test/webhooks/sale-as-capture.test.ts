import type { WorldSubscription } from '../support/provider-world';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { useProviderRow } from '../support/use-provider-world';

const { world, row } = useProviderRow();

interface Paid {
  id: string;
  status: string;
  refundedAmount: { amount: string };
}

async function payments({ id }: WorldSubscription): Promise<Paid[]> {
  const { body } = await world.operator.get('/api/billing/payments', { query: { subscriptionId: id } });
  return body['data'] as Paid[];
}

async function saleOf(paymentId: string): Promise<string> {
  const [named] = await world.service.database.query<{ reference: string }>(
    `SELECT reference FROM tollgate.provider_references WHERE target_id = $1 AND kind = 'payment'`,
    [paymentId],
  );
  return named?.reference ?? '';
}

/** Refunds a sale as the dashboard does. @returns the refund's id */
async function refundThere(sale: string): Promise<string> {
  const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
  const url = world.simulators.urls.b;
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const signIn = await fetch(`${url}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  });
  const { access_token: token } = (await signIn.json()) as { access_token: string };
  const answer = await fetch(`${url}/v1/payments/sale/${sale}/refund`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  return ((await answer.json()) as { id: string }).id;
}

test('a subscription’s payment whose refund is told as a capture’s is refunded once, and is no second payment', async () => {
  const subscription = await world.subscribe('provider_b');
  const [paid] = await payments(subscription);
  const sale = await saleOf(paid?.id ?? '');
  row.lose(true);
  const id = await refundThere(sale);
  await deliverWebhooks(world.simulators.core.outbox);
  row.lose(false);

  const { clientId = '', clientSecret = '' } = world.secrets.provider_b;
  const amount = { value: '30.00', currency_code: 'USD' };
  world.simulators.providers.b.account({ clientId, clientSecret }).send({
    type: 'PAYMENT.CAPTURE.REFUNDED',
    resourceType: 'refund',
    summary: 'A $ 30.00 USD capture payment was refunded',
    resource: {
      id,
      status: 'COMPLETED',
      amount,
      seller_payable_breakdown: { total_refunded_amount: amount },
      links: [{ href: `https://api.paypal.com/v2/payments/captures/${sale}`, rel: 'up', method: 'GET' }],
    },
  });
  await world.settle();
  const once = [{ id: paid?.id, refundedAmount: { amount: '3000' } }];
  expect(await payments(subscription)).toMatchObject(once);

  // The sale's own refund event arrives too.
  await world.simulators.core.outbox.retryNow();
  await world.settle();
  expect(await payments(subscription)).toMatchObject(once);
});
