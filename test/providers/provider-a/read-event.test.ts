import fc from 'fast-check';
import { MalformedEventError } from '../../../src/providers/canonical-event';
import { providerA } from '../../../src/providers/provider-a/adapter';
import { refundFacts } from '../../../src/providers/provider-a/refund-facts';
import { eventOf } from './event';

const read = (type: string, object: unknown, previous?: unknown, more?: Record<string, unknown>) =>
  providerA.readEvent(eventOf(type, object, more, previous));

const item = {
  id: 'si_1',
  price: { id: 'price_1' },
  quantity: 3,
  current_period_start: 1_790_000_000,
  current_period_end: 1_792_592_000,
};
const subscription = {
  id: 'sub_1',
  object: 'subscription',
  customer: 'cus_1',
  status: 'active',
  cancel_at: null,
  cancel_at_period_end: false,
  items: { object: 'list', data: [item] },
};
const facts = {
  reference: 'sub_1',
  status: 'active',
  planReference: 'price_1',
  quantity: 3,
  currentPeriodStart: 1_790_000_000_000,
  currentPeriodEnd: 1_792_592_000_000,
  cancelAtPeriodEnd: false,
  cancelAt: null,
  customerReference: 'cus_1',
};

test('a subscription, in the shapes of old and new versions', () => {
  expect(read('customer.subscription.updated', subscription)).toEqual({
    type: 'subscription.changed',
    eventType: 'customer.subscription.updated',
    dedupeKey: 'evt_1',
    occurredAt: 1_790_000_000_000,
    environment: 'sandbox',
    references: [
      { kind: 'subscription', reference: 'sub_1' },
      { kind: 'customer', reference: 'cus_1' },
    ],
    subscription: facts,
  });
  const { current_period_start, current_period_end, ...bare } = item;
  const old = {
    ...subscription,
    customer: { id: 'cus_1', object: 'customer' },
    current_period_start,
    current_period_end,
    items: { data: [bare] },
  };
  expect(read('customer.subscription.updated', old).subscription).toEqual(facts);
});

test('of several items none is guessed', () => {
  const two = { ...subscription, items: { data: [item, { ...item, id: 'si_2', price: { id: 'price_2' } }] } };
  expect(read('customer.subscription.updated', two).subscription).toMatchObject({
    planReference: null,
    quantity: null,
  });
});

test.each([
  [{ cancel_at_period_end: true }, 'customer.subscription.updated', 'subscription.not_renewing', 'active'],
  [{ cancel_at: 1_792_592_000 }, 'customer.subscription.updated', 'subscription.not_renewing', 'active'],
  [{ status: 'past_due' }, 'customer.subscription.updated', 'subscription.changed', 'past_due'],
  [{ status: 'unpaid' }, 'customer.subscription.updated', 'subscription.changed', 'past_due'],
  [{ status: 'trialing' }, 'customer.subscription.created', 'subscription.changed', 'trialing'],
  [{ status: 'incomplete_expired' }, 'customer.subscription.updated', 'subscription.ended', 'expired'],
  [{ status: 'canceled' }, 'customer.subscription.deleted', 'subscription.ended', 'cancelled'],
])('a subscription with %j (%s) is %s', (change, type, meaning, status) => {
  expect(read(type, { ...subscription, ...change })).toMatchObject({
    type: meaning,
    subscription: { status },
  });
});

const invoice = {
  id: 'in_1',
  object: 'invoice',
  status: 'paid',
  amount_due: 2_000,
  amount_paid: 2_000,
  billing_reason: 'subscription_cycle',
  created: 1_790_000_000,
  currency: 'usd',
  customer: 'cus_1',
  parent: { type: 'subscription_details', subscription_details: { subscription: 'sub_1' } },
};

