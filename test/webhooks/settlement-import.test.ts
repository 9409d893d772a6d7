import { DAY_MS } from '../../src/domain/instant';
import type { SettlementFacts } from '../../src/providers/canonical-event';
import { paymentOf, WebhookWorkspace } from './webhook-workspace';

/** What settlements name and no webhook told, beyond what one collection fetches and the next one lists. */
let ours: WebhookWorkspace;
let payouts: SettlementFacts[] = [];
let answers = true;

beforeAll(async () => {
  ours = await WebhookWorkspace.start();
  Object.assign(ours.provider, {
    listSettlements: (_: unknown, { from, to }: { from: number; to: number }) =>
      Promise.resolve({
        kind: 'done',
        value: payouts.filter(({ periodEnd }) => Number(periodEnd) >= from && Number(periodEnd) < to),
      }),
    fetchCollected: (_: unknown, { reference }: { reference: string }) => {
      if (!answers) return Promise.resolve({ kind: 'unknown', reason: 'a time-out' });
      const payment = ours.provider.payments.get(reference);
      if (payment === undefined)
        return Promise.resolve({ kind: 'declined', code: 'not_found', reason: 'There is no such payment.' });
      const references = [{ kind: 'subscription', reference: payment.subscriptionReference }];
      return Promise.resolve({ kind: 'done', value: { payment, references, refunds: [], disputes: [] } });
    },
  });
});
afterAll(() => ours.stop());

/** A workspace whose connection is 40 days old, and a payout of 30 days ago that no later range has. */
async function withOldPayout(lines: string[]): Promise<WebhookWorkspace> {
  const there = await ours.another();
  await there.service.database.query(
    "UPDATE tollgate.provider_connections SET created_at = created_at - interval '40 days' WHERE id = $1",
    [there.connection],
  );
  const { reference } = await there.subscribe();
  const ended = Date.now() - 30 * DAY_MS;
  const own = `pi_of_${reference}`;
  ours.provider.payments.set(own, paymentOf(own, { subscriptionReference: reference }));
  payouts = [
    {
      reference: `po_of_${reference}`,
      amount: 2900n * BigInt(lines.length + 1),
      currency: 'USD',
      fees: 0n,
      periodStart: ended - DAY_MS,
      periodEnd: ended,
      lines: [...lines, own].map((name) => ({ kind: 'payment', reference: name, amount: 2900n, fee: 0n })),
    },
  ];
  return there;
}

async function collect(there: WebhookWorkspace): Promise<unknown> {
  const { body } = await there.operator.post('/api/billing/settlements/collect', { body: {} });
  return (body['data'] as unknown[])[0];
}

const paid = (there: WebhookWorkspace) => there.rows('settlements', 'paid, unmatched');

test('what a provider did not answer is fetched by the next collection, whatever that lists', async () => {
  const there = await withOldPayout([]);
  answers = false;
  expect(await collect(there)).toMatchObject({ status: 'collected', recorded: 1, imported: 0 });
  answers = true;
  expect(await paid(there)).toEqual([{ paid: '0', unmatched: '2900' }]);
  expect(await collect(there)).toMatchObject({ recorded: 0, changed: 0, imported: 1 });
  expect(await paid(there)).toEqual([{ paid: '2900', unmatched: '0' }]);
});

test('lines of nobody here do not keep the others from being fetched', async () => {
  const foreign = Array.from({ length: 250 }, (_, index) => `pi_foreign_${index}`);
  const there = await withOldPayout(foreign);
  expect(await collect(there)).toMatchObject({ imported: 0, unattributed: 200 });
  expect(await collect(there)).toMatchObject({ imported: 1 });
  expect(await paid(there)).toEqual([{ paid: '2900', unmatched: `${2900 * 250}` }]);
  // What was fetched stays so when the settlement's lines are written again.
  const fetched = await there.rows('settlement_lines', 'count(*)::int AS n', 'fetched_at IS NOT NULL');
  expect(fetched).toEqual([{ n: 251 }]);
});
