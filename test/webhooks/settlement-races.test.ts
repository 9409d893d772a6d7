import { Client } from 'pg';
import { DAY_MS } from '../../src/domain/instant';
import type { SettlementFacts } from '../../src/providers/canonical-event';
import { until } from '../support/until';
import { eventOf } from './fake-provider';
import { paymentOf, refundOf, WebhookWorkspace } from './webhook-workspace';

/** Payments that become known at the moment in which a payout that names them is recorded. */
let ours: WebhookWorkspace;
beforeAll(async () => {
  ours = await WebhookWorkspace.start();
  Object.assign(ours.provider, {
    listSettlements: (_: unknown, { from, to }: { from: number; to: number }) =>
      Promise.resolve({
        kind: 'done',
        value: payouts.filter(({ periodEnd }) => Number(periodEnd) >= from && Number(periodEnd) < to),
      }),
    fetchCollected: (_: unknown, { reference }: { reference: string }) => {
      const payment = ours.provider.payments.get(reference) ?? paymentOf(reference);
      const references = [{ kind: 'subscription', reference: payment.subscriptionReference }];
      return Promise.resolve({ kind: 'done', value: { payment, references, refunds: [], disputes: [] } });
    },
  });
});
let there: WebhookWorkspace;
beforeEach(async () => {
  there = await ours.another();
  payouts = [];
});
// What a failed test still holds would keep the service from stopping.
afterEach(() => holding?.end());
afterAll(() => ours.stop());

let holding: Client | undefined;

/** What the provider lists. */
let payouts: SettlementFacts[] = [];

function payoutOf(name: string, periodEnd = Date.now() - 60_000): SettlementFacts {
  return {
    reference: `po_${name}`,
    amount: 2900n,
    currency: 'USD',
    fees: 0n,
    periodStart: periodEnd - DAY_MS,
    periodEnd,
    lines: [{ kind: 'payment', reference: `pi_${name}`, amount: 2900n, fee: 0n }],
  };
}

async function collect(): Promise<unknown> {
  const answer = await there.operator.post('/api/billing/settlements/collect', { body: {} });
  return (answer.body['data'] as unknown[])[0];
}

async function unmatched(): Promise<string[]> {
  const rows = await there.rows<{ unmatched: string }>('settlements', 'unmatched');
  return rows.map((row) => row.unmatched);
}

/** A payment's webhook that has looked for payouts which name it and is not committed; `end` lets it go. */
async function holdPayment(name: string) {
  const { reference } = await there.subscribe();
  const refund = refundOf(`re_${name}`, `pi_${name}`);
  there.provider.refunds.set(`re_${name}`, refund);
  const early = await there.post(eventOf('refund.changed', { refund }));
  const other = new Client({ connectionString: there.service.database.adminUrl });
  holding = other;
  await other.connect();
  await other.query('BEGIN');
  // It waits for the first of what waits for it.
  await other.query('SELECT FROM tollgate.webhook_events WHERE id = $1 FOR UPDATE', [early.body['eventId']]);
  const payment = paymentOf(`pi_${name}`, { subscriptionReference: reference });
  there.provider.payments.set(payment.reference, payment);
  const references = [{ kind: 'subscription' as const, reference }];
  const answer = there.post(eventOf('payment.succeeded', { references, payment }));
  await untilWaiting(1);
  return async () => {
    await other.query('COMMIT');
    expect((await answer).status).toBe(200);
  };
}

async function untilWaiting(transactions: number): Promise<void> {
  await until(async () => {
    const rows = await there.service.database.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rows.length >= transactions;
  });
}

test('a payout whose webhook comes beside its payment’s counts it with the next collection', async () => {
  const end = await holdPayment('told');
  const settlement = payoutOf('told');
  const references = [{ kind: 'payout' as const, reference: settlement.reference }];
  await there.post(eventOf('settlement.ready', { references, settlement }));
  await end();
  expect(await unmatched()).toEqual(['2900']);
  payouts.push(settlement);
  expect(await collect()).toMatchObject({ status: 'collected', recorded: 0, changed: 1 });
  expect(await unmatched()).toEqual(['0']);
});

test('a payout that is collected beside its payment’s webhook counts it, also where none lists it again', async () => {
  await there.service.database.query(
    "UPDATE tollgate.provider_connections SET created_at = created_at - interval '40 days' WHERE id = $1",
    [there.connection],
  );
  const end = await holdPayment('collected');
  payouts.push(payoutOf('collected', Date.now() - 30 * DAY_MS));
  const collected = collect();
  await untilWaiting(2);
  await end();
  expect(await collected).toMatchObject({ status: 'collected', recorded: 1 });
  expect(await unmatched()).toEqual(['0']);
});