test('an invoice, in the shapes of old and new versions', () => {
  expect(read('invoice.paid', invoice)).toMatchObject({
    type: 'invoice.paid',
    references: [
      { kind: 'invoice', reference: 'in_1' },
      { kind: 'subscription', reference: 'sub_1' },
      { kind: 'customer', reference: 'cus_1' },
    ],
    payment: {
      reference: 'in_1',
      kind: 'invoice',
      amount: 2_000n,
      currency: 'USD',
      status: 'succeeded',
      subscriptionReference: 'sub_1',
    },
  });
  const old = { ...invoice, parent: undefined, subscription: 'sub_1', payment_intent: 'pi_1' };
  expect(read('invoice.paid', old).payment).toMatchObject({
    reference: 'pi_1',
    kind: 'payment',
    subscriptionReference: 'sub_1',
  });
});

test('a failed invoice is a failed payment, also of a change: only its reading shows whether that was refused', () => {
  const open = { ...invoice, status: 'open', amount_paid: 0 };
  expect(read('invoice.payment_failed', open)).toMatchObject({
    type: 'invoice.failed',
    payment: { status: 'failed', amount: 2_000n },
  });
  expect(read('invoice.payment_failed', { ...open, billing_reason: 'subscription_update' })).toMatchObject({
    type: 'invoice.failed',
    payment: { status: 'failed', amount: 2_000n },
  });
  expect(read('invoice.created', open)).toMatchObject({
    type: 'ignored',
    references: [{ kind: 'invoice', reference: 'in_1' }, {}, {}],
  });
});

test('payments, with amounts in the decimals of the currency and not of the provider', () => {
  const intent = {
    id: 'pi_1',
    object: 'payment_intent',
    amount: 50_000,
    amount_received: 50_000,
    created: 1_790_000_000,
    currency: 'jpy',
    latest_charge: 'ch_1',
    status: 'succeeded',
  };
  const amount = (currency: string) =>
    read('payment_intent.succeeded', { ...intent, currency }).payment?.amount;
  expect(read('payment_intent.succeeded', intent)).toMatchObject({
    type: 'payment.succeeded',
    payment: { reference: 'pi_1', kind: 'payment', status: 'succeeded' },
  });
  expect(amount('jpy')).toBe(50_000n);
  expect(amount('isk')).toBe(500n);
  expect(amount('ugx')).toBe(500n);
  expect(amount('mga')).toBe(5_000_000n);
  expect(amount('kwd')).toBe(50_000n);
  // An unknown currency: the payment is fetched instead of guessed.
  expect(amount('usdc')).toBeUndefined();
  expect(
    read('payment_intent.succeeded', { ...intent, currency: 'isk', amount_received: 50_001 }).payment,
  ).toBeUndefined();
  expect(
    read('payment_intent.payment_failed', {
      ...intent,
      status: 'requires_payment_method',
      amount_received: 0,
    }),
  ).toMatchObject({
    type: 'payment.failed',
    payment: { status: 'failed', amount: 50_000n },
  });
});

test('refunds: the refund itself, and the running total of its charge', () => {
  const refund = {
    id: 're_1',
    object: 'refund',
    amount: 300,
    charge: 'ch_1',
    currency: 'usd',
    payment_intent: 'pi_1',
    status: 'requires_action',
  };
  expect(read('refund.created', refund)).toMatchObject({
    type: 'refund.changed',
    references: [
      { kind: 'refund', reference: 're_1' },
      { kind: 'payment', reference: 'pi_1' },
      { kind: 'charge', reference: 'ch_1' },
    ],
    refund: {
      reference: 're_1',
      of: { kind: 'payment', reference: 'pi_1' },
      amount: 300n,
      status: 'pending',
      totalRefunded: null,
    },
  });
  expect(read('charge.refund.updated', refund)).toEqual({
    ...read('refund.updated', refund),
    eventType: 'charge.refund.updated',
  });
  expect(read('refund.failed', { ...refund, status: 'failed', payment_intent: null }).refund).toMatchObject({
    of: { kind: 'charge', reference: 'ch_1' },
    status: 'failed',
  });
  const charge = {
    id: 'ch_1',
    object: 'charge',
    amount: 2_000,
    amount_refunded: 800,
    created: 1,
    currency: 'usd',
    payment_intent: 'pi_1',
    status: 'succeeded',
  };
  expect(read('charge.refunded', charge, { amount_refunded: 500 }).refund).toEqual({
    reference: null,
    of: { kind: 'payment', reference: 'pi_1' },
    amount: 300n,
    currency: 'USD',
    status: 'succeeded',
    totalRefunded: 800n,
  });
});

