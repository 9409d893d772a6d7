import type { DisputeFacts } from '../../src/providers/canonical-event';
import type { DbTransaction } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import { newIdentifier } from '../../src/identifiers/identifier';
import { recordRefundResult } from '../../src/payments/record-refund-result';
import { insertRefund } from '../../src/payments/refund-store';
import { reconciler } from '../../src/webhooks/webhook-reconciler';
import { eventOf } from './fake-provider';
import { paymentOf, refundOf, WebhookWorkspace } from './webhook-workspace';
import { useStarted } from '../support/use-started';

/** Disputes that a provider reports by webhook. */
const ours = useStarted(() => WebhookWorkspace.start());
let there: WebhookWorkspace;
let payment: string;
let subscription: string;
beforeEach(async () => {
  there = await ours.another();
  const { id, reference } = await there.subscribe();
  subscription = id;
  const facts = paymentOf('pi_d', { subscriptionReference: reference });
  there.provider.payments.set('pi_d', facts);
  const references = [{ kind: 'subscription' as const, reference }];
  await there.post(eventOf('payment.succeeded', { references, payment: facts }));
  const [row] = await there.rows<{ id: string }>('payments', 'id');
  payment = row?.id ?? '';
});

const T0 = Date.UTC(2026, 2, 1);

function said(status: DisputeFacts['status'], at: number, members: Partial<DisputeFacts> = {}) {
  const dispute: DisputeFacts = {
    reference: 'dp_1',
    of: { kind: 'payment', reference: 'pi_d' },
    amount: 2900n,
    currency: 'USD',
    status,
    openedAt: null,
    reason: 'fraudulent',
    ...members,
  };
  return eventOf('dispute.changed', {
    references: [dispute.of],
    occurredAt: T0 + at * MINUTE_MS,
    dispute,
  });
}

/** Pays out the payment, less what its dispute has taken. */
function payoutLess(disputed: bigint) {
  const settlement = {
    reference: 'po_1',
    amount: 2900n - disputed,
    currency: 'USD',
    fees: 0n,
    periodStart: T0,
    periodEnd: T0 + MINUTE_MS,
    lines: [
      { kind: 'payment' as const, reference: 'pi_d', amount: 2900n, fee: 0n },
      { kind: 'dispute' as const, reference: 'dp_1', amount: -disputed, fee: 0n },
    ],
  };
  return eventOf('settlement.ready', { settlement });
}

async function shown(): Promise<Record<string, unknown>> {
  return (await there.operator.get(`/api/billing/payments/${payment}`)).body;
}
const refunds = () => there.rows('refunds', 'kind, status, amount', 'true ORDER BY id');
const disputeEvents = async (): Promise<unknown[]> => {
  const rows = await there.rows<{ status: string; data: Record<string, unknown> }>(
    'developer_events',
    'status, data',
    `type = 'PAYMENT_RECORDED' AND data->'dispute' IS NOT NULL ORDER BY sequence`,
  );
  return rows.map(({ status, data }) => [status, data['change']]);
};
const usd = (amount: string) => ({ amount, currency: 'USD' });

test('a disputed payment shows it; lost, its money is gone like a refund, and the subscription stays', async () => {
  const [before] = await there.rows('subscriptions', '*', `id = '${subscription}'`);
  await there.post(said('open', 0));
  expect(await shown()).toMatchObject({
    status: 'succeeded',
    refundableAmount: usd('2900'),
    dispute: {
      id: expect.stringMatching(/^dsp_/) as string,
      status: 'open',
      amount: usd('2900'),
      reason: 'fraudulent',
      openedAt: new Date(T0).toISOString(),
      decidedAt: null,
    },
  });
  await there.post(said('lost', 5));
  expect(await shown()).toMatchObject({
    refundedAmount: usd('2900'),
    refundableAmount: usd('0'),
    dispute: { status: 'lost', decidedAt: new Date(T0 + 5 * MINUTE_MS).toISOString() },
  });
  expect(await refunds()).toEqual([{ kind: 'dispute', status: 'succeeded', amount: '2900' }]);
  expect(await disputeEvents()).toEqual([
    ['ERROR', 'dispute_opened'],
    ['ERROR', 'dispute_lost'],
  ]);
  const [after] = await there.rows('subscriptions', '*', `id = '${subscription}'`);
  expect(after).toEqual(before);
  const listed = await there.operator.get('/api/billing/refunds', { query: { paymentId: payment } });
  expect(listed.body['data']).toMatchObject([{ kind: 'dispute', reason: 'Dispute: fraudulent' }]);
});

