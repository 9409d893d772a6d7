import { displayMoney } from '../../domain/display-text';
import type { Instant } from '../../domain/instant';
import { appliedAmountOf } from '../../domain/transaction';
import { newIdentifier } from '../../identifiers/identifier';
import { insertPayment, type PaymentRow } from '../../payments/payment-store';
import type { PaymentFacts } from '../../providers/canonical-event';
import type { BilledSubscription } from '../../subscriptions/billed-subscription';
import { findTransaction, type TransactionRow } from '../../subscriptions/transaction-store';
import { findOpenTransaction, applyToTransaction } from './apply-payment';
import { recordInHistory, recordProviderPayment } from './payment-history';
import { findOwner, nameCheckout, ownerFields, updatedOwner, type PaymentOwner } from './payment-owner';
import { addPaymentReferences } from './store-payment-references';
import { saveProviderPayment } from './provider-payment-store';
import type { Reconciliation } from './reconciliation';
import { noteChanges } from './webhook-result';
import { addReference } from '../../connections/reference-store';
import {
  findCounterpart,
  findKnownPayment,
  findRecordedMeanwhile,
  type KnownPayment,
} from './find-known-payment';

/**
 * Records a payment that the provider collected, once under all its references, and applies it to its subscription's
 * open transaction.
 *
 * @param subscription the payment's, locked; null if it has none
 * @returns false if it cannot be attributed to a customer here
 */
export async function reconcilePayment(
  work: Reconciliation,
  subscription: BilledSubscription | null,
): Promise<boolean> {
  const { trx, connection, current, notes } = work;
  const facts = current.payment;
  if (facts === null) return true;
  if (facts.amount <= 0n) {
    notes.push('There was nothing to pay.');
    return true;
  }
  const known = await findKnownPayment(work, facts);
  if (known !== undefined) {
    await updateKnown(work, known, facts, subscription);
    return true;
  }
  const owner = await findOwner(work, facts, subscription);
  if (owner === null) return false;
  const recorded =
    (await findRecordedMeanwhile(work, facts)) ?? (await findCounterpart(work, owner.customerId, facts));
  if (recorded !== undefined) {
    await updateKnown(work, recorded, facts, subscription);
    return true;
  }
  const id = newIdentifier('payment');
  const named = { kind: facts.kind, reference: facts.reference };
  // The reference names another object of ours, or belongs to another connection.
  if (!(await addReference(trx, connection, named, id, work.recordedAt))) return false;
  work.newReferences.push(named);
  await insertNew(work, { id, ...owner }, facts, subscription);
  return true;
}

/**
 * Updates a payment, which only moves forward: a succeeded one stays so, with its amount. One that has not succeeded
 * may end with another amount: a failed invoice may be paid after a credit.
 */
async function updateKnown(
  work: Reconciliation,
  known: KnownPayment,
  facts: PaymentFacts,
  subscription: BilledSubscription | null,
): Promise<void> {
  await addPaymentReferences(work, known.id, facts);
  const before = await nameCheckout(work, known);
  const isOther = before.amount !== facts.amount;
  if (before.currency !== facts.currency || (isOther && before.status === 'succeeded')) {
    work.notes.push(
      `The provider reports ${displayMoney(facts)} for ${before.id}; the stored amount is kept.`,
    );
    return;
  }
  if (before.status === 'succeeded') {
    await attachToSubscription(work, before, facts, subscription);
    return;
  }
  if (facts.status === 'pending' || (before.status === facts.status && !isOther)) return;
  const owner = updatedOwner(before, subscription);
  const receivedAt = receivedAtOf(work, facts) ?? before.receivedAt;
  const transaction = await findSettled(work, before.transactionId, facts, subscription);
  const after: PaymentRow = {
    ...before,
    ...owner,
    status: facts.status,
    amount: facts.amount,
    receivedAt,
    transactionId: transaction?.id ?? null,
    appliedAmount: appliedBy(facts, transaction),
  };
  await saveProviderPayment(work.trx, work.connection.scope, after);
  noteChanges(work.changes, after.id, comparedFields(before), comparedFields(after));
  noteChanges(work.changes, after.id, ownerFields(before), ownerFields(after));
  await applyToTransaction(work, after, transaction, subscription);
  // A settlement may have named it before it succeeded.
  if (after.status === 'succeeded') work.newReferences.push(...before.references);
}

