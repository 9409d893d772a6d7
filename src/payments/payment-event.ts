import type { DbTransaction } from '../db/pools';
import { displayMoney } from '../domain/display-text';
import { SOURCES } from '../subscriptions/record-command-effect';
import { eventDataOf, type BilledSubscription } from '../subscriptions/billed-subscription';
import { recordSubscriptionEvent, timesOf } from '../subscriptions/subscription-history-store';
import type { TransactionRow } from '../subscriptions/transaction-store';
import type { Actor } from '../tenancy/actor';
import type { PaymentRow } from './payment-store';

/** Records a payment in the subscription's history and the developer events. */
export async function recordPaymentEvent(
  trx: DbTransaction,
  actor: Actor,
  payment: PaymentRow,
  transaction: TransactionRow,
): Promise<void> {
  const { currency, amount, appliedAmount } = payment;
  await recordSubscriptionEvent(
    trx,
    actor.scope,
    {
      subscriptionId: transaction.subscriptionId,
      kind: 'payment_recorded',
      type: 'PAYMENT_RECORDED',
      status: 'OK',
      message: `${payment.externalId} paid ${displayMoney({ amount, currency })}: ${effectOf(payment, transaction)}.`,
      source: SOURCES[actor.reason],
      data: {
        paymentId: payment.id,
        transactionId: transaction.id,
        transactionStatus: transaction.status,
        customerId: payment.customerId,
        externalId: payment.externalId,
        currency,
        amount: amount.toString(),
        appliedAmount: appliedAmount.toString(),
        unappliedAmount: (amount - appliedAmount).toString(),
      },
    },
    timesOf(actor),
  );
}

/** Describes the effect on the transaction and the unapplied rest. */
function effectOf(payment: PaymentRow, transaction: TransactionRow): string {
  const { currency, amount, appliedAmount } = payment;
  const words = (minorUnits: bigint) => displayMoney({ amount: minorUnits, currency });
  const unapplied = amount - appliedAmount;
  const rest = `${words(unapplied)} is unapplied and can be refunded`;
  if (transaction.status === 'void') return `${transaction.id} is void, so ${rest}`;
  if (appliedAmount === 0n) return `${transaction.id} was paid already, so ${rest}`;
  if (transaction.status !== 'paid') {
    return `${words(transaction.total - transaction.amountPaid)} of ${transaction.id} is still open`;
  }
  return unapplied === 0n
    ? `${transaction.id} is paid in full`
    : `${transaction.id} is paid in full, and ${rest}`;
}

/** Records that nothing is past due any longer. */
export async function recordRecovery(
  trx: DbTransaction,
  actor: Actor,
  subscription: BilledSubscription,
): Promise<void> {
  await recordSubscriptionEvent(
    trx,
    actor.scope,
    {
      subscriptionId: subscription.id,
      kind: 'recovered',
      type: 'SUBSCRIPTION_CHANGED',
      status: 'OK',
      message: `${subscription.externalId}'s ${subscription.planSlug} is active again: nothing is past due.`,
      source: SOURCES[actor.reason],
      data: eventDataOf(subscription),
    },
    timesOf(actor),
  );
}
