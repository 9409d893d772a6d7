import { newId, type Account } from './account';
import { emit } from './events';
import { recordBalance } from './payments';
import { refused } from './problem';
import type { Dispute } from './payment-records';

/** Fee for a dispute in addition to the amount, in minor units. */
const FEE = 1500;

/**
 * Opens a customer's dispute of a charge, or of a part of it: the money and a fee leave the balance at once, unless it
 * is only an inquiry of the bank.
 */
export function openDispute(
  account: Account,
  chargeId: string,
  { amount, inquiry = false }: { amount?: number | undefined; inquiry?: boolean | undefined } = {},
): Dispute {
  const charge = account.get('charge', chargeId);
  charge.disputed = true;
  const dispute = account.add({
    id: newId('dp'),
    object: 'dispute',
    amount: amount ?? charge.amount - charge.amount_refunded,
    charge: charge.id,
    created: account.now,
    currency: charge.currency,
    livemode: account.livemode,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: 'fraudulent',
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  });
  emit(account, 'charge.dispute.created', dispute);
  if (!inquiry) withdraw(account, dispute);
  return dispute;
}

/**
 * Turns an inquiry into a dispute: the money and a fee leave the balance. The dispute keeps its id.
 *
 * @throws Problem when it is no open inquiry
 */
export function escalateInquiry(account: Account, id: string): Dispute {
  const dispute = account.get('dispute', id);
  if (dispute.status !== 'warning_needs_response') throw refused('This dispute is no inquiry.');
  dispute.status = 'needs_response';
  withdraw(account, dispute);
  emit(account, 'charge.dispute.updated', dispute, { status: 'warning_needs_response' });
  return dispute;
}

function withdraw(account: Account, dispute: Dispute): void {
  move(account, dispute, -dispute.amount, FEE);
  emit(account, 'charge.dispute.funds_withdrawn', dispute);
}

/**
 * Closes a dispute with the bank's decision; if the merchant won, the money returns with the fee. An inquiry has taken
 * none.
 *
 * @throws Problem when it is already decided
 */
export function closeDispute(
  account: Account,
  id: string,
  status: 'won' | 'lost' | 'warning_closed',
): Dispute {
  const dispute = account.get('dispute', id);
  const open = status === 'warning_closed' ? 'warning_needs_response' : 'needs_response';
  if (dispute.status !== open) throw refused('This dispute is already closed.');
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
