import { Client } from 'pg';
import type { PaymentFacts } from '../../src/providers/canonical-event';
import { untilLockWaits } from '../support/lock-waits';
import { useStarted } from '../support/use-started';
import { eventOf } from './fake-provider';
import { NEXT_END, PERIOD_END, paymentOf, refundOf, WebhookWorkspace } from './webhook-workspace';

const ours = useStarted(() => WebhookWorkspace.start());

const about = (reference: string) => [{ kind: 'subscription' as const, reference }];

async function rowOf(id: string): Promise<Record<string, unknown>> {
  const [row] = await ours.rows('subscriptions', '*', `id = '${id}'`);
  return row ?? {};
}

test('the provider’s facts are written: the period and whether it renews, never the plan or the seats', async () => {
  const { id, reference } = await ours.subscribe();
  const before = await rowOf(id);
  ours.say(reference, {
    currentPeriodStart: PERIOD_END,
    currentPeriodEnd: NEXT_END,
    cancelAtPeriodEnd: true,
    quantity: 7,
    planReference: 'price_other',
  });
  const answer = await ours.post(eventOf('subscription.changed', { references: about(reference) }));
  expect(answer.body).toEqual({ received: true, eventId: expect.stringMatching(/^whk_/) as string });
  expect(await rowOf(id)).toMatchObject({
    current_period_start: PERIOD_END,
    current_period_end: NEXT_END,
    cancel_at_period_end: true,
    seats: before['seats'],
    plan_id: before['plan_id'],
    status: 'active',
    version: '2',
  });
  const [event] = await ours.events('OK');
  expect(event).toMatchObject({ source: 'provider_a', data: { webhookId: answer.body['eventId'] } });
  const jobs = await ours.service.database.query(
    `SELECT payload FROM graphile_worker._private_jobs WHERE payload->>'subscriptionId' = $1`,
    [id],
  );
  expect(jobs).toHaveLength(1);
  expect((await rowOf(id))['next_wake_at']).not.toBeNull();
});

test('an event is a hint: the provider is asked, and an old event changes nothing', async () => {
  const { id, reference } = await ours.subscribe();
  const old = eventOf('subscription.ended', {
    references: about(reference),
    subscription: { ...factsBefore(reference), status: 'cancelled' },
  });
  await ours.post(old);
  expect(await rowOf(id)).toMatchObject({ status: 'active', version: '1' });
});

function factsBefore(reference: string) {
  const facts = ours.provider.subscriptions.get(reference);
  if (facts === undefined) throw new Error('The provider does not know it.');
  return facts;
}

test('a row that changes while the provider is asked makes it be asked again', async () => {
  const { id, reference } = await ours.subscribe();
  let changed = 0;
  ours.provider.reads.length = 0;
  ours.provider.meanwhile = async () => {
    if (changed > 0) return;
    changed += 1;
    await ours.service.database.query(
      'UPDATE tollgate.subscriptions SET version = version + 1 WHERE id = $1',
      [id],
    );
    ours.say(reference, { cancelAtPeriodEnd: true });
  };
  const answer = await ours.post(eventOf('subscription.changed', { references: about(reference) }));
  ours.provider.meanwhile = null;
  expect(answer.status).toBe(200);
  expect(ours.provider.reads).toEqual([`subscription ${reference}`, `subscription ${reference}`]);
  expect(await rowOf(id)).toMatchObject({ cancel_at_period_end: true, version: '3' });
});

test('no period end that the provider leaves out is taken over, and no period that runs backwards', async () => {
  const { id, reference } = await ours.subscribe();
  ours.say(reference, { currentPeriodEnd: null, cancelAtPeriodEnd: true });
  await ours.post(eventOf('subscription.not_renewing', { references: about(reference) }));
  expect(await rowOf(id)).toMatchObject({ current_period_end: PERIOD_END, cancel_at_period_end: true });
  ours.say(reference, { currentPeriodStart: NEXT_END, currentPeriodEnd: PERIOD_END });
  await ours.post(eventOf('subscription.changed', { references: about(reference) }));
  expect(await rowOf(id)).toMatchObject({ current_period_end: PERIOD_END });
});

