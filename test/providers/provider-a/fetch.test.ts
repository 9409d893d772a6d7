import type Stripe from 'stripe';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/domain/instant';
import type { ConnectionAccess } from '../../../src/providers/connection-access';
import { providerA } from '../../../src/providers/provider-a/adapter';
import { subscriptionOfEvent } from '../../../src/providers/provider-a/subscription-facts';
import { idOf, SECRET_KEY, startProviderA, WEBHOOK_SECRET } from '../../simulators/provider-a-world';
import { startStub } from './stub-provider-a';

let world: Awaited<ReturnType<typeof startProviderA>>;
let access: ConnectionAccess;
beforeAll(async () => {
  world = await startProviderA();
  access = {
    connectionId: 'conn_1',
    apiMode: 'sandbox',
    secretVersion: 1,
    secrets: { secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET },
    settings: {},
    baseUrl: world.url,
  };
});
afterAll(() => world.stop());
beforeEach(() => {
  world.core.faults.clear();
});

const monthly = (unitAmount = 2_000) =>
  world.account.price({ unitAmount, currency: 'usd', interval: 'month' });
async function subscribed() {
  const price = monthly();
  const { session, subscription } = await world.subscribe(price);
  const invoice = await world.client.invoices.retrieve(idOf(session.invoice), { expand: ['payments'] });
  const payment = idOf(invoice.payments?.data[0]?.payment.payment_intent);
  const { latest_charge: charge } = await world.client.paymentIntents.retrieve(payment);
  const [item] = subscription.items.data;
  return {
    price,
    session,
    subscription,
    item: item as Stripe.SubscriptionItem,
    invoice: invoice.id,
    payment,
    charge: idOf(charge),
  };
}

test('what is overdue can be paid while the next period is not charged yet', async () => {
  const price = world.account.price({ unitAmount: 900, currency: 'usd', interval: 'week' });
  const { subscription } = await world.subscribe(price);
  const page = async () => {
    const outcome = await providerA.fetchPaymentPage?.(access, subscription.id);
    return outcome?.kind === 'done' ? outcome.value : outcome;
  };
  expect(await page()).toBeNull();
  world.account.setDraftHours(1);
  world.account.setCard(idOf(subscription.customer), 'declines');
  const renewsAt = (subscription.items.data[0]?.current_period_end ?? 0) * 1_000;
  await world.core.clock.advanceTo(renewsAt + 2 * HOUR_MS);
  const overdue = await page();
  expect(overdue).toMatch(/^http/);
  await world.core.clock.advanceTo(renewsAt + 7 * DAY_MS + MINUTE_MS);
  expect(await page()).toBe(overdue);
  await world.core.clock.advanceTo(renewsAt + 7 * DAY_MS + 2 * HOUR_MS);
  const later = await page();
  expect(later).toMatch(/^http/);
  expect(later).not.toBe(overdue);
  world.account.payOpenInvoices(subscription.id);
  world.account.setDraftHours(0);
});

// https://docs.stripe.com/invoicing/overview: an uncollectible invoice can still be paid.
test('what has become uncollectible can be paid while it is the last that was due, and not if it was forgiven', async () => {
  const page = async (statuses: readonly string[]) => {
    const invoices = statuses.map((said, index) => {
      const [status, reason = 'max_payment_attempts'] = said.split(' ');
      const [id, url] = [`in_${index}`, status === 'draft' ? null : `http://127.0.0.1/invoice/in_${index}`];
      const details = status === 'uncollectible' && { status_details: { uncollectible: { reason } } };
      return { id, object: 'invoice', status, ...details, hosted_invoice_url: url };
    });
    const stub = await startStub();
    stub.answer((_, path) => {
      if (path === '/v1/invoices') return { body: { object: 'list', data: invoices, has_more: false } };
      return { body: path.startsWith('/v1/invoices/') ? invoices[0] : { latest_invoice: 'in_0' } };
    });
    const outcome = await providerA.fetchPaymentPage?.({ ...access, baseUrl: stub.url }, 'sub_1');
    await stub.stop();
    return outcome?.kind === 'done' ? outcome.value : outcome;
  };
  expect(await page(['uncollectible', 'paid'])).toBe('http://127.0.0.1/invoice/in_0');
  expect(await page(['draft', 'uncollectible'])).toBe('http://127.0.0.1/invoice/in_1');
  expect(await page(['draft', 'open', 'uncollectible'])).toBe('http://127.0.0.1/invoice/in_1');
  expect(await page(['uncollectible', 'open'])).toBe('http://127.0.0.1/invoice/in_1');
  expect(await page(['paid', 'uncollectible'])).toBeNull();
  expect(await page(['draft', 'void', 'uncollectible'])).toBeNull();
  expect(await page(['uncollectible user_forgiven', 'paid'])).toBeNull();
});

