import { randomUUID } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '../../src/domain/instant';
import { ProviderCheckoutBench, made, type ShownCheckout } from '../checkouts/provider-checkout-bench';
import { createCustomer } from '../catalog/offer';
import { connect } from '../connections/connection-calls';
import { CatalogueSeeder } from '../support/catalogue';
import { logIn, type OperatorClient } from '../support/operator';
import { useStarted } from '../support/use-started';

/**
 * Two workspaces with one account at provider C. Its customers are those of both with their e-mail address, and its
 * webhooks, which have one address, all go to the first.
 */
const bench = useStarted(() => ProviderCheckoutBench.start());

interface Side {
  operator: OperatorClient;
  connection: string;
}
const here = (): Side => ({
  operator: bench.world.operator,
  connection: bench.world.connections.provider_c,
});

/** Creates another workspace, whose only plan `solo` is sold under a plan of its own at the account. */
async function another(): Promise<Side> {
  const { service, secrets } = bench.world;
  const operator = await logIn(service, { role: 'admin' });
  const { workspaceId } = operator;
  const seed = new CatalogueSeeder(service.database, { workspaceId, environment: 'sandbox' });
  await seed.plan('solo', [], { price_amount: 9000 });
  const plan = { name: 'Solo', amount: 9000, currency: 'USD', interval: 'monthly' };
  const { plan_code: code } = await ask<{ plan_code: string }>('/plan', plan);
  const connection = await connect(operator, {
    provider: 'provider_c',
    secrets: { secretKey: secrets.provider_c['secretKey'] ?? '' },
    settings: { planReferences: { solo: code } },
  });
  return { operator, connection };
}

/** Calls the account's API without Tollgate. */
async function ask<Data>(path: string, body: object): Promise<Data> {
  const { simulators, secrets } = bench.world;
  const authorization = `Bearer ${secrets.provider_c['secretKey'] ?? ''}`;
  const answer = await fetch(simulators.urls.c + path, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return ((await answer.json()) as { data: Data }).data;
}

/** Has a new customer with the address pay a checkout. */
async function paid(side: Side, email: string, offer: object): Promise<ShownCheckout> {
  const { operator, connection } = side;
  const { id, externalId } = await createCustomer(operator);
  await operator.patch(`/api/customers/${id}`, { body: { email } });
  const body = { externalId, provider: 'provider_c', connectionId: connection, ...offer };
  const headers = { 'Idempotency-Key': randomUUID() };
  const checkout = made(await operator.post('/api/billing/checkouts', { body, headers }));
  await bench.pay('provider_c', checkout);
  await bench.world.settle();
  return checkout;
}

/** Returns the payments of the workspace's customers, with whether each has a subscription. */
async function paymentsOf({ operator }: Side, email: string): Promise<[amount: string, assigned: boolean][]> {
  const rows = await bench.rows<{ amount: string; assigned: boolean }>(
    `SELECT p.amount, p.subscription_id IS NOT NULL AS assigned FROM tollgate.payments p
       JOIN tollgate.customers c ON c.id = p.customer_id
      WHERE p.workspace_id = $1 AND c.email = $2 ORDER BY p.received_at, p.id`,
    [operator.workspaceId, email],
  );
  return rows.map(({ amount, assigned }) => [amount, assigned]);
}

/** Returns the outcome of the first workspace's last webhook of an event. */
async function lastOf(eventType: string): Promise<string | undefined> {
  const rows = await bench.rows<{ status: string }>(
    `SELECT status FROM tollgate.webhook_events WHERE workspace_id = $1 AND event_type = $2
      ORDER BY received_at DESC, id DESC LIMIT 1`,
    [bench.world.operator.workspaceId, eventType],
  );
  return rows[0]?.status;
}

/** Subscribes a new customer with the address to `pro`, in the first workspace. */
async function subscribed(email: string): Promise<ShownCheckout> {
  const checkout = await paid(here(), email, { planSlug: 'pro' });
  await bench.unheard(checkout.id, (await bench.world.now()) + 3 * MINUTE_MS);
  await bench.world.settle();
  return checkout;
}

test('what another workspace sells to a customer with the same address is not recorded', async () => {
  const email = 'both@example.test';
  await subscribed(email);
  const there = await another();
  const amount = { amount: '1234', currency: 'USD' };
  for (const offer of [{ planSlug: 'solo' }, { amount, description: 'A workshop' }]) {
    await paid(there, email, offer);
    expect(await lastOf('charge.success')).toBe('unmatched');
  }
  expect(await paymentsOf(here(), email)).toEqual([['3000', true]]);
  await bench.world.advanceBy(33 * DAY_MS);
  await bench.world.settle();
  expect(await paymentsOf(here(), email)).toEqual([
    ['3000', true],
    ['3000', true],
  ]);
});

test.each([
  ['of a checkout that is unknown since a restore', () => ({ checkoutId: 'chk_lost', ...ourWorkspace() })],
  ['of a checkout that is unknown since a restore, as text', () => JSON.stringify(ourWorkspace())],
  [
    'of an unknown checkout that names no workspace',
    () => ({ checkoutId: 'chk_old', customerId: 'cus_old' }),
  ],
  ['made outside Tollgate', () => undefined],
])('a payment of a known customer is recorded: %s', async (_, metadata) => {
  const email = `${randomUUID()}@example.test`;
  await subscribed(email);
  await paidDirectly({ email, amount: 500, currency: 'USD', metadata: metadata() });
  expect(await lastOf('charge.success')).toBe('applied');
  expect(await paymentsOf(here(), email)).toEqual([
    ['3000', true],
    ['500', false],
  ]);
});

test('the renewal of a subscription that is unknown since a restore is recorded for its customer', async () => {
  const email = 'renewed@example.test';
  await subscribed(email);
  await paidDirectly({
    email,
    amount: 1,
    plan: 'PLN_starter',
    metadata: { checkoutId: 'chk_lost', ...ourWorkspace() },
  });
  await bench.world.advanceBy(33 * DAY_MS);
  await bench.world.settle();
  expect(await paymentsOf(here(), email)).toEqual([
    ['3000', true],
    ['1000', false],
    ['3000', true],
    ['1000', false],
  ]);
});

const ourWorkspace = () => ({ workspaceId: bench.world.operator.workspaceId });

/** Has a payment made that Tollgate did not ask for. */
async function paidDirectly(payment: object): Promise<void> {
  const page = await ask<{ authorization_url: string }>('/transaction/initialize', payment);
  await bench.world.pay('provider_c', page.authorization_url);
  await bench.world.settle();
}
