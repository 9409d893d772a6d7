import type { Account } from './account';
import { Refusal } from './answers';
import type { Settlement } from './records';

const DAY_MS = 86_400_000;

/** What was paid is paid out at the next midnight in UTC, one settlement a currency. No webhook tells of it. */
export function settleLater(account: Account): void {
  if (account.settlementDueAt !== undefined) return;
  const midnight = (Math.floor(account.now / DAY_MS) + 1) * DAY_MS;
  account.settlementDueAt = midnight;
  account.core.clock.at(midnight, () => {
    account.settlementDueAt = undefined;
    settle(account);
  });
}

function settle(account: Account): void {
  const due = [...account.transactions.values()].filter((t) => t.paidAt !== null && !t.isSettled);
  for (const currency of new Set(due.map((transaction) => transaction.currency))) {
    const transactions = due.filter((transaction) => transaction.currency === currency);
    const refunds = [...account.refunds.values()].filter(
      (refund) =>
        refund.status === 'processed' && !refund.isDeducted && refund.transaction.currency === currency,
    );
    for (const transaction of transactions) transaction.isSettled = true;
    for (const refund of refunds) refund.isDeducted = true;
    account.settlements.push({
      id: account.nextId(),
      currency,
      transactions,
      processed: sum(transactions.map(({ amount }) => amount)),
      fees: sum(transactions.map(({ fees }) => fees)),
      deductions: sum(refunds.map(({ amount }) => amount)),
      settledAt: account.now,
    });
  }
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
