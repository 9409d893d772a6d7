import { newId, type Account } from './account';
import { emit } from './events';
import type { BalanceTransaction, Dispute, Payout } from './more-records';
import { recordBalance } from './payments';

/** Which balance transactions a payout brought. */
const brought = new WeakMap<Payout, BalanceTransaction[]>();

/** Pays out, per currency, what no payout has brought yet. */
export function makePayouts(account: Account): Payout[] {
  const taken = new Set(account.all('payout').flatMap((payout) => balanceOfPayout(payout)));
  const waiting = account
    .all('balance_transaction')
    .filter((line) => line.type !== 'payout' && !taken.has(line));
  return [...new Set(waiting.map(({ currency }) => currency))].map((currency) =>
    makePayout(
      account,
      currency,
      waiting.filter((line) => line.currency === currency),
    ),
  );
}

export function balanceOfPayout(payout: Payout): BalanceTransaction[] {
  return brought.get(payout) ?? [];
}

/** The customer disputes a charge at their bank. */
export function openDispute(account: Account, chargeId: string): Dispute {
  const charge = account.get('charge', chargeId);
  charge.disputed = true;
  const dispute = account.add({
    id: newId('dp'),
    object: 'dispute',
    amount: charge.amount,
    charge: charge.id,
    created: account.now,
    currency: charge.currency,
    livemode: account.livemode,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  });
  emit(account, 'charge.dispute.created', dispute);
  return dispute;
}

function makePayout(account: Account, currency: string, lines: BalanceTransaction[]): Payout {
  const amount = lines.reduce((sum, { net }) => sum + net, 0);
  const payout: Payout = account.add({
    id: newId('po'),
    object: 'payout',
    amount,
    arrival_date: account.now,
    automatic: true,
    balance_transaction: null,
    created: account.now,
    currency,
    livemode: account.livemode,
    metadata: {},
    reconciliation_status: 'in_progress',
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
  brought.set(payout, lines);
  emit(account, 'payout.created', payout);
  emit(account, 'payout.paid', payout);
  payout.reconciliation_status = 'completed';
  emit(account, 'payout.reconciliation_completed', payout, { reconciliation_status: 'in_progress' });
  return payout;
}
