import fc from 'fast-check';
import { MalformedEventError } from '../../../src/providers/canonical-event';
import { providerC } from '../../../src/providers/provider-c/adapter';

const bytes = (event: string, data: unknown) => Buffer.from(JSON.stringify({ event, data }));
const read = (event: string, data: unknown) => providerC.readEvent(bytes(event, data));

const SUBSCRIPTION = {
  domain: 'test',
  status: 'active',
  subscription_code: 'SUB_one',
  amount: 50_000,
  next_payment_date: '2027-05-19T07:00:00.000Z',
  createdAt: '2027-03-20T00:23:24.000Z',
  plan: { plan_code: 'PLN_one', interval: 'monthly' },
  customer: { customer_code: 'CUS_one', metadata: {} },
};
const CHARGE = {
  id: 302_961,
  domain: 'live',
  status: 'success',
  reference: 'ref_1',
  amount: 10_000,
  paid_at: '2027-09-30T21:10:19.000Z',
  currency: 'NGN',
  metadata: 0,
  customer: { customer_code: 'CUS_one' },
  plan: {},
};
const INVOICE = {
  domain: 'test',
  invoice_code: 'INV_one',
  amount: 50_000,
  period_start: '2027-04-19T07:00:00.000Z',
  period_end: '2027-04-18T23:59:59.000Z',
  status: 'success',
  paid: true,
  paid_at: '2027-04-19T06:00:09.000Z',
  subscription: {
    status: 'active',
    subscription_code: 'SUB_one',
    next_payment_date: '2027-05-19T07:00:00.000Z',
  },
  customer: { customer_code: 'CUS_one' },
  transaction: { reference: 'ref_2', status: 'success', amount: 50_000, currency: 'NGN' },
};
const REFUND = {
  domain: 'live',
  status: 'pending',
  transaction_reference: 'ref_1',
  refund_reference: null,
  amount: '10000',
  currency: 'NGN',
};

