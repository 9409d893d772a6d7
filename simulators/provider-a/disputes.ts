import { newId, type Account } from './account';
import { emit } from './events';
import { recordBalance } from './payments';
import { refused } from './problem';
import type { Dispute } from './payment-records';

/** Fee for a dispute in addition to the amount, in minor units. */
const FEE = 1500;

/** Opens a customer's dispute of a charge: the money and a fee leave the balance at once. */
export function openDispute(account: Account, chargeId: string): Dispute {
  const charge = account.get('charge', chargeId);
  charge.disputed = true;
  const dispute = account.add({
    id: newId('dp'),
    object: 'dispute',
    amount: charge.amount - charge.amount_refunded,
    charge: charge.id,
    created: account.now,
    currency: charge.currency,
    livemode: account.livemode,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: 'needs_response',
  });
  move(account, dispute, -dispute.amount, FEE);
  emit(account, 'charge.dispute.created', dispute);
  emit(account, 'charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/**
 * Closes a dispute with the bank's decision; if the merchant won, the money returns with the fee.
 *
 * @throws Problem when it is already decided
 */
export function closeDispute(account: Account, id: string, status: 'won' | 'lost'): Dispute {
  const dispute = account.get('dispute', id);
  if (dispute.status !== 'needs_response') throw refused('This dispute is already closed.');
  dispute.status = status;
  if (status === 'won') {
    move(account, dispute, dispute.amount, -FEE);
    emit(account, 'charge.dispute.funds_reinstated', dispute);
  }
  emit(account, 'charge.dispute.closed', dispute);
  return dispute;
}

function move(account: Account, { id, currency }: Dispute, amount: number, fee: number): void {
  recordBalance(account, { amount, fee, currency, source: id, type: 'adjustment' });
}
