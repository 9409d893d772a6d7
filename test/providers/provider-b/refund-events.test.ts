import { MalformedEventError, type CanonicalEvent } from '../../../src/providers/canonical-event';
import { createProviderB } from '../../../src/providers/provider-b/adapter';
import { eventBytes as bytes } from './event-bytes';

const adapter = createProviderB({ now: Date.now });
const readEvent = (raw: Buffer): CanonicalEvent => adapter.readEvent(raw);

const refund = {
  id: '55105082X5896632E',
  amount: { currency_code: 'USD', value: '10.00' },
  seller_payable_breakdown: { total_refunded_amount: { currency_code: 'USD', value: '30.0' } },
  status: 'COMPLETED',
  links: [
    { href: 'https://api.paypal.com/v2/payments/refunds/55105082X5896632E', rel: 'self' },
    { href: 'https://api-m.sandbox.paypal.com/v2/payments/captures/9BT885563M275774M', rel: 'up' },
  ],
};

describe('the refund events of provider B', () => {
  it('find the capture of a refund in its up link, whatever the host', () => {
    const event = readEvent(bytes('PAYMENT.CAPTURE.REFUNDED', refund));
    expect(event).toMatchObject({
      type: 'refund.changed',
      references: [
        { kind: 'refund', reference: '55105082X5896632E' },
        { kind: 'capture', reference: '9BT885563M275774M' },
      ],
      refund: {
        reference: '55105082X5896632E',
        of: { kind: 'capture', reference: '9BT885563M275774M' },
        amount: 1000n,
        status: 'succeeded',
        totalRefunded: 3000n,
      },
    });
  });

  it('prefer the related capture id to the link', () => {
    const related = {
      ...refund,
      supplementary_data: { related_ids: { capture_id: 'CAPTURE2', order_id: 'ORDER2' } },
    };
    expect(readEvent(bytes('PAYMENT.CAPTURE.REVERSED', related)).refund?.of.reference).toBe('CAPTURE2');
  });

  it.each([
    [[]],
    [undefined],
    [[{ rel: 'up', href: 'https://api.paypal.com/v2/checkout/orders/89T257400V0473133' }]],
    [[{ rel: 'up', href: 'https://api.paypal.com/v2/payments/authorizations/7W5147081L658180V' }]],
    [[{ rel: 'up', href: 'https://api.paypal.com/v2/payments/captures/A/refund' }]],
    [[{ rel: 'up', href: '/v2/payments/captures/9BT885563M275774M' }]],
    [[{ rel: 'self', href: 'https://api.paypal.com/v2/payments/captures/9BT885563M275774M' }]],
  ])('are refused when a refund has only the links %j', (links) => {
    expect(() => readEvent(bytes('PAYMENT.CAPTURE.REFUNDED', { ...refund, links }))).toThrow(
      MalformedEventError,
    );
  });

  it('tell of the refund and the reversal of a subscription’s payment', () => {
    const event = readEvent(
      bytes('PAYMENT.SALE.REFUNDED', {
        id: '6YX43824R4443062K',
        sale_id: '9T0916710M1105906',
        state: 'completed',
        amount: { total: '-0.01', currency: 'USD' },
        total_refunded_amount: { value: '0.02', currency: 'USD' },
      }),
    );
    expect(event.refund).toEqual({
      reference: '6YX43824R4443062K',
      of: { kind: 'payment', reference: '9T0916710M1105906' },
      amount: 1n,
      currency: 'USD',
      status: 'succeeded',
      totalRefunded: 2n,
    });
    const reversal = readEvent(
      bytes('PAYMENT.SALE.REVERSED', {
        id: '77689802DL785834G',
        state: 'completed',
        amount: { total: '-0.49', currency: 'USD' },
      }),
    );
    expect([reversal.type, reversal.references, reversal.refund, reversal.payment]).toEqual([
      'refund.changed',
      [{ kind: 'payment', reference: '77689802DL785834G' }],
      {
        reference: 'reversal-of-77689802DL785834G',
        of: { kind: 'payment', reference: '77689802DL785834G' },
        amount: 49n,
        currency: 'USD',
        status: 'succeeded',
        totalRefunded: null,
        isUnnamed: true,
      },
      undefined,
    ]);
    expect(() => readEvent(bytes('PAYMENT.SALE.REVERSED', { id: '77689802DL785834G' }))).toThrow(
      MalformedEventError,
    );
    expect(() => readEvent(bytes('PAYMENT.SALE.REFUNDED', { id: '6YX43824R4443062K' }))).toThrow(
      MalformedEventError,
    );
  });
});
