import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/db/pools';
import { verifyAll, type Verification } from '../../src/verification/verify';
import { DAY_MS } from '../../src/domain/instant';
import { createCustomer, createGroup, idOf, planBody } from '../catalog/offer';
import { logIn, type ConsoleAnswer, type OperatorClient } from '../support/operator';
import { useService } from '../support/use-service';

describe('the verifier of billing', () => {
  const service = useService({ commands: 'direct' });
  let client: OperatorClient;
  let database: Database;
  /** Renewed twice, upgraded, paid in part, partly refunded and settled. */
  let subscriptionId: string;

  const act = async (path: string, body: object): Promise<ConsoleAnswer> => {
    const answer = await client.post(`/api/billing/${path}`, {
      body,
      headers: { 'Idempotency-Key': randomUUID() },
    });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };

  beforeAll(async () => {
    client = await logIn(service, { role: 'owner' });
    database = service.open('tollgate_app', 2);
    const tax = { taxBehavior: 'exclusive', taxRates: [{ name: 'VAT', rate: '0.19' }] };
    const patient = { pastDueAfterDays: 90, expireAfterDays: 365 };
    await client.patch('/api/billing/settings', { body: { ...tax, ...patient } });
    const group = await createGroup(client);
    const plan = async (members: object): Promise<string> =>
      idOf(await client.post('/api/plans', { body: planBody(group, { pricing: 'per_seat', ...members }) }));
    const [basic, larger] = [await plan({}), await plan({ price: { amount: '4900', currency: 'USD' } })];
    const customer = async (): Promise<string> => (await createCustomer(client)).externalId;

    const opened = { externalId: await customer(), planId: basic, seats: 3 };
    subscriptionId = idOf(await act('subscriptions', opened));
    const later = Date.now() + 65 * DAY_MS;
    await client.post('/api/sandbox/clock', { body: { to: new Date(later).toISOString() } });
    await act(`subscriptions/${subscriptionId}/change`, { planId: larger });
    const { body } = await client.get('/api/billing/transactions', { query: { subscriptionId } });
    const [first] = (body['data'] as { id: string }[]).slice(-1);
    const payment = await act('payments', {
      transactionId: first?.id,
      amount: { amount: '5000', currency: 'USD' },
    });
    await act('refunds', { paymentId: idOf(payment), amount: { amount: '1000', currency: 'USD' } });
    await client.post('/api/sandbox/clock', { body: { to: new Date(later + DAY_MS).toISOString() } });
    await act('settlements', {
      periodStart: new Date(later - DAY_MS).toISOString(),
      periodEnd: new Date(later + DAY_MS).toISOString(),
    });
    // The other cases: a trial, open checkouts for a plan and for an amount, an expired one, a cancelled subscription.
    await act('subscriptions', { externalId: await customer(), planId: await plan({ trialDays: 7 }) });
    await act('checkouts', { externalId: await customer(), planId: basic });
    const visit = { amount: { amount: '700', currency: 'USD' }, description: 'A visit' };
    await act('checkouts', { externalId: await customer(), ...visit });
    const checkout = await act('checkouts', { externalId: await customer(), planId: basic });
    await act(`checkouts/${idOf(checkout)}/expire`, {});
    const ended = await act('subscriptions', { externalId: await customer(), planId: basic });
    await act(`subscriptions/${idOf(ended)}/cancel`, {});
  });

  async function verify(): Promise<Verification[]> {
    const results: Verification[] = [];
    for await (const result of verifyAll(database)) results.push(result);
    return results;
  }
  const faults = async (): Promise<string[]> => (await verify()).flatMap((result) => result.examples);

  test('agrees with what billing has written', async () => {
    expect(await faults()).toEqual([]);
    const mine = (await verify()).find((one) => one.subscriptions > 0);
    expect(mine).toMatchObject({ subscriptions: 5, transactions: 7, payments: 1, differences: 0 });
  });

  const tables = [
    'subscription_transactions',
    'payments',
    'refunds',
    'settlements',
    'checkouts',
    'subscriptions',
  ];
  const planted: [string, string, RegExp][] = [
    [
      'a line that is not its seats times its price',
      `UPDATE subscription_transactions SET lines = jsonb_set(lines, '{0,quantity}', '4') WHERE kind = 'renewal'`,
      /^line 1 of transaction /,
    ],
    [
      'lines that are not the subtotal',
      `UPDATE subscription_transactions SET lines = lines || lines WHERE kind = 'renewal'`,
      /^transaction .*: lines of /,
    ],
    [
      'tax that is not in the total',
      `UPDATE subscription_transactions SET tax_amount = tax_amount + 1 WHERE kind = 'renewal'`,
      /^transaction .*: lines of /,
    ],
    [
      'tax of another rate',
      `UPDATE subscription_transactions SET tax = jsonb_set(tax, '{rates,0,rate}', '"0.2"') WHERE kind = 'renewal'`,
      /^transaction .*: tax /,
    ],
    [
      'a net that is not its calculation',
      `UPDATE subscription_transactions SET proration = jsonb_set(proration, '{net}', '"1"') WHERE kind = 'proration'`,
      /^transaction .*: lines of /,
    ],
    [
      'a payment that settled nothing',
      'UPDATE payments SET applied_amount = 0',
      /^transaction .*: partially_paid, 5000 of /,
    ],
    ['a lost payment', 'DELETE FROM refunds; DELETE FROM payments', /^transaction .*: partially_paid/],
    [
      'a status that does not say what is paid',
      `UPDATE subscription_transactions SET status = 'pending' WHERE amount_paid > 0`,
      /^transaction .*: pending, 5000 of /,
    ],
    [
      'more refunded than was paid',
      'UPDATE refunds SET amount = 5001',
      /^payment .*: 5000 USD, refunds of 5001/,
    ],
    [
      'a refund in another currency',
      `UPDATE refunds SET currency = 'EUR'`,
      /^payment .*: 5000 USD, refunds of 1000/,
    ],
    [
      'a payment of another customer',
      'UPDATE payments SET customer_id = (SELECT max(id) FROM customers)',
      /^payment .*: not of the currency, customer and subscription/,
    ],
    ['a settlement of too much', 'UPDATE settlements SET paid = paid + 1, net = net + 1', /^settlement /],
    ['a line taken from a settlement', 'UPDATE refunds SET settlement_id = NULL', /^settlement /],
    [
      'a renewal that is lost in between',
      `DELETE FROM subscription_transactions WHERE kind = 'renewal' AND period_start = (SELECT min(period_start) FROM subscription_transactions WHERE kind = 'renewal')`,
      /^subscription .*: renewal .* begins at /,
    ],
    [
      'a last renewal that is lost',
      `DELETE FROM subscription_transactions WHERE kind = 'renewal' AND period_start = (SELECT max(period_start) FROM subscription_transactions WHERE kind = 'renewal')`,
      /^subscription .*: its period lasts from /,
    ],
    [
      'periods that overlap',
      `UPDATE subscription_transactions SET period_end = period_end + interval '1 day' WHERE kind = 'initial'`,
      /^subscription .*: renewal .* begins at /,
    ],
    [
      'a first charge that does not begin with its subscription',
      `UPDATE subscriptions SET started_at = started_at - interval '1 day'`,
      /^subscription .*: initial charge /,
    ],
    [
      'no charge at all',
      `DELETE FROM subscription_transactions WHERE status = 'void' AND subscription_id IN (SELECT id FROM subscriptions WHERE status = 'cancelled')`,
      /^subscription .*: no charge for its period/,
    ],
    [
      'a due time that no transaction has',
      `UPDATE subscriptions SET payment_due_at = payment_due_at + interval '1 day' WHERE payment_due_at IS NOT NULL`,
      /^subscription .*, payment due at /,
    ],
    [
      'an open transaction that its subscription does not know of',
      'UPDATE subscriptions SET payment_due_at = NULL',
      /^subscription .*, payment due at /,
    ],
    [
      'a subscription that never wakes',
      `UPDATE subscriptions SET next_wake_at = NULL WHERE status <> 'incomplete'`,
      /^subscription .*: .*, and never wakes/,
    ],
    [
      'an open checkout that never wakes',
      `UPDATE checkouts SET next_wake_at = NULL`,
      /^checkout .*: open, wakes at no time, its subscription is incomplete/,
    ],
    [
      'an open checkout for an amount that never wakes',
      `UPDATE checkouts SET next_wake_at = NULL WHERE kind = 'payment'`,
      /^checkout .*: open, wakes at no time$/,
    ],
    [
      'an open checkout of an expired subscription',
      `UPDATE checkouts SET status = 'open', next_wake_at = expires_at WHERE status = 'expired'`,
      /^checkout .*: open, wakes at .*, its subscription is expired/,
    ],
  ];
  test.each(planted)('finds %s', async (_, fault, finding) => {
    await service.database.query('SET search_path = tollgate');
    // Saves and restores the rows regardless of foreign keys.
    await service.database.query("SET session_replication_role = 'replica'");
    for (const table of tables)
      await service.database.query(`CREATE TABLE public.saved_${table} AS TABLE tollgate.${table}`);
    try {
      await service.database.query(fault);
      expect(await faults()).toEqual(expect.arrayContaining([expect.stringMatching(finding)]));
    } finally {
      for (const table of tables) {
        await service.database.query(`DELETE FROM tollgate.${table}`);
        await service.database.query(`INSERT INTO tollgate.${table} TABLE public.saved_${table}`);
        await service.database.query(`DROP TABLE public.saved_${table}`);
      }
    }
    expect(await faults()).toEqual([]);
  });

  test('asks no first charge of subscriptions that are older than charges', async () => {
    const [older] = await service.database.query<{ id: string }>(
      `INSERT INTO tollgate.subscriptions
       SELECT (jsonb_populate_record(s, jsonb_build_object('id', 'sub_older', 'status', 'past_due', 'payment_due_at', NULL,
                 'customer_id', c.id))).*
         FROM tollgate.subscriptions s, (SELECT max(id) AS id FROM tollgate.customers) AS c
        WHERE s.id = $1 RETURNING id`,
      [subscriptionId],
    );
    expect(older).toEqual({ id: 'sub_older' });
    expect(await faults()).toEqual([]);
  });
});
