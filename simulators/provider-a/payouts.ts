import { z } from 'zod';
import { newId, type Account } from './account';
import { emit } from './events';
import { instants, isWithin } from './lists';
import { expand, paging, text } from './parameters';
import { recordBalance } from './payments';
import { invalid } from './problem';
import type { BalanceTransaction, Payout } from './payment-records';

export const payoutListParameters = z.strictObject({
  arrival_date: instants.optional(),
  expand,
  status: z.enum(['pending', 'paid', 'failed', 'canceled']).optional(),
  ...paging,
});

export const balanceListParameters = z.strictObject({ expand, payout: text, ...paging });

/** How a payout is made: manually by the merchant, or with lines that the provider is still compiling. */
export interface PayoutManner {
  byHand?: boolean | undefined;
  stillReconciling?: boolean | undefined;
}

/** Pays out, per currency, everything that no payout contains yet. */
export function makePayouts(account: Account, by: PayoutManner = {}): Payout[] {
  const taken = new Set(account.all('payout').flatMap((payout) => balanceOfPayout(account, payout)));
  const waiting = account
    .all('balance_transaction')
    .filter((line) => line.type !== 'payout' && !taken.has(line));
  return [...new Set(waiting.map(({ currency }) => currency))].map((currency) =>
    makePayout(
      account,
      currency,
      waiting.filter((line) => line.currency === currency),
      by,
    ),
  );
}

/** Returns a payout, as the bank does: its money is back in the account, and the next payout contains it. */
export function failPayout(account: Account, payout: Payout): void {
  const { amount, currency, id } = payout;
  payout.status = 'failed';
  recordBalance(account, { amount, fee: 0, currency, source: id, type: 'payout_failure' });
  emit(account, 'payout.failed', payout, { status: 'paid' });
}

/** Handles `GET /v1/balance_transactions?payout=`. @throws Problem for a manual payout */
export function listBalanceOf(account: Account, payout: Payout): BalanceTransaction[] {
  if (!payout.automatic) {
    throw invalid('Balance transaction history can only be filtered on automatic transfers, not manual.');
  }
  return payout.reconciliation_status === 'completed' ? balanceOfPayout(account, payout) : [];
}

/** Handles `GET /v1/payouts`: newest first. */
export function listPayouts(account: Account, wanted: z.output<typeof payoutListParameters>): Payout[] {
  return account
    .all('payout')
    .filter(({ status }) => wanted.status === undefined || status === wanted.status)
    .filter(({ arrival_date: at }) => isWithin(at, wanted.arrival_date))
    .reverse();
}

function balanceOfPayout(account: Account, payout: Payout): BalanceTransaction[] {
  return account.brought.get(payout.id) ?? [];
}

function makePayout(
  account: Account,
  currency: string,
  lines: BalanceTransaction[],
  { byHand = false, stillReconciling = false }: PayoutManner,
): Payout {
  const amount = lines.reduce((sum, { net }) => sum + net, 0);
  const payout: Payout = account.add({
    id: newId('po'),
    object: 'payout',
    amount,
    arrival_date: account.now,
    automatic: !byHand,
    balance_transaction: null,
    created: account.now,
    currency,
    livemode: account.livemode,
    metadata: {},
    reconciliation_status: byHand ? 'not_applicable' : 'in_progress',
    status: 'paid',
  });
  payout.balance_transaction = recordBalance(account, {
    amount: -amount,
    fee: 0,
    currency,
    source: payout.id,
    type: 'payout',
  });
  for (const line of lines) line.status = 'available';
  account.brought.set(payout.id, lines);
  emit(account, 'payout.created', payout);
  emit(account, 'payout.paid', payout);
  if (byHand || stillReconciling) return payout;
  payout.reconciliation_status = 'completed';
  emit(account, 'payout.reconciliation_completed', payout, { reconciliation_status: 'in_progress' });
  return payout;
}
