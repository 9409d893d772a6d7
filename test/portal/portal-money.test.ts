import type { PaymentResource } from '../../src/payments/payment-resource';
import type { RefundResource } from '../../src/payments/refund-resource';
import { toPortalPayment } from '../../src/portal/portal-money';

const usd = (amount: string) => ({ amount, currency: 'USD' });
const payment = (refunded: string) => ({ id: 'pay_1', amount: usd('2900'), refundedAmount: usd(refunded) });
const pending = (paymentId: string, amount: string) => ({ paymentId, amount: usd(amount) });

test.each([
  ['none', '0', [], '0', '0'],
  ['one that was paid back', '1000', [], '1000', '0'],
  ['one that is pending', '1000', [pending('pay_1', '1000')], '0', '1000'],
  [
    'both, and one of another payment',
    '1500',
    [pending('pay_1', '500'), pending('pay_2', '900')],
    '1000',
    '500',
  ],
  ['one requested since the payment was read', '0', [pending('pay_1', '500')], '0', '0'],
])('of the refunds of a payment, only pending ones may still fail: %s', (_, all, open, refunded, being) => {
  const shown = toPortalPayment(payment(all) as PaymentResource, open as RefundResource[]);
  expect(shown).toMatchObject({ refunded: usd(refunded), beingRefunded: usd(being) });
});
