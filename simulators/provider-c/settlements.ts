import type { z } from 'zod';
import { namedCall } from '../core/named-call';
import type { Account } from './account';
import { Refusal } from './answers';
import type { settlementsQuery } from './parameters';
import type { Refund, Settlement, Transaction } from './records';
import { DAY_MS } from '../../src/domain/instant';

const settleAtMidnight = namedCall('c.settle', (account: Account) => {
  account.settlementDueAt = undefined;
  settle(account);
});

/** Schedules the payout of payments at the next midnight in UTC, one settlement per currency. No webhook reports it. */
export function settleLater(account: Account): void {
  if (account.settlementDueAt !== undefined) return;
  const midnight = (Math.floor(account.now / DAY_MS) + 1) * DAY_MS;
  account.settlementDueAt = midnight;
  account.core.clock.at(midnight, settleAtMidnight(account));
}

function settle(account: Account): void {
  const due = [...account.transactions.values()].filter((t) => t.paidAt !== null && !t.isSettled);
  for (const currency of new Set(due.map((transaction) => transaction.currency))) {
    const transactions = due.filter((transaction) => transaction.currency === currency);
    const refunds = deductible(account, currency, netOf(transactions));
    for (const transaction of transactions) transaction.isSettled = true;
    const id = account.nextId();
    for (const refund of refunds) Object.assign(refund, { isDeducted: true, settlementId: id });
    account.settlements.push({
      id,
      currency,
      transactions,
      processed: sum(transactions.map(({ amount }) => amount)),
      fees: sum(transactions.map(({ fees }) => fees)),
      deductions: sum(refunds.map(({ amount }) => amount)),
      settledAt: account.now,
    });
  }
}

/** Returns the refunds that the payout bears, earliest first; the others wait for the next one. */
function deductible(account: Account, currency: string, net: number): Refund[] {
  let left = net;
  return [...account.refunds.values()].filter((refund) => {
    if (refund.status !== 'processed' || refund.isDeducted || refund.transaction.currency !== currency)
      return false;
    if (refund.amount > left) return false;
    left -= refund.amount;
    return true;
  });
}

function netOf(transactions: readonly Transaction[]): number {
  return sum(transactions.map(({ amount, fees }) => amount - fees));
}

/** Lists settlements by creation time. Every settlement here was paid out. */
export function settlementsOf(
  account: Account,
  { status = 'success', subaccount = 'none', from = 0, to = Infinity }: z.output<typeof settlementsQuery>,
): Settlement[] {
  if (status !== 'success' || subaccount !== 'none') return [];
  return account.settlements.filter(({ settledAt }) => settledAt >= from && settledAt <= to);
}

/** @param id in digits */
export function findSettlement(account: Account, id: string): Settlement {
  const found = account.settlements.find((settlement) => String(settlement.id) === id);
  if (found === undefined) throw new Refusal(404, 'settlement_not_found', 'Settlement not found');
  return found;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
