import { withOpenPayments } from '../../domain/lifecycle';
import { applyPayment } from '../../domain/transaction';
import { newIdentifier } from '../../identifiers/identifier';
import { insertPayment, type PaymentRow } from '../../payments/payment-store';
import type { PaymentFacts } from '../../providers/canonical-event';
import type { BilledSubscription } from '../../subscriptions/billed-subscription';
import { saveBilledSubscription } from '../../subscriptions/billed-subscription-store';
import {
  findTransaction,
  listOpenDueAts,
  listOpenTransactions,
  savePaidTransaction,
  type TransactionRow,
} from '../../subscriptions/transaction-store';
import { recordProviderPayment } from './payment-happening';
import { findKnown, otherHalf } from './payment-known';
import { saveProviderPayment } from './payment-fact-store';
import { poke } from './reconcile-subscription';
import { noteChanges, type Reconciliation } from './reconciliation';
import { ownerOf, tie } from './payment-references';
import { addReference } from './reference-store';

/**
 * Records a payment that the provider collected, once, whichever of its references names it, and lets it settle what
 * is open of its subscription.
 *
 * @param subscription the payment's, locked; null where it has none
 * @returns false when it cannot be tied to a customer here
 */
export async function reconcilePayment(
  work: Reconciliation,
  subscription: BilledSubscription | null,
): Promise<boolean> {
  const { trx, connection, current, notes } = work;
  const facts = current.payment;
  if (facts === null) return true;
  if (facts.amount <= 0n) {
    notes.push('Nothing was to pay.');
    return true;
  }
  const known = await findKnown(work, facts);
  if (known !== undefined) {
    await changeKnown(work, known, facts, subscription);
    return true;
  }
  const owner = await ownerOf(work, subscription);
  if (owner === null) return false;
  const half = await otherHalf(work, owner.customerId, facts);
  if (half !== undefined) {
    await changeKnown(work, half, facts, subscription);
    return true;
  }
  const id = newIdentifier('payment');
  const named = { kind: facts.kind, reference: facts.reference };
  if (!(await addReference(trx, connection, named, id, work.recordedAt))) {
    // Another webhook tied it while this one waited, or it names something else of ours, or another connection's.
    const tied = await findKnown(work, facts, 'anew');
    if (tied === undefined) return false;
    await changeKnown(work, tied, facts, subscription);
    return true;
  }
  work.learnt.push(named);
  await insertNew(work, { id, ...owner }, facts, subscription);
  return true;
}

/**
 * The provider's word on a payment only moves forward: what has succeeded stays so, with its amount. What has not may
 * end with another amount: an invoice that failed may be paid after a credit.
 */
async function changeKnown(
  work: Reconciliation,
  before: PaymentRow,
  facts: PaymentFacts,
  subscription: BilledSubscription | null,
): Promise<void> {
  await tie(work, before.id, facts);
  const isOther = before.amount !== facts.amount;
  if (before.currency !== facts.currency || (isOther && before.status === 'succeeded')) {
    work.notes.push(
      `The provider says ${facts.amount} ${facts.currency} of ${before.id}, which is kept as it is.`,
    );
    return;
  }
  if (before.status === 'succeeded') {
    await attachToSubscription(work, before, facts, subscription);
    return;
  }
  if (facts.status === 'pending' || (before.status === facts.status && !isOther)) return;
  const receivedAt = facts.occurredAt ?? work.event.occurredAt ?? before.receivedAt;
  const transaction =
    before.transactionId === null
      ? await demandFor(work, subscription, facts)
      : await findTransaction(work.trx, work.connection.scope, before.transactionId, 'lock');
  const after: PaymentRow = {
    ...before,
    status: facts.status,
    amount: facts.amount,
    receivedAt,
    transactionId: transaction?.id ?? null,
    appliedAmount: facts.status === 'succeeded' && transaction ? appliedOf(transaction, facts.amount) : 0n,
  };
  await saveProviderPayment(work.trx, work.connection.scope, after);
  noteChanges(work.changes, after.id, shown(before), shown(after));
  await settle(work, after, transaction, subscription);
}

