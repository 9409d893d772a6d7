import { randomUUID } from 'node:crypto';
import { HOUR_MS } from '../../src/domain/instant';
import { startSimulators, type RunningSimulators } from '../../simulators/start';
import { act } from '../simulators/provider-a-world';
import { connect, fakeSecret } from '../connections/connection-calls';
import { createTestAdapters } from '../support/adapters';
import { CatalogueSeeder } from '../support/catalogue';
import { logIn, type OperatorClient } from '../support/operator';
import { startTestService, type TestService } from '../support/service';
import { deliverWebhooks } from '../support/deliver-webhooks';

let simulators: RunningSimulators;
let service: TestService;
let operator: OperatorClient;
let connection: string;
let secretKey: string;
beforeAll(async () => {
  simulators = await startSimulators();
  service = await startTestService({
    providerAdapters: createTestAdapters(),
    providerUrls: { provider_a: simulators.urls.a },
  });
  operator = await logIn(service, { role: 'admin' });
});
afterAll(async () => {
  await service.stop();
  await simulators.stop();
});

/** @param webhookApiVersion in whose shapes the account's endpoint gets its events; the newest if omitted */
async function openAccount(webhookApiVersion?: string): Promise<void> {
  secretKey = fakeSecret('sk_test_');
  const webhookSecret = fakeSecret('whsec_');
  connection = await connect(operator, { secrets: { secretKey, webhookSecret } });
  const webhookUrl = `${service.urls.sandbox}/v1/webhooks/provider_a?connection=${connection}`;
  simulators.providers.a.account({ secretKey, webhookUrl, webhookSecret, webhookApiVersion });
}

interface ProviderSubscription {
  id: string;
  items: { data: { current_period_start: number; current_period_end: number }[] };
}

