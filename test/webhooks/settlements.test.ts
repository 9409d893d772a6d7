import type { PaymentFacts, SettlementFacts, SettlementLineFacts } from '../../src/providers/canonical-event';
import type { Outcome } from '../../src/providers/outcome';
import type { ProviderAdapter } from '../../src/providers/provider-adapter';
import type { SettlementRange } from '../../src/providers/provider-operations';
import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import { eventOf } from './fake-provider';
import { PERIOD_END, paymentOf, refundOf, WebhookWorkspace } from './webhook-workspace';
import { useStarted } from '../support/use-started';

/** Payouts that a provider reports by webhook. */
const ours = useStarted(() => WebhookWorkspace.start());
let there: WebhookWorkspace;
beforeEach(async () => {
  there = await ours.another();
});

/** A time after everything here was received. */
const END = Date.now() + HOUR_MS;
const about = (reference: string) => [{ kind: 'subscription' as const, reference }];

/** Records a payment of 29.00 USD, known to the provider by its payment and its charge; each refund is 5.00 USD. */
async function paid(name: string, ...refunds: string[]): Promise<void> {
  const { reference } = await there.subscribe();
  const payment = paymentOf(`pi_${name}`, { subscriptionReference: reference });
  there.provider.payments.set(payment.reference, payment);
  const references = [...about(reference), { kind: 'charge' as const, reference: `ch_${name}` }];
  await there.post(eventOf('payment.succeeded', { references, payment }));
  for (const refund of refunds) {
    there.provider.refunds.set(refund, refundOf(refund, payment.reference));
    const facts = refundOf(refund, payment.reference);
    await there.post(eventOf('refund.changed', { references: about(reference), refund: facts }));
  }
}

const line = (
  kind: SettlementLineFacts['kind'],
  reference: string,
  amount: bigint,
  fee = 0n,
): SettlementLineFacts => ({ kind, reference, amount, fee });

function payoutOf(reference: string, amount: bigint, members: Partial<SettlementFacts> = {}) {
  const settlement = {
    reference,
    amount,
    currency: 'USD',
    fees: 100n,
    periodStart: PERIOD_END,
    periodEnd: END,
    ...members,
  };
  return eventOf('settlement.ready', { references: [{ kind: 'payout', reference }], settlement });
}

async function settlements(): Promise<Record<string, unknown>[]> {
  const answer = await there.operator.get('/api/billing/settlements');
  return answer.body['data'] as Record<string, unknown>[];
}
const usd = (amount: string) => ({ amount, currency: 'USD' });

test('a payout counts the payments and refunds that its lines name, once', async () => {
  await paid('s1', 're_s1');
  await paid('other');
  const lines = [line('charge', 'ch_s1', 2900n, 100n), line('refund', 're_s1', -500n)];
  await there.post(payoutOf('po_1', 2300n, { lines }));
  await there.post(payoutOf('po_1', 2300n, { lines }));
  const [row, ...more] = await settlements();
  expect(more).toEqual([]);
  expect(row).toMatchObject({
    provider: 'provider_a',
    status: 'settled',
    reference: 'po_1',
    connectionId: there.connection,
    paid: usd('2900'),
    refunded: usd('500'),
    fees: usd('100'),
    net: usd('2300'),
    unmatchedAmount: usd('0'),
    difference: null,
  });
  expect(await there.rows('payments', 'reference, settlement_id', 'true ORDER BY reference')).toEqual([
    { reference: 'pi_other', settlement_id: null },
    { reference: 'pi_s1', settlement_id: row?.['id'] },
  ]);
  const shown = await there.operator.get(`/api/billing/settlements/${String(row?.['id'])}`);
  expect(shown.body['lines']).toMatchObject([{ kind: 'payment' }, { kind: 'refund' }]);
  expect(shown.body['unmatchedLines']).toEqual([]);
  const events = await there.rows('developer_events', 'message', `type = 'SETTLEMENT_RECORDED'`);
  expect(events).toEqual([{ message: 'The payment provider paid out 23.00 USD: 2 lines.' }]);
});

test('what names nothing here is kept as the difference, in words and as an amount', async () => {
  await paid('s2');
  const lines = [
    line('charge', 'ch_s2', 2900n, 100n),
    line('charge', 'ch_foreign', 1000n),
    line('other', 'txn_adjustment', -50n),
  ];
  await there.post(payoutOf('po_2', 3760n, { lines }));
  const [row] = await settlements();
  expect(row).toMatchObject({ paid: usd('2900'), net: usd('3760'), unmatchedAmount: usd('960') });
  expect(row?.['difference']).toBe(
    'Not counted: charge ch_foreign of 10.00 USD is not known here; other txn_adjustment of -0.50 USD is no payment or refund. 0.10 USD of the payout is not explained by its lines.',
  );
  const shown = await there.operator.get(`/api/billing/settlements/${String(row?.['id'])}`);
  expect(shown.body['unmatchedLines']).toEqual([
    { kind: 'charge', reference: 'ch_foreign', amount: usd('1000'), fee: usd('0') },
    { kind: 'other', reference: 'txn_adjustment', amount: usd('-50'), fee: usd('0') },
  ]);
});

