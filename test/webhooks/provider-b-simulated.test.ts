import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '../../src/domain/instant';
import type { AccountHandle } from '../../simulators/provider-b';
import { startSimulators, type RunningSimulators } from '../../simulators/start';
import { connect, fakeSecret } from '../connections/connection-calls';
import { createTestAdapters } from '../support/adapters';
import { CatalogueSeeder } from '../support/catalogue';
import { deliverWebhooks } from '../support/deliver-webhooks';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService, type TestService } from '../support/service';

const secrets = {
  clientId: fakeSecret('client-'),
  clientSecret: fakeSecret('secret-'),
  webhookId: `WH${randomUUID().replaceAll('-', '')}`,
};
const VERIFY = '/v1/notifications/verify-webhook-signature';

let simulators: RunningSimulators;
let service: TestService;
let operator: OperatorClient;
let connection: string;
let account: AccountHandle;

beforeAll(async () => {
  simulators = await startSimulators({ retryDelaysMs: [] });
  service = await startTestService({
    providerAdapters: createTestAdapters(),
    providerUrls: { provider_b: simulators.urls.b },
  });
  operator = await logIn(service, { role: 'admin' });
  connection = await connect(operator, { provider: 'provider_b', secrets });
  const { clientId, clientSecret, webhookId } = secrets;
  const url = `${service.urls.sandbox}/v1/webhooks/provider_b?connection=${connection}`;
  account = simulators.providers.b.account({
    clientId,
    clientSecret,
    webhooks: [{ id: webhookId, url }],
    plans: [
      { id: 'P-BASIC', name: 'Basic', price: { value: '10.00', currency_code: 'USD' } },
      { id: 'P-PRO', name: 'Pro', price: { value: '25.50', currency_code: 'USD' } },
    ],
  });
});
afterAll(async () => {
  await service.stop();
  await simulators.stop();
});

interface Answered {
  id: string;
  links: { rel: string; href: string }[];
  status?: string;
  plan_id?: string;
  billing_info?: { next_billing_time?: string };
}