describe('the events of provider C', () => {
  it('tell of a new subscription, its plan and its period’s end', () => {
    expect(read('subscription.create', SUBSCRIPTION)).toMatchObject({
      type: 'subscription.changed',
      environment: 'sandbox',
      occurredAt: Date.parse('2027-03-20T00:23:24Z'),
      references: [
        { kind: 'subscription', reference: 'SUB_one' },
        { kind: 'customer', reference: 'CUS_one' },
      ],
      subscription: {
        status: 'active',
        planReference: 'PLN_one',
        currentPeriodEnd: Date.parse('2027-05-19T07:00:00Z'),
        cancelAtPeriodEnd: false,
      },
    });
  });

  it('never take a missing payment date for a period’s end', () => {
    const stopped = { ...SUBSCRIPTION, status: 'non-renewing', next_payment_date: null };
    expect(read('subscription.not_renew', stopped)).toMatchObject({
      type: 'subscription.not_renewing',
      subscription: { status: 'active', currentPeriodEnd: null, cancelAtPeriodEnd: true },
    });
  });

  it.each(['complete', 'completed', 'cancelled'])('end a subscription that is %s', (status) => {
    expect(read('subscription.disable', { ...SUBSCRIPTION, status })).toMatchObject({
      type: 'subscription.ended',
      subscription: { status: 'cancelled', currentPeriodEnd: null },
    });
  });

  it('end nothing that still runs to its boundary', () => {
    const running = { ...SUBSCRIPTION, status: 'non-renewing' };
    expect(read('subscription.disable', running).type).toBe('subscription.not_renewing');
  });

  it.each([0, '', null, '{"a":1}', { a: 1 }, [1]])(
    'read a charge whatever its metadata is: %j',
    (metadata) => {
      expect(read('charge.success', { ...CHARGE, metadata })).toMatchObject({
        type: 'payment.succeeded',
        environment: 'production',
        references: [
          { kind: 'payment', reference: 'ref_1' },
          { kind: 'checkout', reference: 'ref_1' },
          { kind: 'charge', reference: '302961' },
          { kind: 'customer', reference: 'CUS_one' },
        ],
        payment: { reference: 'ref_1', amount: 10_000n, currency: 'NGN', status: 'succeeded' },
      });
    },
  );

  it('count in hundredths, also where the currency has none', () => {
    expect(read('charge.success', { ...CHARGE, currency: 'XOF' }).payment?.amount).toBe(100n);
    expect(read('charge.success', { ...CHARGE, currency: 'XOF', amount: 10_001 }).payment).toBeUndefined();
    expect(read('charge.success', { ...CHARGE, amount: 10.5 }).payment).toBeUndefined();
    expect(read('charge.success', { ...CHARGE, currency: 'ZZZ' }).payment).toBeUndefined();
  });

  it.each([true, 1])('tell of a paid invoice when it says so with %j', (paid) => {
    expect(read('invoice.update', { ...INVOICE, paid })).toMatchObject({
      type: 'invoice.paid',
      payment: {
        reference: 'ref_2',
        subscriptionReference: 'SUB_one',
        invoiceReference: 'INV_one',
        amount: 50_000n,
      },
    });
  });

  it('take an invoice for paid only when it is, and its announcement never', () => {
    expect(read('invoice.update', { ...INVOICE, paid: 0 }).type).toBe('ignored');
    expect(read('invoice.update', { ...INVOICE, status: 'failed' }).type).toBe('subscription.changed');
    expect(read('invoice.update', { ...INVOICE, status: 'attention' }).type).toBe('subscription.changed');
    expect(read('invoice.create', INVOICE).type).toBe('ignored');
  });

  it('tell of a failed invoice that has no transaction', () => {
    const failed = { ...INVOICE, paid: false, status: 'pending', transaction: {} };
    const event = read('invoice.payment_failed', failed);
    expect(event).toMatchObject({ type: 'invoice.failed', environment: 'sandbox' });
    expect(event.payment).toBeUndefined();
    expect(event.references).toContainEqual({ kind: 'subscription', reference: 'SUB_one' });
  });

  it.each([
    ['refund.pending', 'pending', 'pending'],
    ['refund.processing', 'processing', 'pending'],
    ['refund.needs-attention', 'needs-attention', 'pending'],
    ['refund.processed', 'processed', 'succeeded'],
    ['refund.failed', 'failed', 'failed'],
  ])('read %s with its amount as text or as a number', (name, status, expected) => {
    for (const amount of ['10000', 10_000]) {
      expect(read(name, { ...REFUND, status, amount })).toMatchObject({
        type: 'refund.changed',
        refund: {
          reference: null,
          of: { kind: 'payment', reference: 'ref_1' },
          amount: 10_000n,
          status: expected,
          totalRefunded: null,
        },
      });
    }
  });

  it('name the transaction of a dispute', () => {
    const dispute = { id: 5, domain: 'live', transaction: { id: 9, reference: 'ref_1' } };
    expect(read('charge.dispute.create', dispute)).toMatchObject({
      type: 'dispute.changed',
      references: expect.arrayContaining([{ kind: 'payment', reference: 'ref_1' }]) as unknown,
    });
  });

  it('ignore what is not known, a list for data included', () => {
    expect(read('subscription.expiring_cards', [{ brand: 'visa' }])).toMatchObject({
      type: 'ignored',
      references: [],
    });
    expect(read('transfer.success', { domain: 'test', reference: 'x' }).type).toBe('ignored');
  });

  it('are refused when they are no events', () => {
    for (const body of ['', 'null', '[]', '{}', '{"event":1}', '{"event":"a\\u0000b"}', '{"event":"x"']) {
      expect(() => providerC.readEvent(Buffer.from(body))).toThrow(MalformedEventError);
    }
  });

  it('are read whatever else is in them', () => {
    const names = fc.constantFrom(
      'charge.success',
      'invoice.update',
      'refund.processed',
      'subscription.create',
      'x',
    );
    const odd = fc.oneof(fc.jsonValue(), fc.constant({}), fc.constant(null), fc.constant('10000'));
    const member = fc.constantFrom(...Object.keys({ ...CHARGE, ...INVOICE, ...REFUND, ...SUBSCRIPTION }));
    fc.assert(
      fc.property(names, fc.dictionary(member, odd), (name, changes) => {
        const event = read(name, { ...CHARGE, ...INVOICE, ...REFUND, ...SUBSCRIPTION, ...changes });
        expect(event.references.every(({ reference }) => /^[\x21-\x7e]+$/.test(reference))).toBe(true);
        expect(event.dedupeKey).toMatch(/^[0-9a-f]{64}$/);
      }),
    );
  });
});

describe('the key of an event without an id', () => {
  const key = (event: string, data: unknown) => read(event, data).dedupeKey;

  it('is the same for the same event, however its members are ordered', () => {
    const reordered = Object.fromEntries(Object.entries(CHARGE).reverse());
    expect(key('charge.success', reordered)).toBe(key('charge.success', CHARGE));
  });

  it('differs by name, environment, reference and state', () => {
    const keys = [
      key('charge.success', CHARGE),
      key('charge.success', { ...CHARGE, domain: 'test' }),
      key('charge.success', { ...CHARGE, reference: 'ref_9' }),
      key('charge.failed', CHARGE),
      key('refund.pending', REFUND),
      key('refund.processed', { ...REFUND, status: 'processed' }),
      key('refund.processed', { ...REFUND, status: 'processed', refund_reference: '132' }),
      key('x', { a: 1 }),
      key('x', { a: 2 }),
      // Events without a name, because their ids cannot be read.
      key('charge.success', { id: 1e308, customer: { customer_code: 'CUS_1' } }),
      key('charge.success', { id: 2e308, customer: { customer_code: 'CUS_1' } }),
      key('charge.success', { id: 'ü', customer: { customer_code: 'CUS_1' } }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});
