import { findTargets, type Reference } from '../../connections/reference-store';
import { findPayment, type PaymentNames, type PaymentRow } from '../../payments/payment-store';
import type { PaymentFacts } from '../../providers/canonical-event';
import { lockReferences } from './reference-lock-store';
import { findCounterpartId } from './provider-payment-store';
import type { Reconciliation } from './reconciliation';

export type KnownPayment = PaymentRow & PaymentNames;

/** Finds and locks the payment that the provider's facts name, by its own reference or by its invoice. */
export async function findKnownPayment(
  { trx, connection, targets }: Pick<Reconciliation, 'trx' | 'connection' | 'targets'>,
  facts: PaymentFacts,
): Promise<KnownPayment | undefined> {
  const id = targets.of({ kind: facts.kind, reference: facts.reference }, 'pay_');
  if (id !== undefined) return findPayment(trx, connection.scope, id, 'lock');
  if (facts.invoiceReference === null) return undefined;
  const billed = targets.of({ kind: 'invoice', reference: facts.invoiceReference }, 'pay_');
  const payment = billed === undefined ? undefined : await findPayment(trx, connection.scope, billed, 'lock');
  if (payment?.currency !== facts.currency) return undefined;
  // An invoice may be paid in parts, each of which is a separate payment.
  if (payment.amount !== facts.amount) return isInvoiceItself(payment, facts) ? payment : undefined;
  return isOtherPart(payment, facts) ? undefined : payment;
}

/**
 * Whether the payment is recorded as the whole amount of its invoice, which the new one paid, or a part of it: an event
 * that arrived before its owner was known is applied from its own content, which has only the total. The new one may
 * also have received more, and have paid another invoice.
 */
function isInvoiceItself({ status, reference }: PaymentRow, facts: PaymentFacts): boolean {
  return status === 'succeeded' && reference === facts.invoiceReference;
}

/**
 * Whether it has a name of its own, and it or this one is paid: they are equal parts, in whatever order they are read. A
 * pending one may be paid under another name.
 */
function isOtherPart({ status, references }: KnownPayment, facts: PaymentFacts): boolean {
  if (facts.kind !== 'payment' || !references.some(({ kind }) => kind === 'payment')) return false;
  return status === 'succeeded' || (status === 'failed' && facts.status === 'succeeded');
}

/**
 * Does the same under locks on the payment's references, held until the transaction ends. Another webhook may have
 * recorded the payment since the references were read, possibly under its other reference, and the two references do
 * not conflict with each other.
 */
export async function findRecordedMeanwhile(
  { trx, connection }: Reconciliation,
  facts: PaymentFacts,
): Promise<KnownPayment | undefined> {
  const { kind, reference, invoiceReference } = facts;
  const names: Reference[] = [{ kind, reference }];
  if (invoiceReference !== null) names.push({ kind: 'invoice', reference: invoiceReference });
  await lockReferences(trx, connection, names);
  const targets = await findTargets(trx, connection, names);
  return findKnownPayment({ trx, connection, targets }, facts);
}

/**
 * Finds and locks the payment that has the other half of the references. An event that arrived before its owner was
 * known is applied from its own content alone, which may have only half of a payment's references.
 */
export async function findCounterpart(
  { trx, connection, current }: Reconciliation,
  customerId: string,
  facts: PaymentFacts,
): Promise<KnownPayment | undefined> {
  if (current.fetched || (facts.kind !== 'invoice' && facts.invoiceReference !== null)) return undefined;
  const id = await findCounterpartId(trx, connection, customerId, facts);
  return id === undefined ? undefined : findPayment(trx, connection.scope, id, 'lock');
}
