import fc from 'fast-check';
import {
  appliedAmountOf,
  draftTransaction,
  settledBy,
  statusOf,
  withPayment,
} from '../../src/domain/transaction';
import { UNTAXED } from './billing-cases';
import { cases } from './property';

describe('a draft', () => {
  it('comes to what its lines come to, and their tax', () => {
    const line = { description: 'pro', quantity: 1, unitAmount: null };
    const draft = draftTransaction({
      kind: 'proration',
      currency: 'USD',
      lines: [
        { ...line, amount: -1000n },
        { ...line, amount: 3000n },
      ],
      tax: { behavior: 'exclusive', rates: [{ name: 'VAT', rate: '0.19' }] },
      periodStart: 0,
      periodEnd: 1,
      dueAt: 0,
      proration: null,
    });
    expect(draft).toMatchObject({ subtotal: 2000n, taxAmount: 380n, total: 2380n });
  });

  it('is nothing without lines', () => {
    const empty = { kind: 'renewal', currency: 'JPY', lines: [], tax: UNTAXED } as const;
    const draft = draftTransaction({
      ...empty,
      lines: [],
      periodStart: 0,
      periodEnd: 1,
      dueAt: 0,
      proration: null,
    });
    expect(draft.total).toBe(0n);
    expect(statusOf(draft.total, 0n)).toBe('paid');
  });
});

describe('payments of a transaction', () => {
  const open: Parameters<typeof withPayment>[0] = {
    status: 'pending',
    total: 2380n,
    amountPaid: 0n,
    paidAt: null,
  };

  it('settle it in parts, and an excess stays unapplied', () => {
    expect(appliedAmountOf(open, 2000n)).toBe(2000n);
    const part = withPayment(open, { amount: 2000n, receivedAt: 5 });
    expect(part).toEqual({ ...open, status: 'partially_paid', amountPaid: 2000n });
    expect(appliedAmountOf(part, 500n)).toBe(380n);
    const paid = withPayment(part, { amount: 500n, receivedAt: 7 });
    expect(paid).toEqual({ ...open, status: 'paid', amountPaid: 2380n, paidAt: 7 });
    expect(appliedAmountOf(paid, 1n)).toBe(0n);
  });

  it('settle it when the last of them was received, and a later one moves that no more', () => {
    const paid = withPayment(open, { amount: 2380n, receivedAt: 7 });
    expect(withPayment(paid, { amount: 1n, receivedAt: 9 })).toEqual(paid);
  });

  it('settle the one of which the same amount is open, or else the earliest due, in their currency', () => {
    const of = (total: bigint, currency = 'USD', amountPaid = 0n) => ({ total, currency, amountPaid });
    const open = [of(500n, 'EUR'), of(1000n), of(700n, 'USD', 200n)];
    expect(settledBy({ amount: 500n, currency: 'USD' }, open)).toBe(open[2]);
    expect(settledBy({ amount: 800n, currency: 'USD' }, open)).toBe(open[1]);
    expect(settledBy({ amount: 500n, currency: 'JPY' }, open)).toBeUndefined();
  });

  it('settle nothing that is void', () => {
    const ended = { ...open, status: 'void', amountPaid: 380n } as const;
    expect(appliedAmountOf(ended, 2000n)).toBe(0n);
    expect(withPayment(ended, { amount: 2000n, receivedAt: 5 })).toEqual(ended);
  });

  it('never take more than the total, and lose nothing', () => {
    const amounts = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(amounts, fc.array(amounts, { maxLength: 8 }), (total, payments) => {
        let transaction: typeof open = { ...open, status: statusOf(total, 0n), total };
        let unapplied = 0n;
        for (const amount of payments) {
          const applied = appliedAmountOf(transaction, amount);
          expect(applied).toBeGreaterThanOrEqual(0n);
          unapplied += amount - applied;
          transaction = withPayment(transaction, { amount, receivedAt: 5 });
        }
        const paid = payments.reduce((sum, amount) => sum + amount, 0n);
        expect(transaction.amountPaid + unapplied).toBe(paid);
        expect(transaction.amountPaid).toBe(paid < total ? paid : total);
        expect(transaction.status === 'paid').toBe(paid >= total);
      }),
      cases(300),
    );
  });
});