test('a dispute that is won takes nothing', async () => {
  await there.post(said('open', 0));
  await there.post(said('won', 5));
  expect(await refunds()).toEqual([]);
  expect(await shown()).toMatchObject({ refundableAmount: usd('2900'), dispute: { status: 'won' } });
  expect(await disputeEvents()).toEqual([
    ['ERROR', 'dispute_opened'],
    ['OK', 'dispute_won'],
  ]);
});

const three = [0, 1, 2];
const orders = three.flatMap((a) =>
  three.flatMap((b) => three.filter((c) => a !== b && b !== c && a !== c).map((c) => [a, b, c])),
);
test.each(orders)('the events in the order %i %i %i end in one state, each twice', async (...order) => {
  const events = [said('open', 0), said('lost', 5), said('won', 9)];
  for (const index of [...order, ...order]) await there.post(events[index] ?? null);
  expect(await shown()).toMatchObject({
    refundedAmount: usd('0'),
    dispute: { status: 'won', openedAt: new Date(T0).toISOString() },
  });
  expect((await refunds()).filter(({ status }) => status !== 'failed')).toEqual([]);
});

describe('one that was won, and on appeal is lost for a part', () => {
  const reported = { reportedAsRefund: true };
  const won = () => said('won', 5, reported);
  const part = () => said('lost', 9, { ...reported, amount: 1000n });
  const reversal = () => {
    const refund = refundOf('re_part', 'pi_d', { amount: 1000n });
    there.provider.refunds.set('re_part', refund);
    return eventOf('refund.changed', { refund, occurredAt: T0 + 8 * MINUTE_MS });
  };

  test.each([
    ['as it happened', [won, reversal, part]],
    ['the refund last', [won, part, reversal]],
    ['the appeal first', [part, won, reversal]],
    ['each twice', [won, part, won, reversal, part, reversal]],
  ])('takes that part, %s', async (_, events) => {
    await there.post(said('open', 0, reported));
    for (const event of events) await there.post(event());
    expect(await refunds()).toEqual([{ kind: 'dispute', status: 'succeeded', amount: '1000' }]);
    expect(await shown()).toMatchObject({
      refundedAmount: usd('1000'),
      dispute: { status: 'lost', amount: usd('1000'), decidedAt: new Date(T0 + 9 * MINUTE_MS).toISOString() },
    });
  });

  test('also where it had been lost for all of it before', async () => {
    await there.post(said('lost', 3, reported));
    for (const event of [won, part, reversal]) await there.post(event());
    expect(await refunds()).toEqual([
      { kind: 'refund', status: 'failed', amount: '2900' },
      { kind: 'dispute', status: 'succeeded', amount: '1000' },
    ]);
    expect(await shown()).toMatchObject({ refundedAmount: usd('1000'), dispute: { amount: usd('1000') } });
  });
});

test('a dispute of a payment that is not known yet is kept until it is', async () => {
  const early = said('lost', 5, { reference: 'dp_e', of: { kind: 'payment', reference: 'pi_e' } });
  const answer = await there.post(early);
  const kept = await there.operator.get(`/api/webhooks/${String(answer.body['eventId'])}`);
  expect(kept.body['status']).toBe('unmatched');
  const { reference } = await there.subscribe();
  const facts = paymentOf('pi_e', { subscriptionReference: reference });
  there.provider.payments.set('pi_e', facts);
  const references = [{ kind: 'subscription' as const, reference }];
  await there.post(eventOf('payment.succeeded', { references, payment: facts }));
  expect(await there.rows('disputes', 'reference, status')).toEqual([{ reference: 'dp_e', status: 'lost' }]);
  expect(await refunds()).toEqual([{ kind: 'dispute', status: 'succeeded', amount: '2900' }]);
});