test('what a change in the provider’s own console charges is owed, and what a refused one would have charged is not', async () => {
  const { subscription, item } = await subscribed();
  const dearer = monthly(9_000);
  world.account.setCard(idOf(subscription.customer), 'declines');
  const update = (payment_behavior: 'allow_incomplete' | 'error_if_incomplete') =>
    world.client.subscriptions.update(subscription.id, {
      items: [{ id: item.id, price: dearer }],
      proration_behavior: 'always_invoice',
      payment_behavior,
    });
  const failedPayments = async () => {
    await world.core.outbox.flush();
    const events = world.receiver.received.splice(0).map(({ body }) => providerA.readEvent(body));
    const failed = events.flatMap(({ payment }) => (payment?.status === 'failed' ? payment : []));
    const fetched = failed.map(async ({ kind, reference }) =>
      providerA.fetchPayment(access, kind, reference),
    );
    const amounts = (await Promise.all(fetched)).map((one) => (one.kind === 'done' ? one.value.amount : one));
    const listed = await providerA.listPayments?.(access, subscription.id, 0);
    if (listed?.kind !== 'done') throw new Error(JSON.stringify(listed));
    return { amounts, statuses: listed.value.map(({ payment }) => payment.status) };
  };
  await failedPayments();
  await expect(update('error_if_incomplete')).rejects.toThrow('Your card was declined.');
  expect(await failedPayments()).toEqual({ amounts: [0n, 0n], statuses: ['succeeded'] });
  const changed = await update('allow_incomplete');
  expect(changed.status).toBe('past_due');
  const { amount_due: due } = await world.client.invoices.retrieve(idOf(changed.latest_invoice));
  const owed = BigInt(due);
  expect(owed).toBeGreaterThan(0n);
  expect(await failedPayments()).toEqual({ amounts: [owed, owed], statuses: ['succeeded', 'failed'] });
});

test('every webhook of a life is verified and read, and what it names can be fetched', async () => {
  await world.arrived();
  const { subscription } = await subscribed();
  await world.core.outbox.flush();
  const received = world.receiver.received.splice(0);
  expect(received.length).toBeGreaterThan(8);
  for (const { body, headers, rawHeaders } of received) {
    const webhook = { bytes: body, headers, rawHeaders, receivedAt: world.core.clock.real() };
    expect(await providerA.verifyWebhook(access, webhook)).toBe('valid');
    expect(providerA.readEvent(body).environment).toBe('sandbox');
  }
  const started = received
    .map(({ body }) => providerA.readEvent(body))
    .find(({ type }) => type === 'subscription.changed');
  expect(await providerA.fetchSubscription(access, subscription.id)).toEqual({
    kind: 'done',
    value: started?.subscription,
  });
});

test('the invoice of a renewal is outstanding while it is a draft, and until it is charged', async () => {
  const { subscription, item } = await subscribed();
  const { clock } = world.core;
  const end = item.current_period_end * 1000;
  world.account.setDraftHours(1);
  await clock.advanceTo(end);
  world.account.setDraftHours(0);
  const invoice = async () => {
    const outcome = await providerA.fetchSubscription(access, subscription.id);
    if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
    return outcome.value.renewalInvoice;
  };
  const draft = await invoice();
  expect(draft).toEqual({
    reference: expect.stringMatching(/^in_/) as string,
    isOutstanding: true,
    chargedAt: end + HOUR_MS,
  });
  await clock.advanceTo(end + HOUR_MS);
  expect(await invoice()).toEqual({ ...draft, isOutstanding: false, chargedAt: null });
});