test('a failed payment makes it past due and the next one active again; what has ended is not revived', async () => {
  const { id, reference } = await ours.subscribe();
  const failedAt = PERIOD_END + 1_000;
  ours.say(reference, { status: 'past_due', currentPeriodStart: PERIOD_END, currentPeriodEnd: NEXT_END });
  await ours.post(eventOf('subscription.changed', { references: about(reference) }));
  await ours.post(eventOf('invoice.failed', { references: about(reference), occurredAt: failedAt }));
  expect(await rowOf(id)).toMatchObject({ status: 'past_due', past_due_since: failedAt });
  ours.say(reference, { status: 'active' });
  await ours.post(eventOf('invoice.paid', { references: about(reference) }));
  expect(await rowOf(id)).toMatchObject({ status: 'active', past_due_since: null });
  ours.say(reference, { status: 'cancelled' });
  await ours.post(eventOf('subscription.ended', { references: about(reference) }));
  ours.say(reference, { status: 'active' });
  const late = await ours.post(eventOf('subscription.changed', { references: about(reference) }));
  expect(await rowOf(id)).toMatchObject({ status: 'cancelled' });
  const stored = await ours.operator.get(`/api/webhooks/${String(late.body['eventId'])}`);
  expect(stored.body['reason']).toMatch(/stays ended/);
});

test('a renewal’s payment is recorded once, whichever of its names comes, and settles what is open', async () => {
  const { id, reference } = await ours.subscribe();
  const payment = paymentOf('pi_1', { subscriptionReference: reference, invoiceReference: 'in_1' });
  ours.provider.payments.set('pi_1', payment);
  const references = [...about(reference), { kind: 'charge' as const, reference: 'ch_1' }];
  await ours.post(eventOf('payment.succeeded', { references, payment }));
  await ours.post(eventOf('invoice.paid', { references: [{ kind: 'invoice', reference: 'in_1' }], payment }));
  const charge = { ...payment, kind: 'charge' as const, reference: 'ch_1' };
  ours.provider.payments.set('ch_1', charge);
  await ours.post(eventOf('payment.succeeded', { payment: charge }));
  const payments = await ours.rows('payments', '*', `subscription_id = '${id}'`);
  expect(payments).toHaveLength(1);
  expect(payments[0]).toMatchObject({ amount: '2900', status: 'succeeded', provider: 'provider_a' });
});

test.each(['failed', 'pending'] as const)(
  'a payment that is %s and then comes in another amount has the amount that came, for good',
  async (status) => {
    const { id, reference } = await ours.subscribe();
    const invoice = `in_${status}`;
    const tell = async (type: 'invoice.failed' | 'invoice.paid', facts: Partial<PaymentFacts>) => {
      const names = { kind: 'invoice' as const, invoiceReference: invoice, subscriptionReference: reference };
      const payment = paymentOf(invoice, { ...names, ...facts });
      ours.provider.payments.set(invoice, payment);
      return ours.post(eventOf(type, { references: about(reference), payment }));
    };
    await tell('invoice.failed', { status, amount: 2900n });
    await tell('invoice.failed', { status: 'pending', amount: 2500n });
    const paid = await tell('invoice.paid', { amount: 2000n });
    const other = await tell('invoice.paid', { amount: 2900n });
    await tell('invoice.failed', { status: 'failed', amount: 2900n });
    const payments = await ours.rows('payments', 'status, amount', `subscription_id = '${id}'`);
    expect(payments).toEqual([{ status: 'succeeded', amount: '2000' }]);
    const stored = await ours.operator.get(`/api/webhooks/${String(paid.body['eventId'])}`);
    expect(stored.body['changes']).toContainEqual(
      expect.objectContaining({ field: 'amount', from: '2900', to: '2000' }),
    );
    const kept = await ours.operator.get(`/api/webhooks/${String(other.body['eventId'])}`);
    expect(kept.body['reason']).toMatch(
      /^The provider reports 29\.00 USD for pay_\w+; the stored amount is kept\.$/,
    );
  },
);

test('an invoice that is paid in two equal parts has two payments', async () => {
  const { id, reference } = await ours.subscribe();
  const tell = async (name: string) => {
    const of = { subscriptionReference: reference, invoiceReference: 'in_parts', amount: 1450n };
    const payment = paymentOf(name, of);
    ours.provider.payments.set(name, payment);
    await ours.post(eventOf('payment.succeeded', { references: about(reference), payment }));
  };
  for (const name of ['pi_part_1', 'pi_part_2', 'pi_part_1', 'pi_part_2']) await tell(name);
  expect(await ours.rows('payments', 'amount', `subscription_id = '${id}'`)).toEqual([
    { amount: '1450' },
    { amount: '1450' },
  ]);
});

