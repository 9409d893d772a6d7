import { addPayout, type Books } from '../core/books';
import type { Account } from './state';

/** Computes the books from sales, captures and refunds. B makes no payouts: its balance is the sum of its report. */
export function booksOf(account: Account): Books {
  const paidOut: Books['paidOut'] = {};
  for (const { amount, fee, status } of account.ledger) {
    if (status === 'P' || status === 'D') continue;
    addPayout(paidOut, { currency: amount.currency, net: amount.minor - fee, fees: fee });
  }
  const disputed = new Set([...account.disputes.values()].map(({ sale }) => sale.id));
  const paid = [...account.sales.values()].filter(({ state }) => state === undefined);
  const sales = paid.map((sale) => ({
    reference: sale.id,
    kind: 'payment' as const,
    disputable: sale.id,
    amount: sale.amount.minor,
    currency: sale.amount.currency,
    returned: sale.refunded,
    isDisputed: disputed.has(sale.id),
  }));
  const captures = [...account.captures.values()]
    .filter(({ status }) => status !== 'PENDING' && status !== 'DECLINED')
    .map(({ id, unit, refunded }) => ({
      reference: id,
      kind: 'capture' as const,
      disputable: null,
      amount: unit.amount.minor,
      currency: unit.amount.currency,
      returned: refunded,
      isDisputed: false,
    }));
  const refunds = [...account.refunds.values(), ...account.saleRefunds.values()];
  return {
    payments: [...sales, ...captures],
    returned: refunds.map(({ amount }) => ({ amount: amount.minor, currency: amount.currency })),
    disputes: [...account.disputes.values()].map(({ outcome, taken = 0n }) =>
      outcome === 'lost' && taken === 0n ? 'won' : (outcome ?? 'open'),
    ),
    paidOut,
  };
}