test('a payment that becomes known after its payout is counted there', async () => {
  const lines = [line('charge', 'ch_late', 2900n, 100n), line('refund', 're_late', -500n)];
  await there.post(payoutOf('po_late', 2300n, { lines }));
  expect(await settlements()).toMatchObject([{ paid: usd('0'), unmatchedAmount: usd('2400') }]);
  await paid('late');
  expect(await settlements()).toMatchObject([
    { paid: usd('2900'), refunded: usd('0'), unmatchedAmount: usd('-500') },
  ]);
  there.provider.refunds.set('re_late', refundOf('re_late', 'pi_late'));
  await there.post(eventOf('refund.changed', { refund: refundOf('re_late', 'pi_late') }));
  expect(await settlements()).toMatchObject([
    { paid: usd('2900'), refunded: usd('500'), unmatchedAmount: usd('0'), difference: null },
  ]);
});

test.each(['failed', 'pending'] as const)(
  'a payment that was %s when its payout named it is counted there once it succeeds',
  async (status) => {
    const { reference } = await there.subscribe();
    const tell = async (facts: Partial<PaymentFacts>) => {
      const payment = paymentOf('pi_then', { subscriptionReference: reference, ...facts });
      there.provider.payments.set('pi_then', payment);
      const references = [...about(reference), { kind: 'charge' as const, reference: 'ch_then' }];
      await there.post(eventOf('payment.succeeded', { references, payment }));
    };
    await tell({ status });
    await there.post(payoutOf('po_then', 2800n, { lines: [line('charge', 'ch_then', 2900n, 100n)] }));
    expect(await settlements()).toMatchObject([{ paid: usd('0'), unmatchedAmount: usd('2900') }]);
    await tell({});
    expect(await settlements()).toMatchObject([
      { paid: usd('2900'), unmatchedAmount: usd('0'), difference: null },
    ]);
  },
);

test('a payout that is told again with more lines counts them too', async () => {
  await paid('m1');
  await paid('m2');
  const first = line('charge', 'ch_m1', 2900n, 100n);
  await there.post(payoutOf('po_m', 2800n, { lines: [first] }));
  const lines = [first, line('charge', 'ch_m2', 2900n, 100n)];
  await there.post(payoutOf('po_m', 5600n, { lines, fees: 200n }));
  expect(await settlements()).toMatchObject([
    { paid: usd('5800'), fees: usd('200'), net: usd('5600'), difference: null },
  ]);
});

test('a payout that failed lets go of its payments for the next one, and stays failed', async () => {
  await paid('f');
  const lines = [line('charge', 'ch_f', 2900n, 100n)];
  await there.post(payoutOf('po_f', 2800n, { lines }));
  const [before] = await there.rows('payments', 'settlement_id');
  expect(before?.['settlement_id']).not.toBeNull();
  await there.post(payoutOf('po_f', 2800n, { lines, status: 'failed' }));
  expect(await there.rows('payments', 'settlement_id')).toEqual([{ settlement_id: null }]);
  // The report that it was paid may arrive late.
  await there.post(payoutOf('po_f', 2800n, { lines }));
  expect(await settlements()).toMatchObject([{ status: 'failed', net: usd('2800') }]);
  await there.post(payoutOf('po_f2', 2800n, { lines }));
  expect(await settlements()).toMatchObject([
    { reference: 'po_f2', status: 'settled', paid: usd('2900') },
    { reference: 'po_f', status: 'failed' },
  ]);
  const events = await there.rows(
    'developer_events',
    'status',
    `type = 'SETTLEMENT_RECORDED' ORDER BY sequence`,
  );
  expect(events).toEqual([{ status: 'OK' }, { status: 'ERROR' }, { status: 'OK' }]);
});

test('a payout that failed before it was told of is failed from the start; one on its way is no settlement', async () => {
  await paid('g');
  const lines = [line('charge', 'ch_g', 2900n, 100n)];
  await there.post(payoutOf('po_wait', 2800n, { lines, status: 'pending' }));
  expect(await settlements()).toEqual([]);
  await there.post(payoutOf('po_g', 2800n, { lines, status: 'failed' }));
  expect(await settlements()).toMatchObject([{ status: 'failed', unmatchedAmount: usd('2900') }]);
  expect(await there.rows('payments', 'settlement_id')).toEqual([{ settlement_id: null }]);
});

