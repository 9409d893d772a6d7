import { DAY_MS } from '../../src/domain/instant';
import type { ProviderAdapter } from '../../src/providers/provider-adapter';
import { ageConnection, collect, CollectedPayouts, payoutOf } from './collected-payouts';
import { eventOf } from './fake-provider';
import { paymentOf, WebhookWorkspace } from './webhook-workspace';
import { useStarted } from '../support/use-started';

/**
 * Payments that settlements name and no webhook reported, more than one collection fetches and outside the range of
 * the next.
 */
const ours = useStarted(() => WebhookWorkspace.start());
let payouts: CollectedPayouts;
beforeAll(() => {
  payouts = new CollectedPayouts(ours.provider);
});

/** Creates a workspace with a payout of `days` ago, just after its connection began, that no later range includes. */
async function withOldPayout(lines: string[], days = 30): Promise<WebhookWorkspace> {
  const there = await ours.another();
  await ageConnection(there, days + 10);
  const { reference } = await there.subscribe();
  const own = `pi_of_${reference}`;
  ours.provider.payments.set(own, paymentOf(own, { subscriptionReference: reference }));
  payouts.listed = [payoutOf(reference, Date.now() - days * DAY_MS, [...lines, own])];
  return there;
}

const paid = (there: WebhookWorkspace) => there.rows('settlements', 'paid, unmatched');

test('what a provider did not answer is fetched by the next collection, whatever that lists', async () => {
  const there = await withOldPayout([]);
  payouts.answers = false;
  expect(await collect(there)).toMatchObject({ status: 'collected', recorded: 1, imported: 0 });
  payouts.answers = true;
  expect(await paid(there)).toEqual([{ paid: '0', unmatched: '2900' }]);
  expect(await collect(there)).toMatchObject({ recorded: 0, changed: 0, imported: 1 });
  expect(await paid(there)).toEqual([{ paid: '2900', unmatched: '0' }]);
});

test('what a settlement names is fetched although the provider’s settlements could not be read for half a year', async () => {
  const there = await withOldPayout([], 200);
  payouts.permitted = false;
  expect(await collect(there)).toMatchObject({ status: 'failed', recorded: 0, imported: 0 });
  payouts.permitted = true;
  expect(await collect(there)).toMatchObject({ status: 'collected', recorded: 1, imported: 1 });
  expect(await paid(there)).toEqual([{ paid: '2900', unmatched: '0' }]);
});

test('lines of nobody here do not keep the others from being fetched', async () => {
  const foreign = Array.from({ length: 250 }, (_, index) => `pi_foreign_${index}`);
  const there = await withOldPayout(foreign);
  expect(await collect(there)).toMatchObject({ imported: 0, unattributed: 200 });
  expect(await collect(there)).toMatchObject({ imported: 1 });
  expect(await paid(there)).toEqual([{ paid: '2900', unmatched: `${2900 * 250}` }]);
  // Fetched lines stay fetched when the settlement's lines are written again.
  const fetched = await there.rows('settlement_lines', 'count(*)::int AS n', 'fetched_at IS NOT NULL');
  expect(fetched).toEqual([{ n: 251 }]);
});

test('a line that can never be read keeps neither the others nor the disputes from being fetched', async () => {
  const there = await withOldPayout(['pi_unreadable', 'pi_foreign']);
  payouts.unreadable.add('pi_unreadable');
  const of = { kind: 'payment', reference: payouts.listed[0]?.lines?.at(-1)?.reference ?? '' } as const;
  const money = { amount: 2900n, currency: 'USD' };
  const openedAt = Date.now() - DAY_MS;
  const dispute = {
    reference: 'dp_1',
    of,
    ...money,
    status: 'lost' as const,
    openedAt,
    reason: 'fraudulent',
  };
  payouts.disputes = [{ dispute, references: [of] }];
  expect(await collect(there)).toMatchObject({ imported: 2, unattributed: 1 });
  expect(await there.rows('disputes', 'status')).toEqual([{ status: 'lost' }]);
  payouts.disputes = [];
});

test('what the credentials may not read is reported, and fetched once they may', async () => {
  const there = await withOldPayout([]);
  const all = { status: 'collected', imported: 0, unattributed: 0, reason: 'It is not permitted.' };
  payouts.withheld = 'disputes';
  expect(await collect(there)).toMatchObject({ ...all, imported: 1 });
  const other = await withOldPayout([]);
  payouts.withheld = 'payments';
  expect(await collect(other)).toMatchObject(all);
  payouts.withheld = null;
  expect(await collect(other)).toMatchObject({ imported: 1, unattributed: 0, reason: null });
});

