import {
  mayBePaidElsewhere,
  refundableAmount,
  refundAmount,
  type RefundablePayment,
} from '../../src/domain/refund';
import { DAY_MS } from '../../src/domain/instant';
import { refusalOf } from './refusal';

const paid = (refundedAmount: bigint, changes: Partial<RefundablePayment> = {}): RefundablePayment => ({
  id: 'pay_1',
  status: 'succeeded',
  currency: 'USD',
  amount: 1_000n,
  refundedAmount,
  ...changes,
});
const usd = (amount: bigint) => ({ amount, currency: 'USD' });

test.each([
  ['the whole payment', 0n, null, 1_000n],
  ['the rest of one that is refunded in part', 400n, null, 600n],
  ['a part of the rest', 400n, usd(599n), 599n],
  ['exactly the rest', 400n, usd(600n), 600n],
] as const)('refunds %s', (_, refunded, requested, amount) => {
  expect(refundAmount(paid(refunded), requested)).toBe(amount);
});

test.each([
  ['more than the rest', paid(400n), usd(601n), 'refund_exceeds_payment'],
  ['the rest, of which there is none', paid(1_000n), null, 'refund_exceeds_payment'],
  ['anything after the provider refunded more than was paid', paid(1_001n), null, 'refund_exceeds_payment'],
  ['another currency', paid(0n), { amount: 1n, currency: 'EUR' }, 'payment_currency_differs'],
  ['what was not paid', paid(0n, { status: 'pending' }), null, 'payment_not_refundable'],
] as const)('does not refund %s', (_, payment, requested, code) => {
  expect(refusalOf(() => refundAmount(payment, requested)).code).toBe(code);
});

test('nothing is left of a payment that did not succeed, or that the provider refunded more than it took', () => {
  expect(refundableAmount(paid(0n, { status: 'failed' }))).toBe(0n);
  expect(refundableAmount(paid(1_001n))).toBe(0n);
});

test('a payment that is not found may be in another account for a week', () => {
  expect(mayBePaidElsewhere(DAY_MS, 8 * DAY_MS - 1)).toBe(true);
  expect(mayBePaidElsewhere(DAY_MS, 8 * DAY_MS)).toBe(false);
});
