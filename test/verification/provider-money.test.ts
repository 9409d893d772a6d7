import type { Database } from '../../src/db/pools';
import { verifyAll } from '../../src/verification/verify';
import { eventOf } from '../webhooks/fake-provider';
import { paymentOf, WebhookWorkspace } from '../webhooks/webhook-workspace';
import { useStarted } from '../support/use-started';

/** The verifier's comparison of providers' settlements and disputes: each difference is planted, found and undone. */
const ours = useStarted(() => WebhookWorkspace.start());
let database: Database;
const AT = Date.UTC(2026, 2, 1);
beforeAll(async () => {
  const { reference } = await ours.subscribe();
  const payment = paymentOf('pi_v', { subscriptionReference: reference });
  ours.provider.payments.set('pi_v', payment);
  const references = [{ kind: 'subscription' as const, reference }];
  await ours.post(eventOf('payment.succeeded', { references, payment }));
  const of = { kind: 'payment' as const, reference: 'pi_v' };
  const dispute = {
    reference: 'dp_v',
    of,
    amount: 900n,
    currency: 'USD',
    status: 'lost' as const,
    openedAt: AT,
    reason: null,
  };
  await ours.post(eventOf('dispute.changed', { dispute, occurredAt: AT }));
  const settlement = {
    reference: 'po_v',
    amount: 2000n,
    currency: 'USD',
    fees: 0n,
    periodStart: AT,
    periodEnd: AT + 1,
    lines: [
      { ...of, amount: 2900n, fee: 0n },
      { kind: 'dispute' as const, reference: 'dp_v', amount: -900n, fee: 0n },
    ],
  };
  await ours.post(eventOf('settlement.ready', { settlement }));
  database = ours.service.open('tollgate_app', 1);
});

async function found(): Promise<string[]> {
  const examples: string[] = [];
  for await (const result of verifyAll(database)) examples.push(...result.examples);
  return examples;
}

test('the rows written by webhooks agree', async () => {
  expect(await found()).toEqual([]);
});

test.each([
  [
    'a settlement that failed and still counts a payment',
    `UPDATE tollgate.settlements SET status = 'failed'`,
    `UPDATE tollgate.settlements SET status = 'settled'`,
    /^settlement stl_\w+: paid 2900/,
  ],
  [
    'a line that counts a payment of another settlement',
    `UPDATE tollgate.payments SET settlement_id = NULL`,
    `UPDATE tollgate.payments SET settlement_id = (SELECT id FROM tollgate.settlements)`,
    /its line payment pi_v counts pay_/,
  ],
  [
    'a lost dispute whose money is not gone',
    `UPDATE tollgate.refunds SET status = 'failed'`,
    `UPDATE tollgate.refunds SET status = 'succeeded'`,
    /^dispute dsp_\w+: lost, 900 USD .* its refund failed/,
  ],
  [
    'a subscription that never wakes',
    `UPDATE tollgate.subscriptions SET next_wake_at = NULL`,
    `UPDATE tollgate.subscriptions SET next_wake_at = current_period_end`,
    /^subscription sub_\w+: active, and never wakes/,
  ],
  [
    'a dispute that is not lost and took money',
    `UPDATE tollgate.disputes SET status = 'won'`,
    `UPDATE tollgate.disputes SET status = 'lost'`,
    /^dispute dsp_\w+: won/,
  ],
])('finds %s', async (_, plant, undo, words) => {
  await ours.service.database.query(plant);
  const examples = await found();
  await ours.service.database.query(undo);
  expect(examples).toEqual(expect.arrayContaining([expect.stringMatching(words)]));
  expect(await found()).toEqual([]);
});