describe('where the provider also reports a loss by a refund', () => {
  const lost = () => said('lost', 5, { reportedAsRefund: true });
  const reversal = () => {
    there.provider.refunds.set('re_d', refundOf('re_d', 'pi_d', { amount: 2900n }));
    const refund = refundOf('re_d', 'pi_d', { amount: 2900n });
    return eventOf('refund.changed', { refund, occurredAt: T0 + 4 * MINUTE_MS });
  };

  test.each([
    ['the refund first', [reversal, lost]],
    ['the loss first', [lost, reversal]],
    ['each twice', [reversal, lost, reversal, lost]],
  ])('they are one, %s', async (_, events) => {
    await there.post(said('open', 0, { reportedAsRefund: true }));
    for (const event of events) await there.post(event());
    expect(await refunds()).toEqual([{ kind: 'dispute', status: 'succeeded', amount: '2900' }]);
    expect(await there.rows('refunds', 'reason')).toEqual([{ reason: 'Dispute: fraudulent' }]);
  });

  test.each(orders)(
    'they are one in the order %i %i %i, also if the money was taken a moment before the dispute was opened',
    async (...order) => {
      const taken = () => {
        const refund = refundOf('re_d', 'pi_d', { amount: 2900n, createdAt: T0 - MINUTE_MS });
        there.provider.refunds.set('re_d', refund);
        return eventOf('refund.changed', { refund });
      };
      const events = [() => said('open', 0, { reportedAsRefund: true }), lostUnopened, taken];
      for (const index of order) await there.post(events[index]?.() ?? null);
      expect(await refunds()).toEqual([{ kind: 'dispute', status: 'succeeded', amount: '2900' }]);
    },
  );

  const lostUnopened = () => said('lost', 5, { reportedAsRefund: true, openedAt: T0 });
  test.each([
    ['the refund first', [reversal, lostUnopened]],
    ['the loss first', [lostUnopened, reversal]],
  ])('they are one, %s, also if the report of the opening was lost', async (_, events) => {
    for (const event of events) await there.post(event());
    expect(await refunds()).toEqual([{ kind: 'dispute', status: 'succeeded', amount: '2900' }]);
    expect(await shown()).toMatchObject({ dispute: { openedAt: new Date(T0).toISOString() } });
  });

  const appealed = () => [
    said('open', 0, { reportedAsRefund: true }),
    said('lost', 5, { reportedAsRefund: true, openedAt: T0 }),
    said('won', 9, { reportedAsRefund: true, openedAt: T0 }),
    reversal(),
  ];
  test.each([
    ['as it happened', [0, 3, 1, 2]],
    ['the refund last', [0, 1, 2, 3]],
    ['the appeal before the loss', [0, 2, 1, 3]],
    ['the appeal first, and the loss last', [2, 0, 3, 1]],
    ['the refund first, and the loss last', [3, 2, 1, 0]],
  ])('one that was won on appeal takes nothing, %s', async (_, order) => {
    const events = appealed();
    for (const index of [...order, ...order]) await there.post(events[index] ?? null);
    expect(await refunds()).toEqual([{ kind: 'dispute', status: 'failed', amount: '2900' }]);
    expect(await shown()).toMatchObject({ refundedAmount: usd('0'), dispute: { status: 'won' } });
  });

  test('a refund made after the dispute was won on appeal is another', async () => {
    const reported = { reportedAsRefund: true };
    for (const event of [said('open', 0, reported), lost(), said('won', 9, reported)])
      await there.post(event);
    const refund = refundOf('re_later', 'pi_d', { amount: 2900n, createdAt: T0 + 20 * MINUTE_MS });
    there.provider.refunds.set('re_later', refund);
    await there.post(eventOf('refund.changed', { refund }));
    expect(await refunds()).toEqual([
      { kind: 'dispute', status: 'failed', amount: '2900' },
      { kind: 'refund', status: 'succeeded', amount: '2900' },
    ]);
    expect(await shown()).toMatchObject({ refundedAmount: usd('2900') });
  });

  test('a refund that failed before the dispute, and is reported after the loss, is another', async () => {
    await there.post(said('open', 0, { reportedAsRefund: true }));
    await there.post(lost());
    const early = { amount: 2900n, status: 'failed' as const, createdAt: T0 - MINUTE_MS };
    const refund = refundOf('re_early', 'pi_d', early);
    there.provider.refunds.set('re_early', refund);
    await there.post(eventOf('refund.changed', { refund }));
    await there.post(reversal());
    expect(await refunds()).toEqual([
      { kind: 'dispute', status: 'succeeded', amount: '2900' },
      { kind: 'refund', status: 'failed', amount: '2900' },
    ]);
    expect(await shown()).toMatchObject({ refundedAmount: usd('2900'), dispute: { status: 'lost' } });
  });

  describe('and states only what was disputed, after a part had been refunded', () => {
    const refundedBefore = () => {
      const refund = refundOf('re_part', 'pi_d', { amount: 900n });
      there.provider.refunds.set('re_part', refund);
      return eventOf('refund.changed', { refund, occurredAt: T0 - 2 * DAY_MS });
    };
    const rest = () => {
      const refund = refundOf('re_rest', 'pi_d', { amount: 2000n });
      there.provider.refunds.set('re_rest', refund);
      return eventOf('refund.changed', { refund, occurredAt: T0 + 4 * MINUTE_MS });
    };

    test.each(orders)('the rest is taken, once, in the order %i %i %i, each twice', async (...order) => {
      const events = [refundedBefore, lost, rest];
      await there.post(said('open', 0, { reportedAsRefund: true }));
      for (const index of [...order, ...order]) await there.post(events[index]?.() ?? null);
      const counted = (await refunds()).filter(({ status }) => status !== 'failed');
      expect(counted).toHaveLength(2);
      expect(counted).toContainEqual({ kind: 'refund', status: 'succeeded', amount: '900' });
      expect(counted).toContainEqual({ kind: 'dispute', status: 'succeeded', amount: '2000' });
      expect(await shown()).toMatchObject({
        refundedAmount: usd('2900'),
        dispute: { status: 'lost', amount: usd('2000') },
      });
    });

    test('the rest is taken, also if the refund was requested here and is answered after the loss', async () => {
      const { provider, connection } = there;
      const scope = { workspaceId: there.workspace.workspaceId, environment: 'sandbox' } as const;
      const database = ours.service.open('tollgate_worker', 1);
      const within = (work: (trx: DbTransaction) => Promise<void>): Promise<void> =>
        inWorkspace(database, scope, 'SYSTEM', work);
      const id = newIdentifier('refund');
      const requested = { id, paymentId: payment, currency: 'USD', amount: 900n, reason: null };
      await within((trx) =>
        insertRefund(trx, scope, { ...requested, requestedAt: T0 - 2 * DAY_MS, nextWakeAt: null }),
      );
      await there.post(said('open', 0, { reportedAsRefund: true }));
      await there.post(lost());
      const result = {
        outcome: { kind: 'done' },
        facts: refundOf('re_own', 'pi_d', { amount: 900n }),
      } as const;
      const at = {
        reconciler,
        adapter: provider,
        connection: { scope, id: connection, provider: 'provider_a' },
      } as const;
      await within((trx) => recordRefundResult(trx, at, id, result, T0 + HOUR_MS));
      const counted = (await refunds()).filter(({ status }) => status !== 'failed');
      expect(counted).toEqual([
        { kind: 'refund', status: 'succeeded', amount: '900' },
        { kind: 'dispute', status: 'succeeded', amount: '2000' },
      ]);
    });

    test.each(orders)('the rest came back on appeal, in the order %i %i %i', async (...order) => {
      const events = [refundedBefore, lost, rest];
      await there.post(said('open', 0, { reportedAsRefund: true }));
      const appeal = said('won', 9, { reportedAsRefund: true });
      for (const index of order) {
        await there.post(events[index]?.() ?? null);
        if (index === 1) await there.post(appeal);
      }
      const counted = (await refunds()).filter(({ status }) => status !== 'failed');
      expect(counted).toEqual([{ kind: 'refund', status: 'succeeded', amount: '900' }]);
      expect(await shown()).toMatchObject({ refundedAmount: usd('900'), dispute: { status: 'won' } });
    });

    test('a refund made after the appeal was won does not change what had been taken', async () => {
      for (const status of ['open', 'lost', 'won'] as const)
        await there.post(said(status, { open: 0, lost: 5, won: 9 }[status], { reportedAsRefund: true }));
      const refund = refundOf('re_later', 'pi_d', { amount: 900n, createdAt: T0 + 20 * MINUTE_MS });
      there.provider.refunds.set('re_later', refund);
      await there.post(eventOf('refund.changed', { refund }));
      expect(await refunds()).toEqual([
        { kind: 'dispute', status: 'failed', amount: '2900' },
        { kind: 'refund', status: 'succeeded', amount: '900' },
      ]);
    });

    test('two disputes that state more than was left take what was left', async () => {
      const reported = { reportedAsRefund: true };
      const parts = ['re_1', 're_2'].map((reference) => {
        const refund = refundOf(reference, 'pi_d', { amount: 1000n });
        there.provider.refunds.set(reference, refund);
        return eventOf('refund.changed', { refund, occurredAt: T0 + 6 * MINUTE_MS });
      });
      await there.post(refundedBefore());
      await there.post(said('lost', 5, { ...reported, openedAt: T0, amount: 1900n }));
      await there.post(said('lost', 5, { ...reported, openedAt: T0, amount: 1000n, reference: 'dp_2' }));
      for (const part of parts) await there.post(part);
      expect(await shown()).toMatchObject({ refundedAmount: usd('2900') });
    });

    test('a payout that took the rest counts it once the loss is corrected', async () => {
      await there.post(lost());
      await there.post(payoutLess(2000n));
      await there.post(refundedBefore());
      expect(await there.rows('settlements', 'paid, refunded, net, unmatched')).toEqual([
        { paid: '2900', refunded: '2000', net: '900', unmatched: '0' },
      ]);
    });

    test('the loss that is withdrawn says why, and no money came back', async () => {
      await there.post(said('open', 0, { reportedAsRefund: true }));
      await there.post(lost());
      await there.post(refundedBefore());
      const [withdrawn] = await there.rows<{ message: string }>(
        'developer_events',
        'message',
        `type = 'REFUND_RECORDED' AND status = 'ERROR'`,
      );
      expect(withdrawn?.message).toMatch(
        /^The loss of 29\.00 USD of pay_\w+ in a dispute by .+ no longer counts\. The dispute did not take this amount/,
      );
    });
  });

  test('a refund from days before the dispute is another', async () => {
    const refund = refundOf('re_old', 'pi_d', { amount: 2900n });
    there.provider.refunds.set('re_old', refund);
    await there.post(eventOf('refund.changed', { refund, occurredAt: T0 - 2 * DAY_MS }));
    await there.post(said('open', 0, { reportedAsRefund: true }));
    await there.post(lost());
    expect(await refunds()).toHaveLength(2);
  });
});

