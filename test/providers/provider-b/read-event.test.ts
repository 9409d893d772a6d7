import type { CanonicalEvent } from '../../../src/providers/canonical-event';
import { createProviderB } from '../../../src/providers/provider-b/adapter';
import { eventBytes as bytes } from './event-bytes';

const adapter = createProviderB({ now: Date.now });
const readEvent = (raw: Buffer): CanonicalEvent => adapter.readEvent(raw);

const subscription = {
  id: 'I-40UGYEKPGFYM',
  status: 'ACTIVE',
  plan_id: 'P-26F91888',
  quantity: '3',
  start_time: '2026-10-10T22:40:00Z',
  subscriber: { payer_id: 'YY9WRWVMNRFRC' },
  billing_info: {
    cycle_executions: [{ tenure_type: 'REGULAR', cycles_completed: 1 }],
    next_billing_time: '2026-11-10T10:00:00Z',
    failed_payments_count: 0,
  },
};
describe('the events of provider B', () => {
  it('tell of a subscription', () => {
    expect(readEvent(bytes('BILLING.SUBSCRIPTION.UPDATED', subscription))).toEqual({
      type: 'subscription.changed',
      eventType: 'BILLING.SUBSCRIPTION.UPDATED',
      dedupeKey: 'WH-1XS97263M8117650H-63C0057569090994L',
      occurredAt: Date.parse('2026-11-10T21:41:03.688Z'),
      environment: null,
      references: [{ kind: 'subscription', reference: 'I-40UGYEKPGFYM' }],
      subscription: {
        reference: 'I-40UGYEKPGFYM',
        status: 'active',
        planReference: 'P-26F91888',
        quantity: 3,
        currentPeriodStart: null,
        currentPeriodEnd: Date.parse('2026-11-10T10:00:00Z'),
        cancelAtPeriodEnd: false,
        beganAt: Date.parse('2026-10-10T22:40:00Z'),
        customerReference: 'YY9WRWVMNRFRC',
      },
    });
  });

  const retried = { last_payment: { time: '2026-10-10T10:00:00Z' }, failed_payments_count: 0 };
  const failed = (time: string) => ({ billing_info: { ...retried, last_failed_payment: { time } } });
  const expiredUnpaid = { status: 'EXPIRED', billing_info: { failed_payments_count: 1 } };
  it.each([
    ['CREATED', { status: 'APPROVAL_PENDING' }, 'subscription.changed', 'incomplete'],
    ['ACTIVATED', {}, 'subscription.changed', 'active'],
    ['RE-ACTIVATED', {}, 'subscription.changed', 'active'],
    ['SUSPENDED', { status: 'SUSPENDED' }, 'subscription.changed', 'past_due'],
    ['PAYMENT.FAILED', { billing_info: { failed_payments_count: 1 } }, 'invoice.failed', 'past_due'],
    ['PAYMENT.FAILED', failed('2026-11-10T10:00:00Z'), 'invoice.failed', 'past_due'],
    ['UPDATED', failed('2026-09-10T10:00:00Z'), 'subscription.changed', 'active'],
    ['CANCELLED', { status: 'CANCELLED', billing_info: undefined }, 'subscription.ended', 'cancelled'],
    ['EXPIRED', { status: 'EXPIRED' }, 'subscription.ended', 'cancelled'],
    ['EXPIRED', expiredUnpaid, 'subscription.ended', 'expired'],
  ])('tell of BILLING.SUBSCRIPTION.%s', (name, changes, type, status) => {
    const event = readEvent(bytes(`BILLING.SUBSCRIPTION.${name}`, { ...subscription, ...changes }));
    expect([event.type, event.subscription?.status]).toEqual([type, status]);
  });

  it('tell a suspension of a paid period from one while a payment is retried', () => {
    const facts = (at: string) =>
      readEvent(
        bytes('BILLING.SUBSCRIPTION.SUSPENDED', { ...subscription, status: 'SUSPENDED', ...failed(at) }),
      ).subscription;
    expect(facts('2026-09-10T10:00:00Z')?.isSuspended).toBe(true);
    expect(facts('2026-11-10T10:00:00Z')?.isSuspended).toBeUndefined();
  });

  it.each(['3', '3.0', '3.00', '03'])('tell of the whole quantity %j', (quantity) => {
    const { subscription: facts } = readEvent(
      bytes('BILLING.SUBSCRIPTION.UPDATED', { ...subscription, quantity }),
    );
    expect(facts?.quantity).toBe(3);
  });

  it.each(['0', '2.5', '-3', '1e3', '3.', ''])('tell of no subscription whose quantity is %j', (quantity) => {
    const event = readEvent(bytes('BILLING.SUBSCRIPTION.UPDATED', { ...subscription, quantity }));
    expect(event).not.toHaveProperty('subscription');
  });

  it('are a hint without facts when a subscription comes in a shape or state that is not known', () => {
    for (const resource of [
      { id: 'I-8XDDEX45F1LH', state: 'Active', agreement_details: {} },
      { ...subscription, id: 'I-8XDDEX45F1LH', status: 'DREAMING' },
      { ...subscription, id: 'I-8XDDEX45F1LH', start_time: '2018-19-12T22:20:32Z' },
    ]) {
      const event = readEvent(bytes('BILLING.SUBSCRIPTION.UPDATED', resource));
      expect(event.references).toEqual([{ kind: 'subscription', reference: 'I-8XDDEX45F1LH' }]);
      expect(event).not.toHaveProperty('subscription');
    }
  });

  it('tell of a renewal’s payment in the words of version 1', () => {
    const event = readEvent(
      bytes('PAYMENT.SALE.COMPLETED', {
        id: '44P499886K055384U',
        state: 'completed',
        amount: { total: '14.5', currency: 'CAD', details: { subtotal: 14.5 } },
        billing_agreement_id: 'I-37B4TLL0FAJJ',
        create_time: '2021-04-17T22:44:02Z',
      }),
    );
    expect(event).toMatchObject({
      type: 'invoice.paid',
      references: [
        { kind: 'payment', reference: '44P499886K055384U' },
        { kind: 'subscription', reference: 'I-37B4TLL0FAJJ' },
      ],
      payment: {
        kind: 'payment',
        amount: 1450n,
        currency: 'CAD',
        status: 'succeeded',
        subscriptionReference: 'I-37B4TLL0FAJJ',
      },
    });
  });

  it('name the order of a capture only as its order', () => {
    const event = readEvent(
      bytes('PAYMENT.CAPTURE.COMPLETED', {
        id: '29Y24445UY2083144',
        status: 'COMPLETED',
        amount: { value: '1200', currency_code: 'JPY' },
        supplementary_data: { related_ids: { order_id: '89T257400V0473133' } },
        create_time: '2022-02-02T00:22:38-08:00',
        links: [{ rel: 'up', href: 'https://api.paypal.com/v2/checkout/orders/89T257400V0473133' }],
      }),
    );
    expect(event).toMatchObject({
      type: 'payment.succeeded',
      references: [
        { kind: 'capture', reference: '29Y24445UY2083144' },
        { kind: 'order', reference: '89T257400V0473133' },
      ],
      payment: {
        kind: 'capture',
        reference: '29Y24445UY2083144',
        amount: 1200n,
        occurredAt: Date.UTC(2022, 1, 2, 8, 22, 38),
      },
    });
  });

  it('say of an approved order that the checkout is finished, and nothing of money', () => {
    const event = readEvent(
      bytes('CHECKOUT.ORDER.APPROVED', { id: '9JL52742K01513702', status: 'APPROVED' }),
    );
    expect([event.type, event.payment]).toEqual(['checkout.completed', undefined]);
    const back = readEvent(bytes('CHECKOUT.PAYMENT-APPROVAL.REVERSED', { order_id: '9JL52742K01513702' }));
    expect([back.type, back.references]).toEqual([
      'checkout.expired',
      [{ kind: 'order', reference: '9JL52742K01513702' }],
    ]);
  });

  it('name both kinds of payment that a dispute may be about', () => {
    const event = readEvent(
      bytes('CUSTOMER.DISPUTE.CREATED', {
        dispute_id: 'PP-000-003-648-191',
        disputed_transactions: [{ seller_transaction_id: '00D10444LD479031K' }, {}],
      }),
    );
    expect(event.references.map(({ kind }) => kind)).toEqual(['capture', 'payment']);
  });

  it.each(['PAYMENT.CAPTURE.PENDING', 'BILLING.PLAN.UPDATED', 'toString', '__proto__', 'constructor'])(
    'of the type %s are ignored',
    (type) => {
      expect(readEvent(bytes(type, { id: 'X' }))).toMatchObject({ type: 'ignored', references: [] });
    },
  );
});
