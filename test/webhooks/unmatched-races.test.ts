import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { findUnmatched } from '../../src/webhooks/webhook-list-store';
import { untilLockWaits } from '../support/lock-waits';
import { useStarted } from '../support/use-started';
import { eventOf } from './fake-provider';
import { paymentOf, refundOf, WebhookWorkspace, type Answer } from './webhook-workspace';

const ours = useStarted(() => WebhookWorkspace.start());

/** Sends a refund as the provider does: again if it is not accepted. */
async function sendRefund(reference: string, payment: string): Promise<Answer> {
  const refund = refundOf(reference, payment);
  ours.provider.refunds.set(reference, refund);
  const event = eventOf('refund.changed', { refund });
  const answer = await ours.post(event);
  return answer.status === 200 ? answer : ours.post(event);
}

async function sendPayment(payment: string, subscription: string): Promise<Answer> {
  const facts = paymentOf(payment, { subscriptionReference: subscription });
  ours.provider.payments.set(payment, facts);
  const references = [{ kind: 'subscription' as const, reference: subscription }];
  return ours.post(eventOf('payment.succeeded', { references, payment: facts }));
}

const refundsOf = (payment: string) =>
  ours.rows(
    'refunds',
    'status',
    `payment_id IN (SELECT id FROM tollgate.payments WHERE reference = '${payment}')`,
  );

test('a refund that comes while its payment is being recorded is not kept for a payment that has come', async () => {
  const { reference } = await ours.subscribe();
  const early = await sendRefund('re_early', 'pi_slow');
  const other = new Client({ connectionString: ours.service.database.adminUrl });
  await other.connect();
  await other.query('BEGIN');
  // The payment has read the events that wait for it and blocks on the first of them.
  await other.query('SELECT FROM tollgate.webhook_events WHERE id = $1 FOR UPDATE', [early.body['eventId']]);
  const payment = sendPayment('pi_slow', reference);
  await untilLockWaits(ours.service.database);
  const late = sendRefund('re_late', 'pi_slow');
  await Promise.race([late, setTimeout(300)]);
  await other.query('COMMIT');
  await other.end();
  expect((await payment).status).toBe(200);
  await late;
  expect(await refundsOf('pi_slow')).toEqual([{ status: 'succeeded' }, { status: 'succeeded' }]);
  expect(await ours.rows('webhook_events', 'event_type', "status = 'unmatched'")).toEqual([]);
});

test('payments and their refunds that come at the same moment are all recorded', async () => {
  const { reference } = await ours.subscribe();
  const payments = Array.from({ length: 20 }, (_, index) => `pi_same_${index}`);
  for (const payment of payments) {
    await Promise.all([sendPayment(payment, reference), sendRefund(`re_${payment}`, payment)]);
  }
  for (const payment of payments) expect(await refundsOf(payment)).toEqual([{ status: 'succeeded' }]);
});

test('a refund is kept also where its own webhook makes known what it waits for', async () => {
  const { reference } = await ours.subscribe();
  const customer = { kind: 'customer' as const, reference: `cus_of_${reference}` };
  ours.say(reference, { customerReference: customer.reference });
  // Nothing was due, so no payment is recorded that the refund could belong to.
  const nothing = paymentOf('pi_nothing', { amount: 0n, subscriptionReference: reference });
  ours.provider.payments.set(nothing.reference, nothing);
  const waiting = await ours.post(
    eventOf('payment.succeeded', { references: [customer], payment: paymentOf('pi_waits') }),
  );
  const refund = refundOf('re_nothing', nothing.reference);
  ours.provider.refunds.set(refund.reference ?? '', refund);
  const references = [
    { kind: 'subscription' as const, reference },
    { kind: 'payment' as const, reference: 'pi_waits' },
  ];
  const answer = await ours.post(eventOf('refund.changed', { references, refund }));
  expect(answer.status).toBe(200);
  const status = async (id: unknown) =>
    (await ours.rows('webhook_events', 'status', `id = '${String(id)}'`))[0];
  expect(await status(waiting.body['eventId'])).toEqual({ status: 'applied' });
  expect(await status(answer.body['eventId'])).toEqual({ status: 'unmatched' });
});

test('of many webhooks that match nothing, the newest are searched for a reference', async () => {
  const early: unknown[] = [];
  for (const refund of ['re_first', 're_second', 're_third'])
    early.push((await sendRefund(refund, 'pi_unknown')).body['eventId']);
  const database = ours.service.open('tollgate_app', 1);
  const scope = { workspaceId: ours.workspace.workspaceId, environment: 'sandbox' } as const;
  const found = (searched: number) =>
    inWorkspace(database, scope, 'SYSTEM', async (trx) => {
      const rows = await findUnmatched(trx, { scope, id: ours.connection }, 'pi_unknown', 100, searched);
      return rows.map(({ id }) => id);
    });
  expect(await found(3)).toEqual(early);
  expect(await found(2)).toEqual(early.slice(1));
});
