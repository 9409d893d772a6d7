import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '../../src/domain/instant';
import { startSimulators, type RunningSimulators } from '../../simulators/start';
import { connect, fakeSecret } from '../connections/connection-calls';
import { createTestAdapters } from '../support/adapters';
import { CatalogueSeeder } from '../support/catalogue';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService, type TestService } from '../support/service';
import { deliverWebhooks } from '../support/deliver-webhooks';

const secretKey = fakeSecret('sk_test_');
const EMAIL = 'ada@example.com';

let simulators: RunningSimulators;
let service: TestService;
let operator: OperatorClient;
let connection: string;

beforeAll(async () => {
  simulators = await startSimulators({ retryDelaysMs: [] });
  service = await startTestService({
    providerAdapters: createTestAdapters(),
    providerUrls: { provider_c: simulators.urls.c },
  });
  operator = await logIn(service, { role: 'admin' });
  connection = await connect(operator, { provider: 'provider_c', secrets: { secretKey } });
  simulators.providers.c.account({
    secretKey,
    webhookUrl: `${service.urls.sandbox}/v1/webhooks/provider_c?connection=${connection}`,
    plans: [{ code: 'PLN_monthly', name: 'Monthly', amount: 50_000, currency: 'NGN', interval: 'monthly' }],
  });
});
afterAll(async () => {
  await service.stop();
  await simulators.stop();
});