test('a payment is counted by one payout, whatever others name it, and only in its own amount and currency', async () => {
  await paid('x');
  await there.post(payoutOf('po_x1', 2800n, { lines: [line('charge', 'ch_x', 2900n, 100n)] }));
  await there.post(payoutOf('po_x2', 2800n, { lines: [line('payment', 'pi_x', 2900n, 100n)] }));
  await paid('y');
  await there.post(payoutOf('po_y1', 2700n, { lines: [line('charge', 'ch_y', 2800n, 100n)] }));
  const euro = { lines: [line('charge', 'ch_y', 2900n, 100n)], currency: 'EUR' };
  await there.post(payoutOf('po_y2', 2800n, euro));
  const twice = [line('charge', 'ch_y', 2900n, 50n), line('payment', 'pi_y', 2900n, 50n)];
  await there.post(payoutOf('po_y3', 5700n, { lines: twice }));
  const rows = (await settlements()).reverse();
  expect(rows.map((row) => row['paid'])).toEqual([
    usd('2900'),
    usd('0'),
    usd('0'),
    { amount: '0', currency: 'EUR' },
    usd('2900'),
  ]);
  const [, second, third, fourth, fifth] = rows.map((row) => row['difference']);
  expect(second).toContain(`which ${String(rows[0]?.['id'])} counts`);
  expect(third).toMatch(/is pay_\w+, which is 29\.00 USD here/);
  expect(fourth).toMatch(/of 29\.00 EUR is pay_\w+, which is 29\.00 USD here/);
  expect(fifth).toMatch(/payment pi_y of 29\.00 USD is pay_\w+ once more/);
});

test('without lines, all that is unsettled is counted where it comes to the payout exactly, and nothing otherwise', async () => {
  await paid('n', 're_n');
  await there.post(payoutOf('po_n0', 9n));
  expect(await settlements()).toMatchObject([
    {
      paid: usd('0'),
      net: usd('9'),
      unmatchedAmount: usd('109'),
      difference:
        'The provider does not list what it paid out. The unsettled payments and refunds here add up to 23.00 USD.',
    },
  ]);
  await there.post(payoutOf('po_n1', 2300n));
  await there.post(payoutOf('po_n1', 2300n));
  const [row] = await settlements();
  expect(row).toMatchObject({ paid: usd('2900'), refunded: usd('500'), net: usd('2300'), difference: null });
});

test('the provider is asked for a payout that its event only names', async () => {
  await paid('q');
  const references: string[] = [];
  const { settlement } = payoutOf('po_q', 2800n, { lines: [line('charge', 'ch_q', 2900n, 100n)] });
  if (settlement === undefined) throw new Error('There is no settlement.');
  Object.assign(there.provider, {
    fetchSettlement: (_: unknown, reference: string) => {
      references.push(reference);
      return Promise.resolve({ kind: 'done', value: settlement });
    },
  });
  try {
    await there.post(eventOf('settlement.ready', { references: [{ kind: 'payout', reference: 'po_q' }] }));
  } finally {
    Object.assign(there.provider, { fetchSettlement: undefined });
  }
  expect(references).toEqual(['po_q']);
  expect(await settlements()).toMatchObject([{ reference: 'po_q', paid: usd('2900') }]);
});

test('a payout of an account that is connected to the connection’s account is none here', async () => {
  const missing = { kind: 'declined', code: 'not_found', reason: 'There is no such payout.' };
  Object.assign(there.provider, { fetchSettlement: () => Promise.resolve(missing) });
  const references = [{ kind: 'payout' as const, reference: 'po_connected' }];
  try {
    const event = eventOf('settlement.ready', { references, account: 'acct_connected' });
    expect((await there.post(event)).status).toBe(200);
    expect(await there.rows('webhook_events', 'status')).toEqual([{ status: 'unmatched' }]);
    // The connection's own payout is missing: the key belongs to another account.
    expect((await there.post(eventOf('settlement.ready', { references }))).status).toBe(500);
  } finally {
    Object.assign(there.provider, { fetchSettlement: undefined });
  }
  expect(await settlements()).toEqual([]);
});

test('one payout that is told eight times at once is recorded once', async () => {
  await paid('r');
  const lines = [line('charge', 'ch_r', 2900n, 100n)];
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => there.post(payoutOf('po_r', 2800n, { lines }))),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(await settlements()).toHaveLength(1);
  expect(await there.rows('developer_events', 'id', `type = 'SETTLEMENT_RECORDED'`)).toHaveLength(1);
});

test('after a gap, what a webhook tells first hides no payout before it from the next collection', async () => {
  const ranges: SettlementRange[] = [];
  let outcome: Outcome<SettlementFacts[]> = { kind: 'done', value: [] };
  const provider: ProviderAdapter = there.provider;
  jest.spyOn(provider, 'listSettlements').mockImplementation((_access, range) => {
    ranges.push(range);
    return Promise.resolve(outcome);
  });
  const collect = async () => {
    await there.operator.post('/api/billing/settlements/collect');
    const { from } = ranges.at(-1) ?? { from: Number.NaN };
    return Math.round((Date.now() - from) / DAY_MS);
  };
  const daysAgo = (days: number) => Date.now() - days * DAY_MS;
  await there.service.database.query(
    'UPDATE tollgate.provider_connections SET created_at = $2 WHERE id = $1',
    [there.connection, new Date(daysAgo(40))],
  );
  await there.post(payoutOf('po_new', 100n, { periodStart: daysAgo(2), periodEnd: daysAgo(1) }));
  outcome = { kind: 'unknown', reason: 'It is away.' };
  expect(await collect()).toBe(47);
  outcome = { kind: 'done', value: [] };
  expect(await collect()).toBe(47);
  expect(await collect()).toBe(8);
});