test('a payout that took a disputed amount counts it once the dispute is lost', async () => {
  await there.post(said('open', 0));
  await there.post(payoutLess(2900n));
  const settled = () => there.rows('settlements', 'paid, refunded, net, unmatched');
  expect(await settled()).toEqual([{ paid: '2900', refunded: '0', net: '0', unmatched: '-2900' }]);
  await there.post(said('lost', 5));
  expect(await settled()).toEqual([{ paid: '2900', refunded: '2900', net: '0', unmatched: '0' }]);
});

test('a dispute in another currency is recorded, and takes nothing of the payment', async () => {
  const answer = await there.post(said('lost', 5, { currency: 'EUR', amount: 2500n }));
  expect(await refunds()).toEqual([]);
  const stored = await there.operator.get(`/api/webhooks/${String(answer.body['eventId'])}`);
  expect(stored.body['reason']).toMatch(/is in EUR, so it does not reduce pay_\w+/);
});

test('another connection’s payment is not disputed by this one’s webhook', async () => {
  const other = await ours.another();
  const answer = await other.post(said('lost', 5));
  const stored = await other.operator.get(`/api/webhooks/${String(answer.body['eventId'])}`);
  expect(stored.body['status']).toBe('unmatched');
  expect(await refunds()).toEqual([]);
});