async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<Answered> {
  const client = Buffer.from(`${secrets.clientId}:${secrets.clientSecret}`).toString('base64');
  const token = await fetch(`${simulators.urls.b}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${client}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token: bearer } = (await token.json()) as { access_token: string };
  const answer = await fetch(simulators.urls.b + path, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return (text === '' ? {} : JSON.parse(text)) as Answered;
}

async function approve({ links }: Answered): Promise<void> {
  const page = links.find(({ rel }) => rel === 'approve' || rel === 'payer-action')?.href ?? '';
  const body = new URLSearchParams({ choice: 'approve' });
  const answer = await fetch(page, { method: 'POST', body, redirect: 'manual' });
  if (answer.status !== 303) throw new Error(`The page answered ${answer.status}.`);
}

const context = { return_url: 'https://shop.example/back', cancel_url: 'https://shop.example/no' };

function rows<Row extends object = Record<string, unknown>>(
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return service.database.query<Row>(sql, values);
}

/** Creates what a checkout offers here: an unpaid subscription, known at the provider by this reference. */
async function offer(kind: 'subscription' | 'order', reference: string): Promise<string> {
  const { workspaceId } = operator;
  const seed = new CatalogueSeeder(service.database, { workspaceId, environment: 'sandbox' });
  const customerId = await seed.customer(randomUUID());
  const id = await seed.subscription(customerId, await seed.plan(randomUUID(), []), {
    provider: 'provider_b',
    status: 'incomplete',
    next_wake_at: null,
  });
  await rows(
    `INSERT INTO tollgate.checkouts (workspace_id, environment, id, customer_id, subscription_id, provider, connection_id, status, expires_at, next_wake_at, created_at, updated_at)
     VALUES ($1, 'sandbox', $2, $3, $4, 'provider_b', $5, 'open', now() + interval '1 day', now() + interval '1 day', now(), now())`,
    [workspaceId, `chk_of_${id}`, customerId, id, connection],
  );
  await rows(
    `INSERT INTO tollgate.provider_references (workspace_id, environment, provider, kind, reference, connection_id, target_id, created_at)
     VALUES ($1, 'sandbox', 'provider_b', $2, $3, $4, $5, now())`,
    [workspaceId, kind, reference, connection, kind === 'subscription' ? id : `chk_of_${id}`],
  );
  return id;
}

/** Creates a subscription at the provider and here, approved and paid once. */
async function subscribed(): Promise<{ id: string; reference: string }> {
  const body = { plan_id: 'P-BASIC', quantity: '1', application_context: context };
  const made = await ask('POST', '/v1/billing/subscriptions', body);
  const id = await offer('subscription', made.id);
  await approve(made);
  await deliverWebhooks(simulators.core.outbox);
  return { id, reference: made.id };
}

const rowOf = async (id: string): Promise<Record<string, unknown>> =>
  (await rows('SELECT * FROM tollgate.subscriptions WHERE id = $1', [id]))[0] ?? {};

const paymentsOf = (id: string): Promise<{ id: string; amount: string; status: string }[]> =>
  rows('SELECT id, amount, status FROM tollgate.payments WHERE subscription_id = $1', [id]);

const refundsOf = (paymentId: string): Promise<Record<string, unknown>[]> =>
  rows('SELECT amount, status FROM tollgate.refunds WHERE payment_id = $1', [paymentId]);

async function failures(): Promise<Record<string, number>> {
  const counted = await rows<{ kind: string; sum: string }>(
    'SELECT kind, sum(count) AS sum FROM tollgate.webhook_failures GROUP BY kind',
  );
  return Object.fromEntries(counted.map(({ kind, sum }) => [kind, Number(sum)]));
}

/** Returns the status that answered the latest delivery of an event of this type. */
async function answerTo(event: string): Promise<number | undefined> {
  await simulators.core.outbox.flush();
  const delivery = simulators.core.outbox.deliveries.findLast((one) => one.event === event);
  return delivery?.attempts.at(-1)?.status;
}

test('an approved subscription begins, is paid, and renews with each sale, doubled and out of order', async () => {
  Object.assign(simulators.core.outbox.switches, { duplicate: true, reorder: true });
  const { id, reference } = await subscribed();
  const first = await ask('GET', `/v1/billing/subscriptions/${reference}`);
  const end = Date.parse(first.billing_info?.next_billing_time ?? '');
  expect(await rowOf(id)).toMatchObject({ status: 'active', current_period_end: end });
  expect(await rows('SELECT status FROM tollgate.checkouts WHERE subscription_id = $1', [id])).toEqual([
    { status: 'complete' },
  ]);
  expect(await paymentsOf(id)).toMatchObject([{ amount: '1000', status: 'succeeded' }]);

  await simulators.core.clock.advanceTo(end + HOUR_MS);
  await deliverWebhooks(simulators.core.outbox);
  Object.assign(simulators.core.outbox.switches, { duplicate: false, reorder: false });
  const next = await ask('GET', `/v1/billing/subscriptions/${reference}`);
  expect(await rowOf(id)).toMatchObject({
    status: 'active',
    current_period_start: end,
    current_period_end: Date.parse(next.billing_info?.next_billing_time ?? ''),
  });
  const paid = { amount: '1000', status: 'succeeded' };
  expect(await paymentsOf(id)).toMatchObject([paid, paid]);
  expect(await failures()).toEqual({});
});

test('an update changes nothing before the payer agrees, and never plan or seats', async () => {
  const { id, reference } = await subscribed();
  const before = await rowOf(id);
  const path = `/v1/billing/subscriptions/${reference}`;
  const revised = await ask('POST', `${path}/revise`, { plan_id: 'P-PRO', application_context: context });
  expect(revised.plan_id).toBe('P-PRO');
  const resource = await ask('GET', path);
  expect(resource.plan_id).toBe('P-BASIC');
  const type = 'BILLING.SUBSCRIPTION.UPDATED';
  account.send({ type, resourceType: 'subscription', summary: 'Subscription updated', resource });
  expect(await answerTo(type)).toBe(200);
  expect(await rowOf(id)).toEqual(before);
  await approve(revised);
  expect(await answerTo(type)).toBe(200);
  expect((await ask('GET', path)).plan_id).toBe('P-PRO');
  expect(await rowOf(id)).toEqual(before);
});

test.each([false, true])(
  'a refund is found by its capture and never by its order (related id: %s)',
  async (related) => {
    account.switches.relatedCaptureId = related;
    const order = await ask('POST', '/v2/checkout/orders', {
      intent: 'CAPTURE',
      purchase_units: [{ amount: { currency_code: 'USD', value: '29.00' } }],
      application_context: context,
    });
    const id = await offer('order', order.id);
    await approve(order);
    await ask('POST', `/v2/checkout/orders/${order.id}/capture`);
    await deliverWebhooks(simulators.core.outbox);
    const [payment] = await paymentsOf(id);
    expect(payment).toMatchObject({ amount: '2900', status: 'succeeded' });
    const paymentId = payment?.id ?? '';
    const [capture] = await rows<{ reference: string }>(
      `SELECT reference FROM tollgate.provider_references WHERE kind = 'capture' AND target_id = $1`,
      [paymentId],
    );
    const amount = { value: '5.00', currency_code: 'USD' };
    const type = 'PAYMENT.CAPTURE.REFUNDED';
    await ask('POST', `/v2/payments/captures/${capture?.reference ?? ''}/refund`, { amount });
    expect(await answerTo(type)).toBe(200);
    expect(await refundsOf(paymentId)).toEqual([{ amount: '500', status: 'succeeded' }]);

    // Genuinely signed, but with the order wherever the capture belongs.
    const before = await failures();
    const up = `https://api.sandbox.paypal.com/v2/checkout/orders/${order.id}`;
    const resource = {
      id: 'REFUNDBYORDER1',
      status: 'COMPLETED',
      amount,
      supplementary_data: { related_ids: { order_id: order.id } },
      links: [{ href: up, rel: 'up', method: 'GET' }],
    };
    account.send({ type, resourceType: 'refund', summary: 'Refunded', resource });
    expect(await answerTo(type)).toBeGreaterThanOrEqual(500);
    expect(await refundsOf(paymentId)).toHaveLength(1);
    expect((await failures())['processing']).toBe((before['processing'] ?? 0) + 1);
  },
);