/**
 * Attaches a payment to its subscription. A renewal's charge may arrive before the invoice that names its owner; it
 * then settles the subscription's open transaction.
 */
async function attachToSubscription(
  work: Reconciliation,
  before: PaymentRow,
  facts: PaymentFacts,
  subscription: BilledSubscription | null,
): Promise<void> {
  const owner = updatedOwner(before, subscription);
  if (owner.subscriptionId === before.subscriptionId) return;
  const transaction =
    before.transactionId === null ? await findOpenTransaction(work, subscription, facts) : undefined;
  const after: PaymentRow = {
    ...before,
    ...owner,
    transactionId: before.transactionId ?? transaction?.id ?? null,
    appliedAmount: transaction ? appliedAmountOf(transaction, before.amount) : before.appliedAmount,
  };
  await saveProviderPayment(work.trx, work.connection.scope, after);
  noteChanges(work.changes, after.id, ownerFields(before), ownerFields(after));
  // Integrators were told that another customer paid. They are not told again if only the subscription is new.
  const isAnothers = after.customerId !== before.customerId;
  const told = { announce: isAnothers };
  if (transaction !== undefined) await applyToTransaction(work, after, transaction, subscription, told);
  else if (isAnothers) await recordProviderPayment(work, after, told);
  // Its event already exists, but not in the subscription's timeline.
  else await recordInHistory(work, after);
}

/** Finds the transaction that a payment settles: the one that it names, or else its subscription's open one. */
async function findSettled(
  work: Reconciliation,
  transactionId: string | null,
  facts: PaymentFacts,
  subscription: BilledSubscription | null,
): Promise<TransactionRow | undefined> {
  if (transactionId === null) return findOpenTransaction(work, subscription, facts);
  return findTransaction(work.trx, work.connection.scope, transactionId, 'lock');
}

/** Only a payment that has succeeded is applied. */
function appliedBy({ status, amount }: PaymentFacts, transaction: TransactionRow | undefined): bigint {
  return status === 'succeeded' && transaction ? appliedAmountOf(transaction, amount) : 0n;
}

async function insertNew(
  work: Reconciliation,
  owner: PaymentOwner & { id: string },
  facts: PaymentFacts,
  subscription: BilledSubscription | null,
): Promise<void> {
  const { trx, connection, now } = work;
  const transaction = await findSettled(work, owner.transactionId, facts, subscription);
  const payment: PaymentRow = {
    id: owner.id,
    customerId: owner.customerId,
    externalId: owner.externalId,
    subscriptionId: subscription?.id ?? null,
    transactionId: transaction?.id ?? null,
    checkoutId: owner.checkoutId,
    provider: connection.provider,
    status: facts.status,
    currency: facts.currency,
    amount: facts.amount,
    appliedAmount: appliedBy(facts, transaction),
    refundedAmount: 0n,
    reference: facts.reference,
    receivedAt: receivedAtOf(work, facts) ?? now,
    settlementId: null,
    dispute: null,
    createdAt: now,
  };
  await insertPayment(trx, connection.scope, payment);
  noteChanges(work.changes, payment.id, null, comparedFields(payment));
  await addPaymentReferences(work, payment.id, facts);
  await applyToTransaction(work, payment, transaction, subscription);
}

/** Returns when the money came in, or, while it has not, when the payment was made; null if neither is known. */
function receivedAtOf({ event }: Reconciliation, { paidAt, occurredAt }: PaymentFacts): Instant | null {
  return paidAt ?? occurredAt ?? event.occurredAt;
}

/** Returns the payment's fields for a recorded change. */
function comparedFields({ status, amount, currency }: PaymentRow): Record<string, unknown> {
  return { status, amount, currency };
}