test('checkouts, payouts, disputes, and what is not known', () => {
  const session = {
    id: 'cs_1',
    object: 'checkout.session',
    amount_total: 700,
    currency: 'usd',
    payment_intent: 'pi_1',
    payment_status: 'unpaid',
    subscription: null,
  };
  expect(read('checkout.session.completed', session)).toMatchObject({
    type: 'checkout.completed',
    payment: { reference: 'pi_1', status: 'pending', amount: 700n },
  });
  expect(
    read('checkout.session.async_payment_succeeded', { ...session, payment_status: 'paid' }).payment?.status,
  ).toBe('succeeded');
  expect(read('checkout.session.async_payment_failed', session)).toMatchObject({
    type: 'payment.failed',
    payment: { status: 'failed' },
  });
  expect(read('checkout.session.expired', session)).toMatchObject({
    type: 'checkout.expired',
    references: [
      { kind: 'checkout', reference: 'cs_1' },
      { kind: 'payment', reference: 'pi_1' },
    ],
  });
  expect(read('payout.paid', { id: 'po_1', object: 'payout' })).toMatchObject({
    type: 'settlement.ready',
    references: [{ kind: 'payout', reference: 'po_1' }],
  });
  for (const event of ['payout.failed', 'payout.canceled']) {
    expect(read(event, { id: 'po_1', object: 'payout' })).toMatchObject({ type: 'settlement.ready' });
  }
  expect(
    read('terminal.reader.action_failed', { object: 'terminal.reader' }, undefined, { livemode: true }),
  ).toMatchObject({ type: 'ignored', environment: 'production', references: [] });
  expect(read('invoice.upcoming', { ...invoice, id: undefined })).toMatchObject({
    type: 'ignored',
    references: [],
  });
  const thin = {
    id: 'evt_2',
    object: 'v2.core.event',
    type: 'v1.billing.meter.no_meter_found',
    created: '2026-09-21T10:00:00.000Z',
  };
  expect(providerA.readEvent(Buffer.from(JSON.stringify(thin)))).toMatchObject({
    type: 'ignored',
    environment: null,
    dedupeKey: 'evt_2',
  });
});

test.each(['', 'null', '[]', '{"id":"evt_1"', '"evt_1"', '{"id":1,"object":"event","type":"x","created":1}'])(
  'no event: %j',
  (text) => {
    expect(() => providerA.readEvent(Buffer.from(text))).toThrow(MalformedEventError);
  },
);

test('a known event without what it must have is malformed, not half read', () => {
  expect(() => read('invoice.paid', { ...invoice, amount_paid: '2000' })).toThrow(MalformedEventError);
  expect(() => read('customer.subscription.updated', { ...subscription, status: 'unheard_of' })).toThrow(
    MalformedEventError,
  );
});

test('whatever the bytes are, they are read or malformed', () => {
  const types = [
    'customer.subscription.updated',
    'invoice.paid',
    'charge.refunded',
    'refund.created',
    'unheard.of',
  ];
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.jsonValue(), fc.jsonValue(), (type, object, previous) => {
      try {
        expect(typeof read(type, object, previous).type).toBe('string');
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedEventError);
      }
    }),
  );
});

test.each([
  [{ status: 'requires_action' }, 'details_of_customer'],
  [{ status: 'pending', pending_reason: 'insufficient_funds' }, 'balance'],
  [{ status: 'pending', pending_reason: 'processing' }, undefined],
  [{ status: 'succeeded', pending_reason: null }, undefined],
])('a refund that is %j needs %s', (state, needs) => {
  const refund = { id: 're_1', object: 'refund', amount: 900, currency: 'usd', created: 1_790_000_000 };
  expect(refundFacts({ ...refund, charge: null, payment_intent: 'pi_1', ...state })?.needs).toBe(needs);
});