test('a webhook that is tampered with on its way is refused, and changes nothing', async () => {
  const { id, reference } = await subscribed();
  const before = await rowOf(id);
  simulators.core.outbox.switches.tamper = true;
  await ask('POST', `/v1/billing/subscriptions/${reference}/cancel`, { reason: 'asked to' });
  expect(await answerTo('BILLING.SUBSCRIPTION.CANCELLED')).toBe(400);
  simulators.core.outbox.switches.tamper = false;
  expect(await rowOf(id)).toEqual(before);
  expect((await failures())['signature']).toBe(1);
});

test('while its signature cannot be verified a webhook is 503, and it is applied when it comes again', async () => {
  const { id, reference } = await subscribed();
  const before = await rowOf(id);
  const events = await rows('SELECT id FROM tollgate.webhook_events');
  simulators.core.faults.set({ provider: 'b', path: VERIFY, fault: 'answer_500' });
  await ask('POST', `/v1/billing/subscriptions/${reference}/cancel`, { reason: 'asked to' });
  expect(await answerTo('BILLING.SUBSCRIPTION.CANCELLED')).toBe(503);
  expect(await rowOf(id)).toEqual(before);
  expect(await rows('SELECT id FROM tollgate.webhook_events')).toEqual(events);
  expect((await failures())['unavailable']).toBe(1);
  simulators.core.faults.clear();
  await simulators.core.outbox.retryNow();
  expect(await answerTo('BILLING.SUBSCRIPTION.CANCELLED')).toBe(200);
  expect(await rowOf(id)).toMatchObject({ status: 'cancelled' });
});