test('a restricted key that may not read invoices reads a subscription without its invoice', async () => {
  const stub = await startStub();
  const read = () => providerA.fetchSubscription({ ...access, baseUrl: stub.url }, 'sub_1');
  const forbidden = {
    status: 403,
    body: { error: { type: 'invalid_request_error', message: "Having the 'rak_invoice_read' permission …" } },
  };
  const item = { id: 'si_1', price: { id: 'price_1' }, quantity: 1 };
  const subscription = { id: 'sub_1', status: 'active', latest_invoice: 'in_1', items: { data: [item] } };
  stub.answer((_method, _path, query) => (query.includes('expand') ? forbidden : { body: subscription }));
  const outcome = await read();
  expect(outcome).toMatchObject({ kind: 'done', value: { reference: 'sub_1', planReference: 'price_1' } });
  expect(outcome).not.toHaveProperty('value.renewalInvoice');
  // Nor may it read subscriptions.
  stub.answer(() => forbidden);
  expect(await read()).toMatchObject({ kind: 'declined', code: 'permission_denied' });
  await stub.stop();
});

test.each([
  [{ status: 'draft' }, true, null],
  [{ status: 'draft', auto_advance: true, automatically_finalizes_at: 7 }, true, 7_000],
  // Kept as a draft, because the merchant has paused the collection.
  [{ status: 'draft', auto_advance: false }, false, null],
  // Nothing is charged: the customer transfers the money, and is overdue from the due date on.
  [{ status: 'draft', collection_method: 'send_invoice', automatically_finalizes_at: 7 }, true, 7_000],
  [{ status: 'open', collection_method: 'send_invoice', due_date: 9 }, true, 9_000],
  [{ status: 'open', collection_method: 'send_invoice' }, false, null],
  // A bank has not answered yet.
  [{ status: 'open', next_payment_attempt: null }, true, null],
  [{ status: 'open', next_payment_attempt: 9 }, true, 9_000],
  [{ status: 'paid' }, false, null],
  [{ status: 'void' }, false, null],
])(
  'of an active subscription, the renewal’s invoice %j is outstanding: %s',
  (state, isOutstanding, chargedAt) => {
    const invoice = { id: 'in_1', billing_reason: 'subscription_cycle', ...state };
    const facts = (latest: unknown, status = 'active') =>
      subscriptionOfEvent({ id: 'sub_1', status, items: { data: [] }, latest_invoice: latest })
        .renewalInvoice;
    expect(facts(invoice)).toEqual({ reference: 'in_1', isOutstanding, chargedAt });
    if (state.status === 'open') expect(facts(invoice, 'past_due')?.isOutstanding).toBe(false);
    // Not a renewal's, not requested, or there is none.
    for (const other of [{ ...invoice, billing_reason: 'subscription_update' }, 'in_1', null])
      expect(facts(other)).toBeUndefined();
  },
);

test('of several items it is the one of a plan reference that counts', async () => {
  const { subscription, price, item } = await subscribed();
  await world.client.subscriptions.update(subscription.id, {
    items: [{ price: monthly(100), quantity: 7 }],
    proration_behavior: 'none',
  });
  const tracking = { ...access, settings: { planReferences: { pro: price } } };
  expect(await providerA.fetchSubscription(tracking, subscription.id)).toMatchObject({
    value: { planReference: price, quantity: 1, currentPeriodEnd: item.current_period_end * 1000 },
  });
  expect(await providerA.fetchSubscription(access, subscription.id)).toMatchObject({
    value: { planReference: null },
  });
});

