import { wakesInTime, withOpenPayments } from '../../domain/lifecycle';
import { settledBy, withPayment } from '../../domain/transaction';
import type { PaymentRow } from '../../payments/payment-store';
import type { PaymentFacts } from '../../providers/canonical-event';
import type { BilledSubscription } from '../../subscriptions/billed-subscription';
import { saveBilledSubscription } from '../../subscriptions/save-subscription-store';
import {
  listOpenDueAts,
  listOpenTransactions,
  savePaidTransaction,
  type TransactionRow,
} from '../../subscriptions/transaction-store';
import { recordProviderPayment } from './payment-history';
import { signalSubscription } from './reconcile-subscription';
import type { Reconciliation } from './reconciliation';

/** Finds the subscription's open transaction that this payment settles. */
export async function findOpenTransaction(
  { trx, connection }: Reconciliation,
  subscription: BilledSubscription | null,
  facts: PaymentFacts,
): Promise<TransactionRow | undefined> {
  if (subscription === null) return undefined;
  return settledBy(facts, await listOpenTransactions(trx, connection.scope, subscription.id));
}

/**
 * Applies a succeeded payment to its transaction. The subscription's state comes from the provider.
 *
 * @param options.announce false if the payment was recorded, and integrators notified of this customer, before
 */
export async function applyToTransaction(
  work: Reconciliation,
  payment: PaymentRow,
  transaction: TransactionRow | undefined,
  subscription: BilledSubscription | null,
  { announce = true }: { announce?: boolean } = {},
): Promise<void> {
  const { trx, connection } = work;
  if (payment.appliedAmount > 0n && transaction !== undefined) {
    await savePaidTransaction(trx, connection.scope, transaction.id, withPayment(transaction, payment));
    if (subscription !== null) await updatePaymentDueAt(work, subscription);
  }
  await recordProviderPayment(work, payment, { announce });
}

async function updatePaymentDueAt(work: Reconciliation, subscription: BilledSubscription): Promise<void> {
  const { trx, connection, now } = work;
  const dueAts = await listOpenDueAts(trx, connection.scope, subscription.id);
  const { paymentDueAt } = withOpenPayments(subscription, dueAts, now);
  if (paymentDueAt === subscription.paymentDueAt) return;
  const after = { ...subscription, paymentDueAt };
  await saveBilledSubscription(trx, connection.scope, after, now);
  if (!wakesInTime(subscription, after)) await signalSubscription(work, subscription.id);
}
