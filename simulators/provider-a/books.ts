import { addPayout, type Books } from '../core/books';
import type { Account } from './account';
import type { Charge } from './payment-records';

/** A closed inquiry has taken nothing. */
const STATES = {
  warning_needs_response: 'open',
  warning_closed: 'won',
  needs_response: 'open',
  won: 'won',
  lost: 'lost',
} as const;

/** Computes the books from the account's charges, refunds, disputes and payouts. */
export function booksOf(account: Account): Books {
  const paidOut: Books['paidOut'] = {};
  for (const { id, amount, currency, status } of account.all('payout')) {
    if (status !== 'paid') continue;
    addPayout(paidOut, { currency: upper(currency), net: BigInt(amount), fees: BigInt(feesOf(account, id)) });
  }
  const refunds = account.all('refund').filter(({ status }) => status !== 'failed' && status !== 'canceled');
  const lost = account.all('dispute').filter(({ status }) => status === 'lost');
  return {
    payments: account
      .all('charge')
      .filter(({ status }) => status === 'succeeded')
      .map((charge) => bookedOf(account, charge)),
    returned: [...refunds, ...lost].map(({ amount, currency }) => ({
      amount: BigInt(amount),
      currency: upper(currency),
    })),
    disputes: account.all('dispute').map(({ status }) => STATES[status]),
    paidOut,
  };
}

/** Returns the fees of a payout's lines, and of the returned payouts whose money it sends again. */
function feesOf(account: Account, payout: string): number {
  let fees = 0;
  for (const { type, fee, source } of account.brought.get(payout) ?? []) {
    fees += type === 'payout_failure' ? feesOf(account, source) : fee;
  }
  return fees;
}

function bookedOf(account: Account, charge: Charge): Books['payments'][number] {
  const disputes = account.all('dispute').filter((dispute) => dispute.charge === charge.id);
  const lost = disputes.filter(({ status }) => status === 'lost');
  return {
    reference: charge.payment_intent,
    kind: 'payment',
    disputable: charge.id,
    amount: BigInt(charge.amount),
    currency: upper(charge.currency),
    returned: BigInt(lost.reduce((sum, { amount }) => sum + amount, charge.amount_refunded)),
    isDisputed: disputes.length > 0,
  };
}

function upper(currency: string): string {
  return currency.toUpperCase();
}