test('an invoice that was paid in parts has a payment for each, in its own amount', async () => {
  const part = (reference: string, amount: number) => ({
    amount_paid: amount,
    is_default: false,
    status: 'paid',
    payment: { type: 'payment_intent', payment_intent: reference },
  });
  const invoice = {
    id: 'in_1',
    object: 'invoice',
    status: 'paid',
    amount_due: 2_000,
    amount_paid: 2_000,
    currency: 'usd',
    created: 1_790_000_000,
    customer: 'cus_1',
    subscription: 'sub_1',
    // Of a list inside another object, the provider sends the first page only.
    payments: { data: [part('pi_1', 700)], has_more: true },
  };
  const payments = [part('pi_1', 700), part('pi_2', 1_300)].map((each, index) => ({
    id: `inpay_${index}`,
    ...each,
  }));
  const charges = [{ id: 'ch_2', object: 'charge', payment_intent: 'pi_2', status: 'succeeded' }].map(
    (charge) => ({
      ...charge,
      // More was reserved than taken.
      amount: 1_500,
      amount_captured: 1_300,
      amount_refunded: 0,
      created: 1_790_000_000,
      currency: 'usd',
      refunds: { data: [], has_more: false },
    }),
  );
  const stub = await startStub();
  const lists: Record<string, unknown[]> = {
    '/v1/invoices': [invoice],
    '/v1/invoice_payments': payments,
    '/v1/charges': charges,
  };
  stub.answer((_, path) => {
    const data = lists[path];
    return { body: data === undefined ? invoice : { object: 'list', data, has_more: false } };
  });
  const there = { ...access, baseUrl: stub.url };
  const fetched = await providerA.fetchPayment(there, 'invoice', 'in_1');
  const listed = await providerA.listPayments?.(there, 'sub_1', 0);
  await stub.stop();
  const first = { kind: 'payment', reference: 'pi_1', amount: 700n, invoiceReference: 'in_1' };
  expect(fetched).toMatchObject({ value: first });
  const owners = [{ kind: 'subscription' }, { kind: 'customer' }];
  expect(listed).toMatchObject({
    value: [
      { payment: first, references: owners },
      {
        payment: { ...first, reference: 'pi_2', amount: 1_300n },
        references: [...owners, { kind: 'charge', reference: 'ch_2' }],
      },
    ],
  });
});

// https://docs.stripe.com/changelog/basil/2025-03-31/add-support-for-multiple-partial-payments-on-invoices
test.each([
  [
    'the rest was collected',
    [
      ['pi_1', 600],
      ['pr_1', 1_000],
      ['pr_2', 400],
    ],
  ],
  ['nothing was collected', [['in_1', 2_000]]],
])('of an invoice that was paid elsewhere in part, each part is a payment, if %s', async (_, expected) => {
  const intent = { type: 'payment_intent', payment_intent: 'pi_1' };
  const paid = (amount: number, payment: object) => ({ amount_paid: amount, status: 'paid', payment });
  const recorded = (amount: number, record: string) =>
    paid(amount, { type: 'payment_record', payment_record: record });
  const isCollected = expected.length > 1;
  const due = isCollected
    ? { is_default: true, ...paid(600, intent) }
    : { is_default: true, amount_paid: null, status: 'canceled', payment: intent };
  const records = [recorded(1_000, 'pr_1'), recorded(isCollected ? 400 : 1_000, 'pr_2')];
  const listed = await paymentsOf({
    id: 'in_1',
    object: 'invoice',
    status: 'paid',
    attempted: true,
    amount_due: 2_000,
    amount_paid: 2_000,
    currency: 'usd',
    created: 1_790_000_000,
    customer: null,
    subscription: 'sub_1',
    payments: { data: [...records, due] },
  });
  expect(listed).toMatchObject({
    kind: 'done',
    value: expected.map(([reference, amount]) => ({
      payment: { reference, amount: BigInt(amount ?? 0), status: 'succeeded', invoiceReference: 'in_1' },
    })),
  });
});

