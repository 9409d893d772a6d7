import { Client } from 'pg';
import { DAY_MS } from '../../src/domain/instant';
import { untilLockWaits } from '../support/lock-waits';
import { useStarted } from '../support/use-started';
import { ageConnection, collect, CollectedPayouts, payoutOf } from './collected-payouts';
import { eventOf } from './fake-provider';
import { paymentOf, refundOf, WebhookWorkspace } from './webhook-workspace';

/** Payments that become known while a payout that names them is being recorded. */
const ours = useStarted(() => WebhookWorkspace.start());
let payouts: CollectedPayouts;
beforeAll(() => {
  payouts = new CollectedPayouts(ours.provider);
});
let there: WebhookWorkspace;
beforeEach(async () => {
  there = await ours.another();
  payouts.listed = [];
});
// A connection that a failed test still holds would keep the service from stopping.
afterEach(() => holding?.end());

let holding: Client | undefined;

async function unmatched(): Promise<string[]> {
  const rows = await there.rows<{ unmatched: string }>('settlements', 'unmatched');
  return rows.map((row) => row.unmatched);
}

/**
 * Holds a payment's webhook after it has read the payouts that name the payment and before it commits; `end` releases
 * it.
 */
async function holdPayment(name: string) {
  const { reference } = await there.subscribe();
  const refund = refundOf(`re_${name}`, `pi_${name}`);
  there.provider.refunds.set(`re_${name}`, refund);
  const early = await there.post(eventOf('refund.changed', { refund }));
  const other = new Client({ connectionString: there.service.database.adminUrl });
  holding = other;
  await other.connect();
  await other.query('BEGIN');
  // The payment's webhook blocks on the first of the events that wait for it.
  await other.query('SELECT FROM tollgate.webhook_events WHERE id = $1 FOR UPDATE', [early.body['eventId']]);
  const payment = paymentOf(`pi_${name}`, { subscriptionReference: reference });
  there.provider.payments.set(payment.reference, payment);
  const references = [{ kind: 'subscription' as const, reference }];
  const answer = there.post(eventOf('payment.succeeded', { references, payment }));
  await untilLockWaits(there.service.database);
  return async () => {
    await other.query('COMMIT');
    expect((await answer).status).toBe(200);
  };
}

test('a payout whose webhook comes beside its payment’s counts it with the next collection', async () => {
  const end = await holdPayment('told');
  const settlement = payoutOf('told', Date.now() - 60_000, ['pi_told']);
  const references = [{ kind: 'payout' as const, reference: settlement.reference }];
  await there.post(eventOf('settlement.ready', { references, settlement }));
  await end();
  expect(await unmatched()).toEqual(['2900']);
  payouts.listed.push(settlement);
  expect(await collect(there)).toMatchObject({ status: 'collected', recorded: 0, changed: 1 });
  expect(await unmatched()).toEqual(['0']);
});

test('a payout that is collected beside its payment’s webhook counts it, also where none lists it again', async () => {
  await ageConnection(there);
  const end = await holdPayment('collected');
  payouts.listed.push(payoutOf('collected', Date.now() - 30 * DAY_MS, ['pi_collected']));
  const collected = collect(there);
  await untilLockWaits(there.service.database, 2);
  await end();
  expect(await collected).toMatchObject({ status: 'collected', recorded: 1 });
  expect(await unmatched()).toEqual(['0']);
});

test('a payout that is reported again beside the webhook of a late payment keeps counting it', async () => {
  const settlement = payoutOf('again', Date.now() - 60_000, ['pi_again']);
  const references = [{ kind: 'payout' as const, reference: settlement.reference }];
  const report = () => there.post(eventOf('settlement.ready', { references, settlement }));
  await report();
  const end = await holdPayment('again');
  const reported = report();
  await untilLockWaits(there.service.database, 2);
  await end();
  expect((await reported).status).toBe(200);
  expect(await unmatched()).toEqual(['0']);
});

test('a late payment of a payout does not wait for the others that it counts', async () => {
  const { reference } = await there.subscribe();
  const pay = (name: string) => {
    const payment = paymentOf(name, { subscriptionReference: reference });
    there.provider.payments.set(name, payment);
    const references = [{ kind: 'subscription' as const, reference }];
    return there.post(eventOf('payment.succeeded', { references, payment }));
  };
  await pay('pi_counted');
  const settlement = payoutOf('both', Date.now() - 60_000, ['pi_counted', 'pi_late']);
  const references = [{ kind: 'payout' as const, reference: settlement.reference }];
  await there.post(eventOf('settlement.ready', { references, settlement }));
  const other = new Client({ connectionString: there.service.database.adminUrl });
  holding = other;
  await other.connect();
  // A refund of it holds its row, and will need the payout.
  await other.query("BEGIN; SELECT FROM tollgate.payments WHERE reference = 'pi_counted' FOR UPDATE");
  expect((await pay('pi_late')).status).toBe(200);
  expect(await unmatched()).toEqual(['0']);
});
