import { recordAudit } from '../audit/audit-store';
import { completeCheckout } from '../checkouts/complete-checkout';
import type { DbTransaction } from '../db/pools';
import { withOpenPayments } from '../domain/lifecycle';
import { appliedAmountOf, withPayment } from '../domain/transaction';
import { newIdentifier } from '../identifiers/identifier';
import type { BilledSubscription } from '../subscriptions/billed-subscription';
import { saveBilledSubscription } from '../subscriptions/save-subscription-store';
import type { OperationHandler } from '../subscriptions/operation-handler';
import { SOURCES } from '../subscriptions/record-command-effect';
import {
  findTransaction,
  listOpenDueAts,
  savePaidTransaction,
  type TransactionRow,
} from '../subscriptions/transaction-store';
import type { Actor } from '../tenancy/actor';
import { recordPaymentEvent, recordRecovery } from './payment-event';
import { type PaymentInput, fromStoredInput } from './payment-input';
import { requirePaymentHere, transactionNotFound } from './payment-refusals';
import { toPaymentResource } from './payment-resource';
import { insertPayment, type PaymentRow } from './payment-store';

/**
 * Records a payment in the open transaction and applies it to its transaction, up to the open amount; the rest is
 * unapplied. A past-due subscription becomes active again once nothing is due, and an incomplete one starts once its
 * checkout is paid in full.
 *
 * @param actor `now` is the workspace's time of the act
 * @param subscription the transaction's; its row is locked, which is always taken before the transaction's
 * @returns the payment, and the subscription as stored
 * @throws TollgateError transaction_not_found, payment_currency_differs, capability_unsupported, validation_failed
 *   (`/receivedAt`)
 */
export async function recordPayment(
  trx: DbTransaction,
  actor: Actor,
  subscription: BilledSubscription,
  input: PaymentInput,
): Promise<{ payment: PaymentRow; subscription: BilledSubscription }> {
  const { scope, now } = actor;
  const transaction = await findTransaction(trx, scope, input.transactionId, 'lock');
  if (transaction?.subscriptionId !== subscription.id) throw transactionNotFound(input.transactionId);
  requirePaymentHere(subscription, transaction, input, now);
  const applied = appliedAmountOf(transaction, input.amount.amount);
  const payment: PaymentRow = {
    id: newIdentifier('payment'),
    customerId: subscription.customerId,
    externalId: subscription.externalId,
    subscriptionId: subscription.id,
    transactionId: transaction.id,
    checkoutId: null,
    provider: subscription.provider,
    status: 'succeeded',
    currency: transaction.currency,
    amount: input.amount.amount,
    appliedAmount: applied,
    refundedAmount: 0n,
    reference: input.reference,
    receivedAt: input.receivedAt ?? now,
    settlementId: null,
    dispute: null,
    createdAt: now,
  };
  await insertPayment(trx, scope, payment);
  const paid = withPayment(transaction, payment);
  if (applied > 0n) await savePaidTransaction(trx, scope, transaction.id, paid);
  await recordPaymentEvent(trx, actor, payment, paid);
  await recordAudit(trx, actor, {
    action: 'payment.recorded',
    target: payment.id,
    detail: {
      transactionId: transaction.id,
      subscriptionId: subscription.id,
      amount: payment.amount.toString(),
      currency: payment.currency,
    },
  });
  return { payment, subscription: await afterPayment(trx, actor, subscription, paid, applied) };
}

/** Updates the subscription after a payment; its row is written only if it changes. */
async function afterPayment(
  trx: DbTransaction,
  actor: Actor,
  before: BilledSubscription,
  transaction: TransactionRow,
  applied: bigint,
): Promise<BilledSubscription> {
  const { scope, now, receivedAt: recordedAt } = actor;
  // Nothing was applied to a void or paid transaction, so nothing has changed.
  if (applied === 0n) return before;
  const after = withOpenPayments(before, await listOpenDueAts(trx, scope, before.id), now);
  if (before.status === 'incomplete' && transaction.status === 'paid') {
    const times = { now, recordedAt, source: SOURCES[actor.reason] };
    return completeCheckout(trx, scope, after, transaction.id, times);
  }
  if (after.paymentDueAt === before.paymentDueAt && after.status === before.status) return before;
  const saved = await saveBilledSubscription(trx, scope, after, now);
  if (before.status === 'past_due' && saved.status === 'active') await recordRecovery(trx, actor, saved);
  return saved;
}

/** The command `record_payment`: a payment that may change its subscription's state. */
export const recordPaymentHandler: OperationHandler = async (trx, { operation, actor }, subscription) => {
  const input = fromStoredInput(operation.input);
  const { payment, subscription: after } = await recordPayment(trx, actor, subscription, input);
  return { status: 201, body: toPaymentResource(payment), subscription: after };
};
