import { z } from 'zod';
import { newId, type Account } from './account';
import { requireCharged } from './amounts';
import { emit } from './events';
import { expand, metadata, paging, text, whole } from './parameters';
import { recordBalance } from './payments';
import { invalid, refused } from './problem';
import type { Refund } from './payment-records';

export const refundParameters = z.strictObject({
  amount: whole.optional(),
  charge: text.optional(),
  expand,
  metadata: metadata.optional(),
  payment_intent: text.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
});

export const refundListParameters = z.strictObject({
  charge: text.optional(),
  expand,
  payment_intent: text.optional(),
  ...paging,
});

/** Handles `GET /v1/refunds`: newest first. */
export function listRefunds(account: Account, wanted: z.output<typeof refundListParameters>): Refund[] {
  return account
    .all('refund')
    .filter(({ charge }) => wanted.charge === undefined || charge === wanted.charge)
    .filter(
      ({ payment_intent: intent }) => wanted.payment_intent === undefined || intent === wanted.payment_intent,
    )
    .reverse();
}

/** Handles `POST /v1/refunds`: part of a charge, or all of its remainder. */
export function createRefund(account: Account, wanted: z.output<typeof refundParameters>): Refund {
  const chargeId = wanted.charge ?? chargeOf(account, wanted.payment_intent);
  const charge = account.get('charge', chargeId, 'charge');
  if (isChargedBack(account, charge.id)) {
    throw refused(`Charge ${charge.id} has been charged back; cannot issue a refund.`, 'charge_disputed');
  }
  if (charge.status !== 'succeeded')
    throw refused(`Charge ${charge.id} does not have a successful charge to refund.`);
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) throw refused(`Charge ${charge.id} has already been refunded.`, 'charge_already_refunded');
  const amount = wanted.amount ?? left;
  if (amount <= 0) throw invalid('This value must be greater than or equal to 1.', { param: 'amount' });
  requireCharged(amount, charge.currency);
  if (amount > left) {
    throw refused(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`);
  }
  const refund: Refund = account.add({
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: account.now,
    currency: charge.currency,
    metadata: wanted.metadata ?? {},
    payment_intent: charge.payment_intent,
    reason: wanted.reason ?? null,
    ...stateOf(account.refundsStayPending),
  });
  refund.balance_transaction = recordBalance(account, {
    amount: -amount,
    fee: 0,
    currency: charge.currency,
    source: refund.id,
    type: 'refund',
  });
  const before = charge.amount_refunded;
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  emit(account, 'refund.created', refund);
  emit(account, 'charge.refunded', charge, { amount_refunded: before });
  return refund;
}

/** Whether its money is disputed or lost. The payment of an inquiry can be refunded. */
function isChargedBack(account: Account, charge: string): boolean {
  const taking = account
    .all('dispute')
    .filter(({ status }) => status === 'needs_response' || status === 'lost');
  return taking.some((dispute) => dispute.charge === charge);
}

function stateOf(hold: Account['refundsStayPending']): Pick<Refund, 'status' | 'pending_reason'> {
  if (hold === false) return { status: 'succeeded', pending_reason: null };
  if (hold === 'requires_action') return { status: hold, pending_reason: null };
  return { status: 'pending', pending_reason: hold === true ? 'processing' : hold };
}

/** Settles a refund: it arrives at the customer's bank, or comes back into the balance, even later. */
export function settleRefund(account: Account, id: string, status: 'succeeded' | 'failed'): Refund {
  const refund = account.get('refund', id);
  const charge = account.get('charge', refund.charge);
  const before = refund.status;
  Object.assign(refund, { status, pending_reason: null });
  if (status === 'failed') {
    refund.failure_reason = 'lost_or_stolen_card';
    charge.amount_refunded -= refund.amount;
    charge.refunded = false;
    refund.failure_balance_transaction = recordBalance(account, {
      amount: refund.amount,
      fee: 0,
      currency: refund.currency,
      source: refund.id,
      type: 'refund_failure',
    });
  }
  emit(account, 'refund.updated', refund, { status: before });
  if (status === 'failed') emit(account, 'refund.failed', refund);
  return refund;
}

function chargeOf(account: Account, intentId: string | undefined): string {
  if (intentId === undefined)
    throw invalid(
      'One of the following params should be provided for this request: payment_intent or charge.',
    );
  const { latest_charge: charge } = account.get('payment_intent', intentId, 'payment_intent');
  if (charge === null)
    throw refused(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`);
  return charge;
}