// https://docs.stripe.com/invoicing/partial-payments
test('of an invoice that is partly paid the paid part is kept, and the rest is due', async () => {
  const intent = (reference: string) => ({ type: 'payment_intent', payment_intent: reference });
  const invoice = {
    id: 'in_1',
    object: 'invoice',
    status: 'open',
    attempted: true,
    billing_reason: 'subscription_cycle',
    amount_due: 2_000,
    amount_paid: 700,
    currency: 'usd',
    created: 1_790_000_000,
    customer: null,
    subscription: 'sub_1',
    payments: {
      data: [
        { amount_paid: 700, is_default: false, status: 'paid', payment: intent('pi_1') },
        { amount_paid: null, is_default: true, status: 'open', payment: intent('pi_2') },
      ],
    },
  };
  const stub = await startStub();
  let attempted = true;
  stub.answer((_, path) => ({
    body:
      path === '/v1/invoices'
        ? { object: 'list', data: [{ ...invoice, attempted }], has_more: false }
        : invoice,
  }));
  const there = { ...access, baseUrl: stub.url };
  const fetched = await providerA.fetchPayment(there, 'invoice', 'in_1');
  const listed = await providerA.listPayments?.(there, 'sub_1', 0);
  attempted = false;
  const before = await providerA.listPayments?.(there, 'sub_1', 0);
  await stub.stop();
  const rest = { reference: 'pi_2', amount: 1_300n, invoiceReference: 'in_1' };
  expect(fetched).toMatchObject({ kind: 'done', value: { ...rest, status: 'pending' } });
  expect(listed).toMatchObject({
    kind: 'done',
    value: [
      { payment: { ...rest, reference: 'pi_1', amount: 700n, status: 'succeeded' } },
      { payment: { ...rest, status: 'failed' } },
    ],
  });
  // The paid part is not known by the name of the rest, which is a payment of its own once it is charged.
  expect(before).toMatchObject({
    kind: 'done',
    value: [{ payment: { reference: 'pi_1' }, references: [{ kind: 'subscription', reference: 'sub_1' }] }],
  });
});

/** Lists the payments of a subscription whose only invoice is this one. */
async function paymentsOf(invoice: object) {
  const stub = await startStub();
  stub.answer(() => ({ body: { object: 'list', data: [invoice], has_more: false } }));
  const listed = await providerA.listPayments?.({ ...access, baseUrl: stub.url }, 'sub_1', 0);
  await stub.stop();
  return listed;
}

// https://docs.stripe.com/changelog/endive/2026-09-30/invoice-uncollectible-status-detail
test.each([
  ['subscription_paused', false, [{ payment: { amount: 0n, status: 'succeeded' } }]],
  ['user_forgiven', true, [{ payment: { amount: 0n, status: 'succeeded' } }]],
  ['max_payment_attempts', true, [{ payment: { amount: 2_000n, status: 'failed' } }]],
  ['payment_not_received', true, [{ payment: { amount: 2_000n, status: 'failed' } }]],
])('what an uncollectible invoice says of what is owed: %s', async (reason, attempted, charged) => {
  const invoice = {
    id: 'in_1',
    object: 'invoice',
    status: 'uncollectible',
    status_details: { uncollectible: { reason } },
    attempted,
    billing_reason: 'subscription_cycle',
    amount_due: 2_000,
    amount_paid: 0,
    currency: 'usd',
    created: 1_790_000_000,
    customer: null,
    subscription: 'sub_1',
  };
  expect(await paymentsOf(invoice)).toMatchObject({ kind: 'done', value: charged });
});

test.each(['void', 'mark_uncollectible'] as const)(
  'a renewal for which the merchant does not collect owes nothing (%s)',
  async (behavior) => {
    const { subscription, item, invoice } = await subscribed();
    await world.client.subscriptions.update(subscription.id, { pause_collection: { behavior } });
    await world.core.clock.advanceTo(item.current_period_end * 1_000 + HOUR_MS);
    expect(await providerA.listPayments?.(access, subscription.id, 0)).toMatchObject({
      kind: 'done',
      value: [
        { payment: { invoiceReference: invoice, amount: 2_000n, status: 'succeeded' } },
        { payment: { amount: 0n, status: 'succeeded' } },
      ],
    });
  },
);

