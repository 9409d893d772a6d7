import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../src/domain/instant';
import type { ConsoleAnswer } from '../support/operator';
import { useProviderWorld } from '../support/use-provider-world';
import type { PaymentProvider } from '../../src/domain/provider';

/** Settlements of providers: `/api/billing/settlements` shows one shape for all of them. */
const PROVIDERS = ['provider_a', 'provider_b', 'provider_c'] as const;
/** Time until every provider has settled the first day's payments and reports it. */
const SETTLED_AFTER = 2.5 * DAY_MS;

const world = useProviderWorld();
let customerId: string;
beforeAll(async () => {
  const { workspaceId } = world.operator;
  customerId = await world.seed.customer(randomUUID());
  for (const provider of ['provider_a', 'provider_b'] as const) await world.subscribe(provider);
  const { authorization_url: page, reference } = await initializeAtC();
  await world.pay('provider_c', page);
  await world.service.database.query(
    `INSERT INTO tollgate.payments (workspace_id, environment, id, customer_id, provider, status, currency, amount, applied_amount, reference, received_at, created_at)
     VALUES ($1, 'sandbox', 'pay_at_c', $2, 'provider_c', 'succeeded', 'USD', 3000, 0, $3, now(), now())`,
    [workspaceId, customerId, reference],
  );
  await world.service.database.query(
    `INSERT INTO tollgate.provider_references (workspace_id, environment, provider, kind, reference, connection_id, target_id, created_at)
     VALUES ($1, 'sandbox', 'provider_c', 'payment', $2, $3, 'pay_at_c', now())`,
    [workspaceId, reference, world.connections.provider_c],
  );
  await world.advanceBy(SETTLED_AFTER);
  world.simulators.providers.a.account({ secretKey: secretKeyOfA() }).payOut();
  await world.settle();
});

/** Starts a payment that belongs to no subscription. */
async function initializeAtC(): Promise<{ authorization_url: string; reference: string }> {
  const answer = await fetch(`${world.simulators.urls.c}/transaction/initialize`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.secrets.provider_c['secretKey'] ?? ''}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ email: 'ada@example.test', amount: 3000, currency: 'USD' }),
  });
  const { data } = (await answer.json()) as { data: { authorization_url: string; reference: string } };
  return data;
}

function secretKeyOfA(): string {
  return world.secrets.provider_a['secretKey'] ?? '';
}

const path = '/api/billing/settlements';
const collect = (): Promise<ConsoleAnswer> => world.operator.post(`${path}/collect`, { body: {} });
async function listed(provider: PaymentProvider): Promise<Record<string, unknown>[]> {
  const answer = await world.operator.get(path, { query: { provider } });
  return answer.body['data'] as Record<string, unknown>[];
}
const paymentsOf = (provider: PaymentProvider): Promise<Record<string, unknown>[]> =>
  world.service.database.query(
    'SELECT reference, status, settlement_id FROM tollgate.payments WHERE provider = $1',
    [provider],
  );

test('settlements of every provider are collected, each once, and count the payments that they are of', async () => {
  const first = await collect();
  expect(first.status).toBe(200);
  expect(first.body['data']).toHaveLength(3);
  for (const answer of first.body['data'] as Record<string, unknown>[]) {
    expect(answer).toMatchObject({ status: 'collected', reason: null });
  }
  const again = await collect();
  for (const answer of again.body['data'] as Record<string, unknown>[]) {
    expect(answer).toMatchObject({ status: 'collected', recorded: 0, changed: 0 });
  }
  for (const provider of PROVIDERS) {
    const [row, ...more] = await listed(provider);
    expect([provider, more]).toEqual([provider, []]);
    expect(row).toMatchObject({
      provider,
      status: 'settled',
      connectionId: world.connections[provider],
      paid: { amount: '3000', currency: 'USD' },
      refunded: { amount: '0', currency: 'USD' },
      unmatchedAmount: { amount: '0', currency: 'USD' },
      difference: null,
    });
    const money = (member: string) => BigInt((row?.[member] as { amount: string }).amount);
    expect(money('net')).toBe(3000n - money('fees'));
    expect(money('fees')).toBeGreaterThan(0n);
    expect(await paymentsOf(provider)).toMatchObject([{ settlement_id: row?.['id'] }]);
  }
});

test('a collection is audited, and a lesser role may not collect', async () => {
  await collect();
  const audit = await world.operator.get('/api/audit', { query: { take: '1' } });
  expect(audit.body['data']).toMatchObject([{ action: 'settlements.collected' }]);
});

test('a payout that comes back to provider A is counted in the payout that sends its money again', async () => {
  const account = world.simulators.providers.a.account({ secretKey: secretKeyOfA() });
  const [returned] = await listed('provider_a');
  account.failPayout(String(returned?.['reference']));
  await world.settle();
  const [next] = account.payOut();
  await world.settle();
  const [again, before] = await listed('provider_a');
  expect(before).toMatchObject({ id: returned?.['id'], status: 'failed' });
  expect(again).toMatchObject({
    reference: next,
    status: 'settled',
    paid: returned?.['paid'],
    fees: returned?.['fees'],
    net: returned?.['net'],
    unmatchedAmount: { amount: '0', currency: 'USD' },
    difference: null,
  });
  expect(await paymentsOf('provider_a')).toMatchObject([{ settlement_id: again?.['id'] }]);
});

test('a provider that cannot be read is reported, and does not hold up the others', async () => {
  world.fault('provider_c', '/settlement', 'answer_500', 20);
  const answer = await collect();
  const byProvider = new Map(
    (answer.body['data'] as Record<string, unknown>[]).map((one) => [one['provider'], one]),
  );
  expect(byProvider.get('provider_a')).toMatchObject({ status: 'collected' });
  expect(byProvider.get('provider_b')).toMatchObject({ status: 'collected' });
  expect(byProvider.get('provider_c')).toMatchObject({
    status: 'failed',
    reason: expect.any(String) as string,
  });
});

test('a dispute at provider A is shown by its payment, and changes nothing of the subscription', async () => {
  const subscription = await world.subscribe('provider_a');
  const before = await world.show(subscription.id);
  const query = { subscriptionId: subscription.id };
  const payment = async () => {
    const answer = await world.operator.get('/api/billing/payments', { query });
    return (answer.body['data'] as Record<string, unknown>[])[0];
  };
  const [charge] = await world.service.database.query<{ reference: string }>(
    `SELECT reference FROM tollgate.provider_references WHERE kind = 'charge' AND target_id = $1`,
    [(await payment())?.['id']],
  );
  world.simulators.providers.a.account({ secretKey: secretKeyOfA() }).dispute(charge?.reference ?? '');
  await world.settle();
  expect(await payment()).toMatchObject({
    status: 'succeeded',
    dispute: { status: 'open', amount: { amount: '3000', currency: 'USD' }, reason: 'fraudulent' },
  });
  expect(await world.show(subscription.id)).toEqual(before);
});
