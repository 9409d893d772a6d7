import fc from 'fast-check';
import { applyPayment, draftTransaction, settledBy, statusOf } from '../../src/domain/transaction';
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
  it('settle it in parts, and an excess stays unapplied', () => {
    const open = { status: 'pending', total: 2380n, amountPaid: 0n } as const;
    const part = applyPayment(open, 2000n);
    expect(part).toEqual({ applied: 2000n, unapplied: 0n, status: 'partially_paid', amountPaid: 2000n });
    const rest = applyPayment({ ...open, ...part }, 500n);
    expect(rest).toEqual({ applied: 380n, unapplied: 120n, status: 'paid', amountPaid: 2380n });
    expect(applyPayment({ ...open, ...rest }, 1n)).toMatchObject({
      applied: 0n,
      unapplied: 1n,
      status: 'paid',
    });
  });

  it('settle the one of which the same amount is open, or else the earliest due, in their currency', () => {
    const of = (total: bigint, currency = 'USD', amountPaid = 0n) => ({ total, currency, amountPaid });
    const open = [of(500n, 'EUR'), of(1000n), of(700n, 'USD', 200n)];
    expect(settledBy({ amount: 500n, currency: 'USD' }, open)).toBe(open[2]);
    expect(settledBy({ amount: 800n, currency: 'USD' }, open)).toBe(open[1]);
    expect(settledBy({ amount: 500n, currency: 'JPY' }, open)).toBeUndefined();
  });

  it('settle nothing that is void', () => {
    expect(applyPayment({ status: 'void', total: 2380n, amountPaid: 380n }, 2000n)).toEqual({
      applied: 0n,
      unapplied: 2000n,
      status: 'void',
      amountPaid: 380n,
    });
  });

  it('never take more than the total, and lose nothing', () => {
    const amounts = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(amounts, fc.array(amounts, { maxLength: 8 }), (total, payments) => {
        let transaction = { status: statusOf(total, 0n), total, amountPaid: 0n };
        let unapplied = 0n;
        for (const amount of payments) {
          const { applied, unapplied: rest, status, amountPaid } = applyPayment(transaction, amount);
          expect(applied + rest).toBe(amount);
          unapplied += rest;
          if (status === 'void') throw new Error('It was not void.');
          transaction = { total, status, amountPaid };
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