test('the parts of an invoice whose whole amount was recorded under its own name are no further payments', async () => {
  const { id, reference } = await ours.subscribe();
  const of = { subscriptionReference: reference, invoiceReference: 'in_whole' };
  const whole = paymentOf('in_whole', { ...of, kind: 'invoice', amount: 2900n });
  const parts = [
    paymentOf('pi_rest', { ...of, amount: 900n }),
    paymentOf('pr_elsewhere', { ...of, amount: 2000n }),
  ];
  for (const payment of [whole, ...parts]) {
    ours.provider.payments.set(payment.reference, payment);
    await ours.post(eventOf('invoice.paid', { references: about(reference), payment }));
  }
  expect(await ours.rows('payments', 'amount', `subscription_id = '${id}'`)).toEqual([{ amount: '2900' }]);
});

test('a payment that paid a second invoice is no further one if the first was recorded under its own name', async () => {
  const { id, reference } = await ours.subscribe();
  const of = { subscriptionReference: reference, invoiceReference: 'in_first' };
  const whole = paymentOf('in_first', { ...of, kind: 'invoice', amount: 2900n });
  const ofBoth = paymentOf('pi_both', { ...of, amount: 5800n });
  for (const payment of [whole, ofBoth, { ...ofBoth, invoiceReference: 'in_second' }]) {
    ours.provider.payments.set(payment.reference, payment);
    await ours.post(eventOf('invoice.paid', { references: about(reference), payment }));
  }
  expect(await ours.rows('payments', 'amount', `subscription_id = '${id}'`)).toEqual([{ amount: '2900' }]);
});

test.each([
  ['before', ['pi_half_1', 'pi_half_2']],
  ['after', ['pi_half_2', 'pi_half_1']],
] as const)(
  'an invoice of which one half is paid, %s the other half fails and is paid later, has two payments',
  async (when, order) => {
    const { id, reference } = await ours.subscribe();
    const tell = async (name: string, type: 'payment.succeeded' | 'payment.failed') => {
      const status = type === 'payment.failed' ? ('failed' as const) : ('succeeded' as const);
      const of = { subscriptionReference: reference, invoiceReference: `in_${when}`, amount: 1450n, status };
      const payment = paymentOf(`${name}_${when}`, of);
      ours.provider.payments.set(payment.reference, payment);
      await ours.post(eventOf(type, { references: about(reference), payment }));
    };
    const recorded = () => ours.rows('payments', 'status', `subscription_id = '${id}'`);
    for (const name of order) await tell(name, name === 'pi_half_1' ? 'payment.succeeded' : 'payment.failed');
    expect(await recorded()).toEqual(expect.arrayContaining([{ status: 'succeeded' }, { status: 'failed' }]));
    await tell('pi_half_2', 'payment.succeeded');
    expect(await recorded()).toEqual([{ status: 'succeeded' }, { status: 'succeeded' }]);
  },
);