test('disputes are fetched also where the settlements may not be read', async () => {
  const there = await ours.another();
  const { reference } = await there.subscribe();
  const of = { kind: 'payment', reference: `pi_of_${reference}` } as const;
  ours.provider.payments.set(of.reference, paymentOf(of.reference, { subscriptionReference: reference }));
  const money = { amount: 2900n, currency: 'USD' };
  const openedAt = Date.now() - DAY_MS;
  const dispute = {
    reference: 'dp_2',
    of,
    ...money,
    status: 'lost' as const,
    openedAt,
    reason: 'fraudulent',
  };
  payouts.disputes = [{ dispute, references: [of] }];
  payouts.permitted = false;
  expect(await collect(there)).toMatchObject({ status: 'failed', recorded: 0, imported: 1 });
  expect(await there.rows('disputes', 'status')).toEqual([{ status: 'lost' }]);
  expect(await there.rows('refunds', 'kind, amount')).toEqual([{ kind: 'dispute', amount: '2900' }]);
  payouts.permitted = true;
  payouts.disputes = [];
});

test('open disputes that the list lacks are fetched, although one of them can never be read', async () => {
  const there = await ours.another();
  const { reference } = await there.subscribe();
  const of = { kind: 'payment', reference: `pi_of_${reference}` } as const;
  ours.provider.payments.set(of.reference, paymentOf(of.reference, { subscriptionReference: reference }));
  const disputeOf = (name: string, days: number, status: 'open' | 'lost') => {
    const openedAt = Date.now() - days * DAY_MS;
    const money = { amount: 1000n, currency: 'USD' };
    return { dispute: { reference: name, of, ...money, status, openedAt, reason: null }, references: [of] };
  };
  payouts.listed = [];
  payouts.disputes = [disputeOf('dp_unreadable', 140, 'open'), disputeOf('dp_old', 130, 'open')];
  expect(await collect(there)).toMatchObject({ imported: 2 });
  payouts.disputes = [];
  const fetched: string[] = [];
  const fetchDispute: ProviderAdapter['fetchDispute'] = (_, name) => {
    fetched.push(name);
    return Promise.resolve(
      name === 'dp_old'
        ? { kind: 'done', value: disputeOf(name, 130, 'lost') }
        : { kind: 'unknown', reason: 'a dispute without an amount' },
    );
  };
  Object.assign(ours.provider, { fetchDispute });
  try {
    // Credentials that may not list disputes are not tried with each of them.
    payouts.withheld = 'disputes';
    expect(await collect(there)).toMatchObject({ reason: 'It is not permitted.' });
    expect(fetched).toEqual([]);
    payouts.withheld = null;
    expect(await collect(there)).toMatchObject({ reason: 'a dispute without an amount' });
    expect(fetched).toEqual(['dp_unreadable', 'dp_old']);
    expect(await there.rows('disputes', 'reference, status', 'true ORDER BY opened_at')).toEqual([
      { reference: 'dp_unreadable', status: 'open' },
      { reference: 'dp_old', status: 'lost' },
    ]);
  } finally {
    Object.assign(ours.provider, { fetchDispute: undefined });
  }
});

test('a lost dispute that took nothing, as its payment was refunded here, is imported once and keeps its time', async () => {
  const there = await ours.another();
  const { reference } = await there.subscribe();
  const of = { kind: 'payment', reference: `pi_of_${reference}` } as const;
  const payment = paymentOf(of.reference, { subscriptionReference: reference });
  ours.provider.payments.set(of.reference, payment);
  const references = [{ kind: 'subscription' as const, reference }];
  await there.post(eventOf('payment.succeeded', { references, payment }));
  await there.service.database.query(
    `INSERT INTO tollgate.operations (workspace_id, environment, id, kind, target_id, input, idempotency_key, fingerprint, status, reason, request_id, created_at)
     SELECT workspace_id, environment, 'op_own', 'refund', id, '{}', 'own', '', 'succeeded', 'OPERATOR', 'req_own', now()
       FROM tollgate.payments WHERE workspace_id = $1`,
    [there.workspace.workspaceId],
  );
  await there.service.database.query(
    `INSERT INTO tollgate.refunds (workspace_id, environment, id, payment_id, status, currency, amount, requested_at, completed_at, created_at)
     SELECT workspace_id, environment, 'ref_own', id, 'succeeded', currency, amount, now(), now(), now()
       FROM tollgate.payments WHERE workspace_id = $1`,
    [there.workspace.workspaceId],
  );
  const dispute = {
    reference: 'dp_3',
    of,
    amount: 2900n,
    currency: 'USD',
    status: 'lost' as const,
    openedAt: Date.now() - DAY_MS,
    reason: null,
    reportedAsRefund: true,
  };
  payouts.listed = [];
  payouts.disputes = [{ dispute, references: [of] }];
  const decided = () => there.rows('disputes', 'status, decided_at');
  expect(await collect(there)).toMatchObject({ imported: 1 });
  const first = await decided();
  expect(first).toMatchObject([{ status: 'won' }]);
  expect(await collect(there)).toMatchObject({ imported: 0 });
  expect(await decided()).toEqual(first);
  payouts.disputes = [];
});

test('a provider that does not answer is soon asked for no more lines', async () => {
  const there = await withOldPayout(Array.from({ length: 20 }, (_, index) => `pi_foreign_${index}`));
  payouts.answers = false;
  payouts.references = [];
  expect(await collect(there)).toMatchObject({ status: 'collected', imported: 0 });
  expect(payouts.references).toHaveLength(5);
  payouts.answers = true;
  expect(await collect(there)).toMatchObject({ imported: 1 });
});