async function ask<Answer>(
  method: 'GET' | 'POST',
  path: string,
  form: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(simulators.urls.a + path, {
    method,
    headers: { Authorization: `Bearer ${secretKey}`, 'Idempotency-Key': randomUUID() },
    ...(method === 'POST' && { body: new URLSearchParams(form) }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Answer;
}

function openSession(price: string): Promise<{ id: string; url: string }> {
  return ask('POST', '/v1/checkout/sessions', {
    mode: 'subscription',
    'line_items[0][price]': price,
    'line_items[0][quantity]': '1',
    success_url: 'http://127.0.0.1:1/paid',
    cancel_url: 'http://127.0.0.1:1/back',
  });
}

/** Creates what a checkout offers here: an unpaid subscription. */
async function offer(session: string): Promise<string> {
  const { workspaceId } = operator;
  const seed = new CatalogueSeeder(service.database, { workspaceId, environment: 'sandbox' });
  const customerId = await seed.customer(randomUUID());
  const id = await seed.subscription(customerId, await seed.plan(randomUUID(), []), {
    provider: 'provider_a',
    status: 'incomplete',
    next_wake_at: null,
  });
  await rows(
    `INSERT INTO tollgate.checkouts (workspace_id, environment, id, customer_id, subscription_id, provider, connection_id, status, expires_at, next_wake_at, created_at, updated_at)
     VALUES ($1, 'sandbox', $2, $3, $4, 'provider_a', $5, 'open', now() + interval '1 day', now() + interval '1 day', now(), now())`,
    [workspaceId, `chk_of_${id}`, customerId, id, connection],
  );
  await rows(
    `INSERT INTO tollgate.provider_references (workspace_id, environment, provider, kind, reference, connection_id, target_id, created_at)
     VALUES ($1, 'sandbox', 'provider_a', 'checkout', $2, $3, $4, now())`,
    [workspaceId, session, connection, `chk_of_${id}`],
  );
  return id;
}

async function rows<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
  return service.database.query<Row>(sql, values);
}

const AFTERWARDS =
  'a checkout, a renewal, two refunds and the end at provider A arrive here, doubled and out of order';
test.each([
  ['the newest version', undefined],
  // An endpoint that is registered in the dashboard has the version of its account.
  ['a version before periods were on items', '2024-06-20'],
  ['a version before a payment had its latest charge', '2020-08-27'],
])(`${AFTERWARDS}, in the shapes of %s`, async (_what, version) => {
  await openAccount(version);
  Object.assign(simulators.core.outbox.switches, { duplicate: true, reorder: true });
  const account = simulators.providers.a.account({ secretKey });
  const session = await openSession(account.price({ unitAmount: 2900, currency: 'usd', interval: 'month' }));
  const id = await offer(session.id);
  await act(session.url, 'pay');
  await deliverWebhooks(simulators.core.outbox);
  const { subscription } = await ask<{ subscription: string }>('GET', `/v1/checkout/sessions/${session.id}`);
  const made = await ask<ProviderSubscription>('GET', `/v1/subscriptions/${subscription}`);
  expect(await rows('SELECT status FROM tollgate.checkouts WHERE connection_id = $1', [connection])).toEqual([
    { status: 'complete' },
  ]);

  const end = (made.items.data[0]?.current_period_end ?? 0) * 1000;
  await simulators.core.clock.advanceTo(end + 2 * HOUR_MS);
  await deliverWebhooks(simulators.core.outbox);
  const renewed = await ask<ProviderSubscription>('GET', `/v1/subscriptions/${made.id}`);
  const period = renewed.items.data[0];
  const ours = () =>
    rows(
      'SELECT status, current_period_start, current_period_end, cancel_at_period_end FROM tollgate.subscriptions WHERE id = $1',
      [id],
    );
  expect(await ours()).toEqual([
    {
      status: 'active',
      current_period_start: (period?.current_period_start ?? 0) * 1000,
      current_period_end: (period?.current_period_end ?? 0) * 1000,
      cancel_at_period_end: false,
    },
  ]);
  const payments = () =>
    rows<{ reference: string; amount: string; status: string }>(
      'SELECT reference, amount, status FROM tollgate.payments WHERE subscription_id = $1',
      [id],
    );
  const refunds = () =>
    rows(
      `SELECT r.amount, r.status FROM tollgate.refunds r JOIN tollgate.payments p ON p.id = r.payment_id
        WHERE p.subscription_id = $1`,
      [id],
    );
  const [payment] = await payments();
  const paid = { amount: '2900', status: 'succeeded' };
  expect(await payments()).toMatchObject([paid, paid]);

  for (let count = 0; count < 2; count += 1) {
    await ask('POST', '/v1/refunds', { payment_intent: payment?.reference ?? '', amount: '500' });
  }
  await ask('POST', `/v1/subscriptions/${made.id}`, { cancel_at_period_end: 'true' });
  await deliverWebhooks(simulators.core.outbox);
  expect(await refunds()).toEqual([
    { amount: '500', status: 'succeeded' },
    { amount: '500', status: 'succeeded' },
  ]);
  expect(await ours()).toMatchObject([{ status: 'active', cancel_at_period_end: true }]);
  await simulators.core.clock.advanceTo((period?.current_period_end ?? 0) * 1000 + 2 * HOUR_MS);
  await deliverWebhooks(simulators.core.outbox);
  expect(await ours()).toMatchObject([{ status: 'cancelled' }]);
  expect(await payments()).toHaveLength(2);
  expect(await rows('SELECT id FROM tollgate.webhook_failures')).toEqual([]);
});

test('a webhook that is tampered with on its way is refused', async () => {
  await openAccount();
  Object.assign(simulators.core.outbox.switches, { duplicate: false, reorder: false, tamper: true });
  const account = simulators.providers.a.account({ secretKey });
  const session = await openSession(account.price({ unitAmount: 100, currency: 'usd', interval: 'month' }));
  await act(session.url, 'pay');
  await deliverWebhooks(simulators.core.outbox);
  const failures = await rows<{ kind: string }>('SELECT DISTINCT kind FROM tollgate.webhook_failures');
  expect(failures).toEqual([{ kind: 'signature' }]);
});