test('two equal partial refunds are two, each once; one of a payment not seen yet brings its payment', async () => {
  const { id, reference } = await ours.subscribe();
  ours.provider.payments.set('pi_r', paymentOf('pi_r', { subscriptionReference: reference }));
  for (const name of ['re_1', 're_2']) ours.provider.refunds.set(name, refundOf(name, 'pi_r'));
  const event = (name: string) =>
    eventOf('refund.changed', { references: about(reference), refund: refundOf(name, 'pi_r') });
  const answers = [];
  for (const name of ['re_1', 're_2', 're_1']) answers.push(await ours.post(event(name)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const [payment] = await ours.rows<{ id: string }>('payments', 'id', `subscription_id = '${id}'`);
  const refunds = await ours.rows('refunds', 'amount, status', `payment_id = '${payment?.id ?? ''}'`);
  expect(refunds).toEqual([
    { amount: '500', status: 'succeeded' },
    { amount: '500', status: 'succeeded' },
  ]);
});

test('a refund above the payment is recorded; one that had succeeded may still fail', async () => {
  const { reference } = await ours.subscribe();
  ours.provider.payments.set('pi_o', paymentOf('pi_o', { subscriptionReference: reference }));
  const facts = refundOf('re_over', 'pi_o', { amount: 4000n });
  ours.provider.refunds.set('re_over', facts);
  const send = () => ours.post(eventOf('refund.changed', { references: about(reference), refund: facts }));
  expect((await send()).status).toBe(200);
  ours.provider.refunds.set('re_over', { ...facts, status: 'failed' });
  await send();
  expect(await ours.rows('refunds', 'status', 'amount = 4000')).toEqual([{ status: 'failed' }]);
});

test('an order’s id never leads a refund to its payment', async () => {
  const { reference } = await ours.subscribe();
  ours.provider.payments.set(
    'cap_1',
    paymentOf('cap_1', { kind: 'capture', subscriptionReference: reference }),
  );
  const references = [...about(reference), { kind: 'order' as const, reference: 'ord_1' }];
  const captured = { references, payment: paymentOf('cap_1', { kind: 'capture' }) };
  await ours.post(eventOf('payment.succeeded', captured));
  const byOrder = refundOf('re_ord', 'ord_1', { of: { kind: 'order', reference: 'ord_1' } });
  ours.provider.refunds.set('re_ord', byOrder);
  ours.provider.payments.set('ord_1', paymentOf('ord_1', { kind: 'order' }));
  const answer = await ours.post(eventOf('refund.changed', { references, refund: byOrder }));
  const stored = await ours.operator.get(`/api/webhooks/${String(answer.body['eventId'])}`);
  expect(stored.body).toMatchObject({ status: 'unmatched', applied: false });
  expect(await ours.rows('provider_references', 'reference', `reference = 're_ord'`)).toEqual([]);
});

describe('a checkout', () => {
  /** Creates an incomplete subscription with its checkout, known at the provider as `checkout`. */
  async function checkout(row: Record<string, unknown> = {}): Promise<{ id: string; checkout: string }> {
    const { id, reference, customerId } = await ours.subscribe({ status: 'incomplete', ...row });
    await ours.rows('provider_references');
    await ours.service.database.query('DELETE FROM tollgate.provider_references WHERE reference = $1', [
      reference,
    ]);
    const checkoutId = `chk_of_${id}`;
    await ours.service.database.query(
      `INSERT INTO tollgate.checkouts (workspace_id, environment, id, customer_id, subscription_id, provider, connection_id, status, expires_at, created_at, updated_at)
       VALUES ($1, 'sandbox', $2, $3, $4, 'provider_a', $5, 'open', now() + interval '1 day', now(), now())`,
      [ours.workspace.workspaceId, checkoutId, customerId, id, ours.connection],
    );
    const name = `cs_of_${id}`;
    await ours.refer('checkout', name, checkoutId);
    return { id, checkout: name };
  }

  test('that is complete starts its subscription in the provider’s period, and ties its references', async () => {
    const { id, checkout: name } = await checkout();
    const reference = `sub_ref_${id}`;
    ours.say(reference, {
      currentPeriodStart: PERIOD_END,
      currentPeriodEnd: NEXT_END,
      customerReference: `cus_ref_${id}`,
    });
    const references = [{ kind: 'checkout' as const, reference: name }, ...about(reference)];
    await ours.post(eventOf('checkout.completed', { references }));
    expect(await rowOf(id)).toMatchObject({
      status: 'active',
      started_at: PERIOD_END,
      current_period_end: NEXT_END,
      incomplete_until: null,
    });
    expect(await ours.rows('checkouts', 'status', `subscription_id = '${id}'`)).toEqual([
      { status: 'complete' },
    ]);
    const tied = await ours.rows(
      'provider_references',
      'kind',
      `reference IN ('${reference}', 'cus_ref_${id}')`,
    );
    expect(tied.map(({ kind }) => kind).sort()).toEqual(['customer', 'subscription']);
  });

  test('that is expired ends its subscription', async () => {
    const { id, checkout: name } = await checkout();
    await ours.post(eventOf('checkout.expired', { references: [{ kind: 'checkout', reference: name }] }));
    expect(await rowOf(id)).toMatchObject({ status: 'expired' });
    expect(await ours.rows('checkouts', 'status', `subscription_id = '${id}'`)).toEqual([
      { status: 'expired' },
    ]);
  });

  test('beside an open subscription of the plan group is not started, and an error event says so', async () => {
    const first = await ours.subscribe();
    const [open] = await ours.rows<Record<string, string>>('subscriptions', '*', `id = '${first.id}'`);
    const { id, checkout: name } = await checkout();
    await ours.service.database.query(
      'UPDATE tollgate.subscriptions SET customer_id = $2, plan_group_id = $3, plan_id = $4 WHERE id = $1',
      [id, open?.['customer_id'], open?.['plan_group_id'], open?.['plan_id']],
    );
    const reference = `sub_ref_${id}`;
    ours.say(reference, {});
    const references = [{ kind: 'checkout' as const, reference: name }, ...about(reference)];
    const answer = await ours.post(eventOf('checkout.completed', { references }));
    expect(await rowOf(id)).toMatchObject({ status: 'expired' });
    const stored = await ours.operator.get(`/api/webhooks/${String(answer.body['eventId'])}`);
    expect(stored.body['reason']).toContain(first.id);
    const [event] = await ours.service.database.query<{ status: string }>(
      `SELECT status FROM tollgate.developer_events WHERE data->>'change' = 'activation_refused'`,
    );
    expect(event).toEqual({ status: 'ERROR' });
  });

  test('beside one that is opened at the same moment is not started either', async () => {
    const first = await ours.subscribe({ status: 'incomplete' });
    const { id, checkout: name } = await checkout();
    await ours.service.database.query(
      `UPDATE tollgate.subscriptions s SET customer_id = o.customer_id, plan_group_id = o.plan_group_id, plan_id = o.plan_id
         FROM tollgate.subscriptions o WHERE s.id = $1 AND o.id = $2`,
      [id, first.id],
    );
    const other = new Client({ connectionString: ours.service.database.adminUrl });
    await other.connect();
    await other.query('BEGIN');
    await other.query(`UPDATE tollgate.subscriptions SET status = 'active' WHERE id = $1`, [first.id]);
    const reference = `sub_ref_${id}`;
    ours.say(reference, {});
    const references = [{ kind: 'checkout' as const, reference: name }, ...about(reference)];
    const answer = ours.post(eventOf('checkout.completed', { references }));
    await untilLockWaits(ours.service.database);
    await other.query('COMMIT');
    await other.end();
    expect((await answer).status).toBe(200);
    expect(await rowOf(id)).toMatchObject({ status: 'expired' });
  });
});

test('a payment settles what is open of its subscription; a failed one settles nothing until it succeeds', async () => {
  const { id, reference, customerId } = await ours.subscribe({ payment_due_at: new Date(NEXT_END) });
  await ours.service.database.query(
    `INSERT INTO tollgate.subscription_transactions (workspace_id, environment, id, subscription_id, customer_id, kind, status, currency,
       subtotal, tax_amount, total, tax, lines, period_start, period_end, due_at, created_at)
     VALUES ($1, 'sandbox', $2, $3, $4, 'renewal', 'pending', 'USD', 2900, 0, 2900, '{"behavior":"none","rates":[]}',
       '[{"description":"pro","quantity":1,"unitAmount":"2900","amount":"2900"}]', $5, $6, $6, now())`,
    [ours.workspace.workspaceId, `txn_of_${id}`, id, customerId, new Date(PERIOD_END), new Date(NEXT_END)],
  );
  const payment = paymentOf('pi_open', { subscriptionReference: reference, status: 'failed' });
  ours.provider.payments.set('pi_open', payment);
  const open = () =>
    ours.rows('subscription_transactions', 'status, amount_paid', `subscription_id = '${id}'`);
  await ours.post(eventOf('payment.failed', { references: about(reference), payment }));
  expect(await open()).toEqual([{ status: 'pending', amount_paid: '0' }]);
  await ours.service.database.query('DELETE FROM graphile_worker._private_jobs');
  ours.provider.payments.set('pi_open', { ...payment, status: 'succeeded' });
  await ours.post(eventOf('payment.succeeded', { references: about(reference), payment }));
  // The payment changes nothing that the workflow waits for.
  expect(await ours.service.database.query('SELECT FROM graphile_worker._private_jobs')).toEqual([]);
  expect(await open()).toEqual([{ status: 'paid', amount_paid: '2900' }]);
  expect(await rowOf(id)).toMatchObject({ payment_due_at: null });
  expect(await ours.rows('payments', 'status, applied_amount', `subscription_id = '${id}'`)).toEqual([
    { status: 'succeeded', applied_amount: '2900' },
  ]);
});
