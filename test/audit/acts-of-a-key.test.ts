import { randomUUID } from 'node:crypto';
import { createPlan } from '../catalog/offer';
import { CatalogueSeeder } from '../support/catalogue';
import { Integrator } from '../support/integrator';
import { logIn } from '../support/operator';
import { useService } from '../support/use-service';

const service = useService({ commands: 'direct' });

test('each action of a key is recorded with that key only', async () => {
  const admin = await logIn(service, { role: 'admin' });
  const small = await createPlan(admin, { slug: 'small' });
  const { planGroupId } = (await admin.get(`/api/plans/${small}`)).body;
  await admin.post('/api/plans', {
    body: {
      planGroupId,
      slug: 'large',
      name: 'Large',
      interval: 'month',
      price: { amount: '9900', currency: 'USD' },
    },
  });
  const scope = { workspaceId: admin.workspaceId, environment: 'sandbox' } as const;
  await new CatalogueSeeder(service.database, scope).entitlement(small, { feature: 'ai_tokens', quota: 10 });
  const scopes = ['usage', 'customers', 'subscriptions', 'billing'];
  const made = await admin.post('/api/api-keys', { body: { name: 'Shop', scopes } });
  const app = new Integrator(service.urls.sandbox, String(made.body['secret']));
  const act = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await app.send(method, path, body, { 'Idempotency-Key': randomUUID() });
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.text}`);
    return answer.body;
  };

  await act('PUT', '/v1/customers/buyer', { name: 'Buyer' });
  await act('PATCH', '/v1/customers/buyer', { name: 'The buyer' });
  const grant = await act('POST', '/v1/customers/buyer/credits', { amount: 5 });
  await act('POST', `/v1/customers/buyer/credits/${String(grant['id'])}/expire`);
  const sale = { externalId: 'buyer', planSlug: 'small', provider: 'internal' };
  const checkout = await act('POST', '/v1/checkouts', sale);
  await act('POST', `/v1/checkouts/${String(checkout['id'])}/expire`);
  const { id } = await act('POST', '/v1/subscriptions', { externalId: 'buyer', planSlug: 'small' });
  const { data } = await act('GET', `/v1/transactions?subscriptionId=${String(id)}`);
  const [transaction] = data as { id: string; total: object }[];
  const payment = await act('POST', '/v1/payments', {
    transactionId: transaction?.id,
    amount: transaction?.total,
  });
  await act('POST', '/v1/refunds', { paymentId: payment['id'] });
  const use = await act('POST', '/v1/usage/track', {
    externalId: 'buyer',
    feature: 'ai_tokens',
    quantity: 1,
  });
  await act('POST', `/v1/usage/events/${String(use['eventId'])}/reverse`, { reason: 'a test' });
  await act('POST', `/v1/subscriptions/${String(id)}/change`, { planSlug: 'large' });
  await act('POST', `/v1/subscriptions/${String(id)}/change`, { planSlug: 'small' });
  await act('DELETE', `/v1/subscriptions/${String(id)}/scheduled-change`);
  await act('POST', `/v1/subscriptions/${String(id)}/cancel`);

  const apiKeyId = String(made.body['id']);
  const { body } = await admin.get('/api/audit', { query: { apiKeyId, take: '50' } });
  const records = body['data'] as { action: string; operator: unknown; reason: string; detail: object }[];
  expect(records.map(({ action }) => action).sort()).toEqual([
    'checkout.created',
    'checkout.expired',
    'credits.expired',
    'credits.granted',
    'customer.created',
    'customer.updated',
    'payment.recorded',
    'refund.requested',
    'subscription.cancelled',
    'subscription.created',
    'subscription.downgrade_scheduled',
    'subscription.scheduled_change_withdrawn',
    'subscription.upgraded',
    'usage.reversed',
  ]);
  expect(records.find(({ action }) => action === 'credits.expired')?.detail).toMatchObject({
    remaining: '5',
  });
  expect(records.filter(({ operator, reason }) => operator !== null || reason !== 'API_KEY')).toEqual([]);
});
