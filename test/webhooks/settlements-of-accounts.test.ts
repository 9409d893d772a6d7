import { DAY_MS, HOUR_MS } from '../../src/domain/instant';
import type { SettlementFacts, SettlementLineFacts } from '../../src/providers/canonical-event';
import { connect, fakeSecret } from '../connections/connection-calls';
import { collect, CollectedPayouts } from './collected-payouts';
import { eventOf } from './fake-provider';
import { paymentOf, WebhookWorkspace } from './webhook-workspace';
import { useStarted } from '../support/use-started';

/** Settlements of an account with several connections, and of a connection that has led to several accounts. */
const ours = useStarted(() => WebhookWorkspace.start());
let there: WebhookWorkspace;
/** Another connection to the same account. */
let second: { connection: string; secret: string };
beforeEach(async () => {
  there = await ours.another();
  const secret = fakeSecret('whsec_');
  const secrets = { secretKey: fakeSecret('sk_test_'), webhookSecret: secret };
  second = { connection: await connect(there.operator, { secrets }), secret };
});

/** A time after everything here was received. */
const END = Date.now() + HOUR_MS;

/** Records a payment of 29.00 USD through a connection. */
async function paid(reference: string, sending: { connection?: string; secret?: string } = {}) {
  const { references, payment } = await collected(reference, sending.connection);
  await there.post(eventOf('payment.succeeded', { references, payment }), sending);
}

/** Has the provider collect a payment of 29.00 USD for a connection's subscription. */
async function collected(reference: string, connection = there.connection) {
  const subscription = `sub_of_${reference}`;
  const { id } = await there.subscribe();
  await there.refer('subscription', subscription, id, connection);
  there.say(subscription, {});
  const payment = paymentOf(reference, { subscriptionReference: subscription });
  there.provider.payments.set(reference, payment);
  return { references: [{ kind: 'subscription' as const, reference: subscription }], payment };
}

const lineOf = (reference: string): SettlementLineFacts => ({
  kind: 'payment',
  reference,
  amount: 2900n,
  fee: 0n,
});

function payoutOf(reference: string, payments: string[], members: Partial<SettlementFacts> = {}) {
  const settlement = {
    reference,
    amount: 2900n * BigInt(payments.length),
    currency: 'USD',
    fees: 0n,
    periodStart: END - DAY_MS,
    periodEnd: END,
    lines: payments.map(lineOf),
    ...members,
  };
  return {
    ...eventOf('settlement.ready', { references: [{ kind: 'payout', reference }], settlement }),
    settlement,
  };
}

async function settlements(): Promise<Record<string, unknown>[]> {
  const answer = await there.operator.get('/api/billing/settlements');
  return answer.body['data'] as Record<string, unknown>[];
}
const usd = (amount: string) => ({ amount, currency: 'USD' });

test('a payout that two connections to one account report is recorded once, with the payments of both', async () => {
  await paid('pi_first');
  await paid('pi_second', second);
  const payout = () => payoutOf('po_shared', ['pi_first', 'pi_second', 'pi_late']);
  await there.post(payout());
  await there.post(payout(), second);
  await paid('pi_late', second);
  expect(await settlements()).toMatchObject([
    {
      connectionId: there.connection,
      paid: usd('8700'),
      net: usd('8700'),
      unmatchedAmount: usd('0'),
      difference: null,
    },
  ]);
  await there.post(payoutOf('po_shared', ['pi_first'], { status: 'failed' }), second);
  expect(await settlements()).toMatchObject([{ status: 'failed' }]);
});

test('a payout that both connections report at once is recorded once', async () => {
  for (const round of [1, 2, 3, 4]) {
    await Promise.all([
      there.post(payoutOf(`po_${round}`, [])),
      there.post(payoutOf(`po_${round}`, []), second),
    ]);
  }
  expect(await settlements()).toHaveLength(4);
});

test('its payments whose webhooks were lost are imported, whichever connection they belong to', async () => {
  const payouts = new CollectedPayouts(there.provider);
  await collected('pi_lost_first');
  await collected('pi_lost_second', second.connection);
  const { settlement } = payoutOf('po_lost', ['pi_lost_first', 'pi_lost_second'], {
    periodEnd: Date.now() - 60_000,
  });
  payouts.listed = [settlement];
  await collect(there);
  expect(await settlements()).toMatchObject([{ paid: usd('5800'), unmatchedAmount: usd('0') }]);
});

describe('a reference that was generated here', () => {
  const day = (account: string, ...payments: string[]) =>
    payoutOf('report-day', payments, { accountReference: `report-day-${account}` });

  test('keeps the settlement of the account that the connection led to before', async () => {
    await paid('pi_old');
    await there.post(day('old', 'pi_old'));
    await there.post(day('new', 'pi_new_1'));
    await there.post(day('new', 'pi_new_1', 'pi_new_2'));
    await there.post(day('old', 'pi_old'));
    expect(await settlements()).toMatchObject([
      { reference: 'report-day-new', paid: usd('0'), net: usd('5800') },
      { reference: 'report-day', paid: usd('2900'), net: usd('2900'), difference: null },
    ]);
  });

  test('keeps it also if the other account has only fees on that day', async () => {
    await paid('pi_before');
    await there.post(day('old', 'pi_before'));
    const fees = () =>
      payoutOf('report-day', [], { amount: -100n, fees: 100n, accountReference: 'report-day-new' });
    await there.post(fees());
    await there.post(fees());
    expect(await settlements()).toMatchObject([
      { reference: 'report-day-new', net: usd('-100') },
      { reference: 'report-day', paid: usd('2900'), net: usd('2900'), difference: null },
    ]);
  });

  test('is recorded once for one account, and once for each of two', async () => {
    await there.post(day('one', 'pi_one'));
    await there.post(day('one', 'pi_one'), second);
    await there.post(day('two', 'pi_two'), second);
    expect(await settlements()).toMatchObject([
      { reference: 'report-day', connectionId: second.connection, net: usd('2900') },
      { reference: 'report-day', connectionId: there.connection, net: usd('2900') },
    ]);
  });
});
