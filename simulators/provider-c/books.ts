import { addPayout, type Books } from '../core/books';
import type { Account } from './account';

/** Computes the books from transactions, refunds and settlements; a lost dispute is one of its refunds. */
export function booksOf(account: Account): Books {
  const paidOut: Books['paidOut'] = {};
  for (const { currency, processed, fees, deductions } of account.settlements) {
    addPayout(paidOut, { currency, net: BigInt(processed - fees - deductions), fees: BigInt(fees) });
  }
  const refunds = [...account.refunds.values()].filter(({ status }) => status !== 'failed');
  const disputed = new Set([...account.disputes.values()].map(({ transaction }) => transaction.reference));
  return {
    payments: [...account.transactions.values()]
      .filter(({ paidAt }) => paidAt !== null)
      .map(({ reference, amount, currency }) => ({
        reference,
        kind: 'payment',
        disputable: reference,
        amount: BigInt(amount),
        currency,
        returned: refunds
          .filter(({ transaction }) => transaction.reference === reference)
          .reduce((sum, refund) => sum + BigInt(refund.amount), 0n),
        isDisputed: disputed.has(reference),
      })),
    returned: refunds.map(({ amount, transaction }) => ({
      amount: BigInt(amount),
      currency: transaction.currency,
    })),
    disputes: [...account.disputes.values()].map(({ resolution, refundAmount }) => {
      if (resolution === null) return 'open';
      return refundAmount > 0 ? 'lost' : 'won';
    }),
    paidOut,
  };
}
