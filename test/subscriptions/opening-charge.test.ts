import { randomUUID } from 'node:crypto';
import { addMonths } from '../../src/domain/civil-date';
import { DAY_MS } from '../../src/domain/instant';
import { createCustomer, createPlan, idOf, pointersOf, subscribe } from '../catalog/offer';
import { logIn, type ConsoleAnswer, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

/** The cost of opening a subscription of local billing, and reading its transactions. */
const service = useService();
let client: OperatorClient;
beforeEach(async () => {
  client = await logIn(service, { role: 'developer' });
});

type Body = ConsoleAnswer['body'];

async function open(body: object): Promise<Body> {
  const { externalId } = await createCustomer(client);
  const opened = await subscribe(client, { externalId, ...body });
  expect([opened.status, opened.body]).toEqual([201, expect.anything()]);
  return opened.body;
}

async function transactionsOf(query: Record<string, string>): Promise<Body[]> {
  const answer = await client.get('/api/billing/transactions', { query });
  expect(answer.status).toBe(200);
  return answer.body['data'] as Body[];
}

const usd = (amount: string) => ({ amount, currency: 'USD' });

test('a paid plan makes one pending transaction over the first period', async () => {
  const opened = await open({ planId: await createPlan(client, { pricing: 'per_seat' }), seats: 5 });
  const [made, ...others] = await transactionsOf({ subscriptionId: String(opened['id']) });
  expect(others).toEqual([]);
  expect(made).toMatchObject({
    subscriptionId: opened['id'],
    customerId: opened['customerId'],
    kind: 'initial',
    status: 'pending',
    currency: 'USD',
    subtotal: usd('14500'),
    taxAmount: usd('0'),
    total: usd('14500'),
    amountPaid: usd('0'),
    amountOpen: usd('14500'),
    tax: { behavior: 'none', rates: [] },
    lines: [{ quantity: 5, unitAmount: usd('2900'), amount: usd('14500') }],
    proration: null,
    periodStart: opened['currentPeriodStart'],
    periodEnd: opened['currentPeriodEnd'],
    paidAt: null,
    voidedAt: null,
    createdAt: opened['createdAt'],
  });
  const due = Date.parse(String(made?.['dueAt']));
  expect(due).toBe(Date.parse(String(opened['createdAt'])) + 7 * DAY_MS);
  expect(opened['paymentDueAt']).toBe(made?.['dueAt']);
  const [event] = await service.database.query<{ data: Body }>(
    "SELECT data FROM tollgate.developer_events WHERE data->>'subscriptionId' = $1",
    [opened['id']],
  );
  expect(event?.data).toMatchObject({ change: 'created', transactionId: made?.['id'], total: usd('14500') });
});

test('a trial costs nothing until its end', async () => {
  const opened = await open({ planId: await createPlan(client, { trialDays: 14 }) });
  expect(opened).toMatchObject({ status: 'trialing', paymentDueAt: null });
  expect(await transactionsOf({ subscriptionId: String(opened['id']) })).toEqual([]);
});

test('a free plan’s transaction is paid as it is made', async () => {
  const opened = await open({ planId: await createPlan(client, { price: usd('0') }) });
  expect(opened).toMatchObject({ status: 'active', paymentDueAt: null });
  expect(await transactionsOf({ subscriptionId: String(opened['id']) })).toMatchObject([
    { status: 'paid', total: usd('0'), amountOpen: usd('0'), paidAt: opened['createdAt'] },
  ]);
});

test.each([
  ['exclusive', 'DE', '3451', '551'],
  ['exclusive', 'de', '3451', '551'],
  ['inclusive', 'DE', '2900', '463'],
  ['exclusive', 'FR', '2900', '0'],
])('tax %s in %s is decided at the opening', async (taxBehavior, country, total, taxAmount) => {
  const taxRates = [{ name: 'VAT', rate: '0.19', country: 'DE' }];
  await service.database.query(
    `UPDATE tollgate.workspace_settings SET tax_behavior = $2, tax_rates = $3 WHERE workspace_id = $1`,
    [client.workspaceId, taxBehavior, JSON.stringify(taxRates)],
  );
  const externalId = randomUUID();
  idOf(await client.post('/api/customers', { body: { externalId, metadata: { country } } }));
  const opened = await subscribe(client, { externalId, planId: await createPlan(client) });
  const rates = country.toUpperCase() === 'DE' ? [{ name: 'VAT', rate: '0.19' }] : [];
  const tax = { behavior: taxBehavior, rates };
  expect(opened.body).toMatchObject({ tax });
  expect(await transactionsOf({ subscriptionId: String(opened.body['id']) })).toMatchObject([
    { subtotal: usd('2900'), taxAmount: usd(taxAmount), total: usd(total), tax },
  ]);
});

test.each([
  ['ahead', 10],
  ['in the past', -10],
])('an anchor %s makes a first period that is charged in proportion', async (_, days) => {
  const anchor = new Date(Date.now() + days * DAY_MS);
  const opened = await open({ planId: await createPlan(client), anchor: anchor.toISOString() });
  const [made] = await transactionsOf({ subscriptionId: String(opened['id']) });
  const at = (member: string): number => Date.parse(String(opened[member]));
  const boundary = days > 0 ? at('currentPeriodEnd') : at('currentPeriodStart');
  const monthAround = addMonths(boundary, days > 0 ? -1 : 1);
  const charged = at('currentPeriodEnd') - at('createdAt');
  // Within half a minor unit, whichever way the last unit is rounded.
  const expected = (2_900 * charged) / Math.abs(boundary - monthAround);
  const { amount } = made?.['total'] as { amount: string };
  expect(Math.abs(Number(amount) - expected)).toBeLessThanOrEqual(0.5);
  expect(made).toMatchObject({ kind: 'initial', status: 'pending', lines: [{ unitAmount: null }] });
});

test.each([
  ['are charged now', {}, undefined],
  ['are charged after a trial', { trialDays: 14 }, undefined],
  ['follow a short first period', {}, DAY_MS],
])(
  'seats whose whole periods cost more than can be recorded are refused if these %s',
  async (_, plan, ahead) => {
    const price = usd('999999999999999999');
    const planId = await createPlan(client, { price, pricing: 'per_seat', ...plan });
    const { externalId } = await createCustomer(client);
    const anchor = ahead === undefined ? {} : { anchor: new Date(Date.now() + ahead).toISOString() };
    const refused = await subscribe(client, { externalId, planId, seats: 2, ...anchor });
    expect([refused.status, refused.body['code'], pointersOf(refused)]).toEqual([
      400,
      'validation_failed',
      ['/seats'],
    ]);
    expect((await subscribe(client, { externalId, planId, seats: 1, ...anchor })).status).toBe(201);
  },
);

test('transactions are listed newest first, page by page, and by what is asked for', async () => {
  const free = await open({ planId: await createPlan(client, { price: usd('0') }) });
  const paid = await open({ planId: await createPlan(client) });
  const ids = (rows: Body[]) => rows.map((row) => row['subscriptionId']);
  expect(ids(await transactionsOf({}))).toEqual([paid['id'], free['id']]);
  expect(ids(await transactionsOf({ status: 'paid' }))).toEqual([free['id']]);
  expect(ids(await transactionsOf({ customerId: String(paid['customerId']) }))).toEqual([paid['id']]);
  const first = await client.get('/api/billing/transactions', { query: { take: '1' } });
  expect(first.body).toMatchObject({ hasMore: true, data: [{ subscriptionId: paid['id'] }] });
  const cursor = String(first.body['nextCursor']);
  const second = await client.get('/api/billing/transactions', { query: { take: '1', cursor } });
  expect(second.body).toMatchObject({ hasMore: false, data: [{ subscriptionId: free['id'] }] });
  const other = await client.get('/api/billing/transactions', { query: { cursor, status: 'paid' } });
  expect([other.status, other.body['code']]).toEqual([400, 'cursor_invalid']);
});

test('a transaction is read by its id, in its own environment and organization alone', async () => {
  const opened = await open({ planId: await createPlan(client) });
  const [made] = await transactionsOf({ subscriptionId: String(opened['id']) });
  const path = `/api/billing/transactions/${String(made?.['id'])}`;
  expect((await client.get(path)).body).toEqual(made);
  const stranger = await logIn(service, { role: 'owner' });
  for (const answer of [
    await stranger.get(path),
    await client.get(path, { env: 'production' }),
    await client.get('/api/billing/transactions/txn_unknown'),
  ]) {
    expect([answer.status, answer.body['code']]).toEqual([404, 'transaction_not_found']);
  }
  expect((await stranger.get('/api/billing/transactions')).body['data']).toEqual([]);
});

test('a plan that a subscription is about to change to is in use, and its terms are fixed', async () => {
  const opened = await open({ planId: await createPlan(client) });
  const target = await createPlan(client);
  await service.database.query(
    `UPDATE tollgate.subscriptions SET scheduled_plan_id = $2, scheduled_seats = 1, scheduled_requested_at = now()
      WHERE id = $1`,
    [opened['id'], target],
  );
  const removed = await client.delete(`/api/plans/${target}`);
  expect([removed.status, removed.body['code']]).toEqual([409, 'plan_in_use']);
  const changed = await client.patch(`/api/plans/${target}`, { body: { interval: 'year' } });
  expect([changed.status, changed.body['code']]).toEqual([409, 'plan_terms_fixed']);
  expect((await client.patch(`/api/plans/${target}`, { body: { price: usd('100') } })).status).toBe(200);
});