/** A renewal's charge may come before the invoice that says whose it is: then it settles what is open of that one. */
async function attachToSubscription(
  work: Reconciliation,
  before: PaymentRow,
  facts: PaymentFacts,
  subscription: BilledSubscription | null,
): Promise<void> {
  if (before.subscriptionId !== null || subscription?.customerId !== before.customerId) return;
  const transaction = before.transactionId === null ? await demandFor(work, subscription, facts) : undefined;
  const after: PaymentRow = {
    ...before,
    subscriptionId: subscription.id,
    transactionId: before.transactionId ?? transaction?.id ?? null,
    appliedAmount: transaction ? appliedOf(transaction, before.amount) : before.appliedAmount,
  };
  await saveProviderPayment(work.trx, work.connection.scope, after);
  noteChanges(work.changes, after.id, { subscriptionId: null }, { subscriptionId: after.subscriptionId });
  if (transaction !== undefined) await settle(work, after, transaction, subscription);
}

async function insertNew(
  work: Reconciliation,
  owner: { id: string; customerId: string; externalId: string; transactionId: string | null },
  facts: PaymentFacts,
  subscription: BilledSubscription | null,
): Promise<void> {
  const { trx, connection, now } = work;
  const transaction =
    owner.transactionId === null
      ? await demandFor(work, subscription, facts)
      : await findTransaction(trx, connection.scope, owner.transactionId, 'lock');
  const payment: PaymentRow = {
    id: owner.id,
    customerId: owner.customerId,
    externalId: owner.externalId,
    subscriptionId: subscription?.id ?? null,
    transactionId: transaction?.id ?? null,
    provider: connection.provider,
    status: facts.status,
    currency: facts.currency,
    amount: facts.amount,
    appliedAmount: facts.status === 'succeeded' && transaction ? appliedOf(transaction, facts.amount) : 0n,
    refundedAmount: 0n,
    reference: facts.reference,
    receivedAt: facts.occurredAt ?? work.event.occurredAt ?? now,
    settlementId: null,
    dispute: null,
    createdAt: now,
  };
  await insertPayment(trx, connection.scope, payment);
  noteChanges(work.changes, payment.id, null, shown(payment));
  await tie(work, payment.id, facts);
  await settle(work, payment, transaction, subscription);
}

/** What a change shows of a payment. */
function shown({ status, amount, currency }: PaymentRow): Record<string, unknown> {
  return { status, amount, currency };
}

/** What is open of the subscription and is this payment's: of the same amount, or else the earliest due. */
async function demandFor(
  { trx, connection }: Reconciliation,
  subscription: BilledSubscription | null,
  { amount, currency }: PaymentFacts,
): Promise<TransactionRow | undefined> {
  if (subscription === null) return undefined;
  const open = await listOpenTransactions(trx, connection.scope, subscription.id);
  const same = open.filter((transaction) => transaction.currency === currency);
  return same.find(({ total, amountPaid }) => total - amountPaid === amount) ?? same[0];
}

function appliedOf(transaction: TransactionRow, amount: bigint): bigint {
  return applyPayment(transaction, amount).applied;
}

/** What a payment that has succeeded does to what it is for; the subscription's state is the provider's word. */
async function settle(
  work: Reconciliation,
  payment: PaymentRow,
  transaction: TransactionRow | undefined,
  subscription: BilledSubscription | null,
): Promise<void> {
  const { trx, connection, now } = work;
  if (payment.appliedAmount > 0n && transaction !== undefined) {
    const { status, amountPaid } = applyPayment(transaction, payment.amount);
    const paidAt = status === 'paid' ? (transaction.paidAt ?? payment.receivedAt) : transaction.paidAt;
    await savePaidTransaction(trx, connection.scope, transaction.id, { status, amountPaid, paidAt });
    if (subscription !== null) {
      const dueAts = await listOpenDueAts(trx, connection.scope, subscription.id);
      const { paymentDueAt } = withOpenPayments(subscription, dueAts, now);
      if (paymentDueAt !== subscription.paymentDueAt) {
        await saveBilledSubscription(trx, connection.scope, { ...subscription, paymentDueAt }, now);
        await poke(work, subscription.id);
      }
    }
  }
  await recordProviderPayment(work, payment);
}