// https://docs.stripe.com/billing/collection-method: past due only after `due_date`, up to a year later.
test.each([
  ['open', false, [{ payment: { amount: 0n, status: 'succeeded' } }]],
  ['open', true, [{ payment: { amount: 0n, status: 'succeeded' } }]],
  ['uncollectible', false, []],
  ['draft', false, []],
])(
  'an invoice that its customer was sent owes nothing yet while it is %s',
  async (status, attempted, charged) => {
    const invoice = {
      id: 'in_1',
      object: 'invoice',
      status,
      attempted,
      collection_method: 'send_invoice',
      amount_due: 2_000,
      amount_paid: 0,
      currency: 'usd',
      created: 1_790_000_000,
      billing_reason: 'subscription_cycle',
      customer: null,
      subscription: 'sub_1',
    };
    expect(await paymentsOf(invoice)).toMatchObject({ kind: 'done', value: charged });
  },
);

test('payments of each kind, refunds, and settlements with their fees', async () => {
  const { subscription, session, invoice, payment, charge } = await subscribed();
  const money = { amount: 2_000n, currency: 'USD', status: 'succeeded' };
  const fetched = (kind: 'payment' | 'charge' | 'invoice' | 'checkout' | 'order', reference: string) =>
    providerA.fetchPayment(access, kind, reference);
  const ofInvoice = { invoiceReference: invoice, subscriptionReference: subscription.id };
  expect(await fetched('payment', payment)).toMatchObject({
    kind: 'done',
    value: { ...money, ...ofInvoice, reference: payment },
  });
  expect(await fetched('charge', charge)).toMatchObject({
    kind: 'done',
    value: { ...money, reference: charge },
  });
  expect(await fetched('invoice', invoice)).toMatchObject({
    kind: 'done',
    value: {
      ...money,
      kind: 'payment',
      reference: payment,
      invoiceReference: invoice,
      subscriptionReference: subscription.id,
    },
  });
  expect((await fetched('order', 'x')).kind).toBe('unsupported');
  // A subscription's session has no payment of its own; its invoice has.
  expect((await fetched('checkout', session.id)).kind).toBe('unknown');
  const refund = await world.client.refunds.create({ payment_intent: payment, amount: 500 });
  expect(await providerA.fetchRefund(access, refund.id)).toEqual({
    kind: 'done',
    value: {
      reference: refund.id,
      of: { kind: 'payment', reference: payment },
      amount: 500n,
      currency: 'USD',
      status: 'succeeded',
      totalRefunded: null,
      createdAt: refund.created * 1000,
    },
  });
  const [payout = ''] = world.account.payOut();
  const { data } = await world.client.balanceTransactions.list({ payout, limit: 100 });
  const settlement = await providerA.fetchSettlement?.(access, payout);
  expect(settlement).toMatchObject({ kind: 'done', value: { reference: payout, currency: 'USD' } });
  if (settlement?.kind !== 'done') throw new Error('There is no settlement.');
  expect(settlement.value.fees).toBe(BigInt(data.reduce((sum, { fee }) => sum + fee, 0)));
  expect(settlement.value.amount).toBe(BigInt(data.reduce((sum, { net }) => sum + net, 0)));
});

test('a refusal is declined with its code, and a failure is unknown; no reason contains the key', async () => {
  expect(await providerA.fetchSubscription(access, 'sub_none')).toMatchObject({
    kind: 'declined',
    code: 'not_found',
  });
  const strange = { ...access, secrets: { secretKey: 'sk_test_of_somebody_else' } };
  const unauthenticated = await providerA.fetchSubscription(strange, 'sub_none');
  expect(unauthenticated).toMatchObject({ kind: 'declined', code: 'authentication_failed' });
  expect(JSON.stringify(unauthenticated)).not.toContain('somebody_else');
  expect(await providerA.fetchSubscription({ ...access, secrets: {} }, 'sub_none')).toMatchObject({
    code: 'connection_incomplete',
  });
  world.core.faults.set({ provider: 'a', path: '/v1', fault: 'answer_500' });
  expect((await providerA.fetchRefund(access, 're_none')).kind).toBe('unknown');
  world.core.faults.clear();
  world.core.faults.set({ provider: 'a', path: '/v1', fault: 'cut_after_commit' });
  expect((await providerA.fetchRefund(access, 're_none')).kind).toBe('unknown');
  expect((await providerA.fetchRefund({ ...access, baseUrl: 'http://127.0.0.1:1' }, 're_none')).kind).toBe(
    'unknown',
  );
});

