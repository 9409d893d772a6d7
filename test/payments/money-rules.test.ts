import fc from 'fast-check';
import { refundableAmount, refundAmount, type RefundablePayment } from '../../src/domain/refund';
import { settlementTotals } from '../../src/domain/settlement';
import { toSettlementWithLines } from '../../src/payments/settlement-resource';
import type { SettlementLine } from '../../src/payments/settlement-line-store';
import { cases } from '../domain/property';

const payment: RefundablePayment = {
  id: 'pay_1',
  status: 'succeeded',
  currency: 'USD',
  amount: 1000n,
  refundedAmount: 0n,
};
const usd = (amount: bigint) => ({ amount, currency: 'USD' });

test('a refund without an amount takes all that is left', () => {
  expect(refundAmount(payment, null)).toBe(1000n);
  expect(refundAmount({ ...payment, refundedAmount: 400n }, null)).toBe(600n);
});

test.each([
  ['more than was paid', payment, usd(1001n), 'refund_exceeds_payment'],
  ['more than is left', { ...payment, refundedAmount: 400n }, usd(601n), 'refund_exceeds_payment'],
  ['all of nothing', { ...payment, refundedAmount: 1000n }, null, 'refund_exceeds_payment'],
  [
    'after the provider gave back too much',
    { ...payment, refundedAmount: 1200n },
    null,
    'refund_exceeds_payment',
  ],
  ['another currency', payment, { amount: 1n, currency: 'EUR' }, 'payment_currency_differs'],
  ['a pending payment', { ...payment, status: 'pending' as const }, usd(1n), 'payment_not_refundable'],
  ['a failed payment', { ...payment, status: 'failed' as const }, null, 'payment_not_refundable'],
])('%s is refused', (_, of, requested, code) => {
  expect(() => refundAmount(of, requested)).toThrow(expect.objectContaining({ code }) as Error);
});

test('refunds in any order never exceed the payment, and what is refused would have', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10_000n }),
      fc.array(fc.bigInt({ min: 1n, max: 4_000n }), { maxLength: 20 }),
      (amount, requests) => {
        let refundedAmount = 0n;
        for (const request of requests) {
          const now = { ...payment, amount, refundedAmount };
          try {
            refundedAmount += refundAmount(now, usd(request));
          } catch {
            expect(refundedAmount + request).toBeGreaterThan(amount);
          }
          expect(refundedAmount).toBeLessThanOrEqual(amount);
          expect(refundableAmount({ ...now, refundedAmount })).toBe(amount - refundedAmount);
        }
      },
    ),
    cases(300),
  );
});

test('a settlement is paid less refunded and fees, to the minor unit', () => {
  const payments = [1n, 2n].map((amount) => ({ kind: 'payment', amount }));
  expect(settlementTotals([...payments, { kind: 'refund', amount: 5n }], 1n)).toEqual({
    paid: 3n,
    refunded: 5n,
    fees: 1n,
    net: -3n,
  });
  expect(settlementTotals([], 0n).net).toBe(0n);
});

test.each([
  [2, 0, false],
  [3, 0, true],
  [0, 2, false],
  [0, 3, true],
])(
  'a settlement of %i lines and %i of the provider’s that shows two says whether there are more',
  (count, others, more) => {
    const row = {
      ...settlementTotals([], 0n),
      id: 'stl_1',
      status: 'settled',
      connectionId: null,
      reference: null,
      unmatched: 0n,
      difference: null,
      provider: 'internal',
      currency: 'USD',
      periodStart: 0,
      periodEnd: 1,
      createdAt: 2,
    } as const;
    const lines = Array.from({ length: count }, (_, index): SettlementLine => {
      return { kind: 'payment', id: `pay_${index}`, amount: 1n, at: index };
    });
    const unmatched = Array.from({ length: others }, (_, index) => {
      return { kind: 'charge', reference: `ch_${index}`, amount: 1n, fee: 0n, targetId: null } as const;
    });
    const shown = toSettlementWithLines(row, lines, unmatched, 2);
    expect(shown.lines.map((line) => line.id)).toEqual(['pay_0', 'pay_1'].slice(0, count));
    expect(shown.unmatchedLines.map((line) => line.reference)).toEqual(['ch_0', 'ch_1'].slice(0, others));
    expect(shown.linesMore).toBe(more);
  },
);