async function ask<Data>(method: 'GET' | 'POST', path: string, body?: object): Promise<Data> {
  const answer = await fetch(simulators.urls.c + path, {
    method,
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { data, message } = (await answer.json()) as { data: Data; message: string };
  if (!answer.ok) throw new Error(message);
  return data;
}

function rows<Row extends object = Record<string, unknown>>(
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return service.database.query<Row>(sql, values);
}

function refer(kind: 'checkout' | 'subscription', reference: string, targetId: string): Promise<unknown> {
  return rows(
    `INSERT INTO tollgate.provider_references (workspace_id, environment, provider, kind, reference, connection_id, target_id, created_at)
     VALUES ($1, 'sandbox', 'provider_c', $2, $3, $4, $5, now())`,
    [operator.workspaceId, kind, reference, connection, targetId],
  );
}

/** Creates what a checkout offers here: an unpaid subscription. */
async function offer(transaction: string): Promise<string> {
  const { workspaceId } = operator;
  const seed = new CatalogueSeeder(service.database, { workspaceId, environment: 'sandbox' });
  const customerId = await seed.customer(randomUUID());
  const id = await seed.subscription(customerId, await seed.plan(randomUUID(), []), {
    provider: 'provider_c',
    status: 'incomplete',
    currency: 'NGN',
    next_wake_at: null,
  });
  await rows(
    `INSERT INTO tollgate.checkouts (workspace_id, environment, id, customer_id, subscription_id, provider, connection_id, status, expires_at, next_wake_at, created_at, updated_at)
     VALUES ($1, 'sandbox', $2, $3, $4, 'provider_c', $5, 'open', now() + interval '1 day', now() + interval '1 day', now(), now())`,
    [workspaceId, `chk_of_${id}`, customerId, id, connection],
  );
  await refer('checkout', transaction, `chk_of_${id}`);
  return id;
}

const rowOf = async (id: string): Promise<Record<string, unknown>> =>
  (await rows('SELECT * FROM tollgate.subscriptions WHERE id = $1', [id]))[0] ?? {};

/** Returns the payments of the subscription. A charge names only the customer and may arrive before its invoice. */
const paymentsOf = (id: string): Promise<Record<string, unknown>[]> =>
  rows('SELECT amount, currency, status FROM tollgate.payments WHERE subscription_id = $1', [id]);

/** Returns the stored webhooks of an event, oldest first. */
const stored = (event: string): Promise<{ id: string; status: string }[]> =>
  rows('SELECT id, status FROM tollgate.webhook_events WHERE event_type = $1 ORDER BY received_at', [event]);

const eventsSent = (): string[] => simulators.core.outbox.deliveries.map(({ event }) => event);

interface ProviderSubscription {
  subscription_code: string;
  email_token: string;
  status: string;
  next_payment_date: string | null;
}

test('a subscription of provider C begins, renews, is refunded twice alike, stops renewing and ends', async () => {
  const { outbox, clock } = simulators.core;
  const checkout = await ask<{ reference: string; authorization_url: string }>(
    'POST',
    '/transaction/initialize',
    { email: EMAIL, amount: 50_000, plan: 'PLN_monthly' },
  );
  const id = await offer(checkout.reference);
  const body = new URLSearchParams({ act: 'pay' });
  await fetch(checkout.authorization_url, { method: 'POST', body, redirect: 'manual' });
  await deliverWebhooks(outbox);
  const paid = { amount: '50000', currency: 'NGN', status: 'succeeded' };
  expect(await paymentsOf(id)).toEqual([paid]);

  // The creation event names no transaction, so it is kept until the subscription's owner is known.
  const [created] = await stored('subscription.create');
  expect(created?.status).toBe('unmatched');
  const [made] = await ask<ProviderSubscription[]>('GET', '/subscription');
  const code = made?.subscription_code ?? '';
  await refer('subscription', code, id);
  expect(await operator.post(`/api/webhooks/${created?.id ?? ''}/replay`)).toMatchObject({ status: 200 });
  const read = (): Promise<ProviderSubscription> => ask('GET', `/subscription/${code}`);
  const end = Date.parse((await read()).next_payment_date ?? '');
  expect(await rowOf(id)).toMatchObject({ status: 'active', current_period_end: end });
  expect(await rows('SELECT status FROM tollgate.checkouts')).toEqual([{ status: 'complete' }]);

  // The renewal: a charge that names no subscription, and the invoice that does. Each arrives twice.
  outbox.switches.duplicate = true;
  await clock.advanceTo(end + HOUR_MS);
  await deliverWebhooks(outbox);
  expect(eventsSent()).toEqual(
    expect.arrayContaining(['charge.success', 'invoice.create', 'invoice.update']),
  );
  expect(await paymentsOf(id)).toEqual([paid, paid]);
  const nextEnd = Date.parse((await read()).next_payment_date ?? '');
  const renewed = { status: 'active', current_period_start: end, current_period_end: nextEnd };
  expect(await rowOf(id)).toMatchObject(renewed);

  // Two refunds of the same amount, whose events are identical byte for byte.
  const first = outbox.deliveries.length;
  for (let count = 0; count < 2; count += 1) {
    await ask('POST', '/refund', { transaction: checkout.reference, amount: 1_000 });
  }
  await deliverWebhooks(outbox);
  const [one, other] = outbox.deliveries.slice(first);
  expect(one?.event).toBe('refund.pending');
  expect(other?.body.equals(one?.body ?? Buffer.alloc(0))).toBe(true);
  const refunds = (): Promise<unknown> => rows('SELECT amount, status FROM tollgate.refunds');
  const pending = { amount: '1000', status: 'pending' };
  expect(await refunds()).toEqual([pending, pending]);
  await clock.advanceTo(clock.now() + 60_000);
  await deliverWebhooks(outbox);
  const expected = { amount: '1000', status: 'succeeded' };
  expect(await refunds()).toEqual([expected, expected]);
  const returned = await rows(
    `SELECT sum(r.amount) AS amount FROM tollgate.refunds r JOIN tollgate.payments p ON p.id = r.payment_id
      WHERE p.reference = $1`,
    [checkout.reference],
  );
  expect(returned).toEqual([{ amount: '2000' }]);

  // It stops renewing: no next payment date remains, and the paid period stays.
  const { email_token: token } = await read();
  await ask('POST', '/subscription/disable', { code, token });
  await deliverWebhooks(outbox);
  expect(await read()).toMatchObject({ status: 'non-renewing', next_payment_date: null });
  expect(await rowOf(id)).toMatchObject({ ...renewed, cancel_at_period_end: true });
  await clock.advanceTo(nextEnd - HOUR_MS);
  await deliverWebhooks(outbox);
  expect(await rowOf(id)).toMatchObject({ ...renewed, cancel_at_period_end: true });
  expect(eventsSent()).not.toContain('subscription.disable');

  await clock.advanceTo(nextEnd + HOUR_MS);
  await deliverWebhooks(outbox);
  expect(eventsSent()).toContain('subscription.disable');
  expect(await rowOf(id)).toMatchObject({ status: 'cancelled', current_period_end: nextEnd });
  expect(await paymentsOf(id)).toEqual([paid, paid]);
  expect(await rows('SELECT kind, reason FROM tollgate.webhook_failures')).toEqual([]);
});

test('a webhook that is tampered with on its way is refused', async () => {
  const { outbox } = simulators.core;
  Object.assign(outbox.switches, { duplicate: false, tamper: true });
  const before = await rows('SELECT id FROM tollgate.webhook_events');
  const checkout = await ask<{ authorization_url: string }>('POST', '/transaction/initialize', {
    email: EMAIL,
    amount: 100,
  });
  const body = new URLSearchParams({ act: 'pay' });
  await fetch(checkout.authorization_url, { method: 'POST', body, redirect: 'manual' });
  await deliverWebhooks(outbox);
  expect(outbox.deliveries.at(-1)?.attempts).toMatchObject([{ status: 400 }]);
  expect(await rows('SELECT id FROM tollgate.webhook_events')).toEqual(before);
  expect(await rows('SELECT kind, count FROM tollgate.webhook_failures')).toEqual([
    { kind: 'signature', count: '1' },
  ]);
});