describe('test connection', () => {
  const outcome = async (change: Partial<ConnectionAccess> = {}) => {
    const checks = await providerA.testConnection({ ...access, ...change });
    return Object.fromEntries(checks.map(({ check, ok, message }) => [check, ok ? true : message]));
  };

  test('reports each check separately', async () => {
    const price = monthly();
    const oneOff = world.account.price({ unitAmount: 1, currency: 'usd' });
    const fine = { authentication: true, webhook: true, plan_references: true, mode: true };
    expect(await outcome({ settings: { planReferences: { pro: price } } })).toEqual(fine);
    expect(await outcome({ apiMode: 'live' })).toMatchObject({
      ...fine,
      mode: expect.stringContaining('sandbox') as string,
    });
    expect(await outcome({ secrets: { secretKey: SECRET_KEY } })).toMatchObject({
      ...fine,
      webhook: expect.stringContaining('secret') as string,
    });
    const { plan_references: wrong } = await outcome({
      settings: { planReferences: { one: oneOff, none: 'price_none', pro: price } },
    });
    expect(wrong).toMatch(/one: .*not recurring.* none: price_none could not be found/);
    expect(wrong).not.toContain('pro:');
  });

  test('finds a webhook endpoint that is missing, or does not send what is needed', async () => {
    const endpoint = String(world.account.endpointId);
    await world.client.webhookEndpoints.update(endpoint, { enabled_events: ['invoice.paid'] });
    expect((await outcome())['webhook']).toContain('customer.subscription.updated');
    await world.client.webhookEndpoints.update(endpoint, { disabled: true });
    expect((await outcome())['webhook']).toContain('/v1/webhooks/provider_a');
    await world.client.webhookEndpoints.update(endpoint, { disabled: false, enabled_events: ['*'] });
    expect((await outcome())['webhook']).toBe(true);
  });

  test('finds a webhook endpoint that names another connection, and says of one that names none', async () => {
    const endpoint = String(world.account.endpointId);
    const { url } = await world.client.webhookEndpoints.retrieve(endpoint);
    const named = (connection: string | null): Promise<unknown> => {
      const address = new URL(url);
      if (connection === null) address.searchParams.delete('connection');
      else address.searchParams.set('connection', connection);
      return world.client.webhookEndpoints.update(endpoint, { url: address.href });
    };
    const said = async () =>
      (await providerA.testConnection(access)).find(({ check }) => check === 'webhook');
    await named('conn_of_somebody_else');
    expect(await said()).toMatchObject({
      ok: false,
      message: expect.stringContaining('name other connections') as string,
    });
    await named(null);
    expect(await said()).toMatchObject({
      ok: true,
      message: expect.stringContaining(`?connection=${access.connectionId}`) as string,
    });
    await named(access.connectionId);
    expect(await said()).toEqual({
      check: 'webhook',
      ok: true,
      message: 'The webhook endpoint is registered and enabled.',
    });
    await world.client.webhookEndpoints.update(endpoint, { url });
  });

  test('asks nothing more when the key does not work', async () => {
    expect(await outcome({ secrets: { secretKey: 'sk_test_wrong' } })).toMatchObject({
      authentication: 'Provider A does not accept the secret key.',
      mode: expect.stringContaining('Not tested') as string,
    });
  });
});

test('a period that was paused in the second in which it began lasts that second', () => {
  const details = { paused: { subscription: { type: 'pause_requested' } } };
  const item = { id: 'si_1', quantity: 1, current_period_start: 7, current_period_end: 7 };
  const wire = { id: 'sub_1', status: 'paused', status_details: details, items: { data: [item] } };
  const facts = subscriptionOfEvent(wire);
  expect(facts).toMatchObject({ currentPeriodStart: 7_000, currentPeriodEnd: 8_000, isSuspended: true });
});
