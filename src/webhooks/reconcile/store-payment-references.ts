import { addReference, type Reference } from '../../connections/reference-store';
import type { PaymentFacts } from '../../providers/canonical-event';
import type { Reconciliation } from './reconciliation';

/** Kinds of references that name a payment. */
export const PAYMENT_REFERENCE_KINDS: readonly Reference['kind'][] = [
  'order',
  'capture',
  'payment',
  'charge',
  'invoice',
];

/**
 * Stores every name of a payment, such as the order ID and the capture ID of provider B, so that a later event finds
 * the payment by any of them.
 */
export async function addPaymentReferences(
  work: Reconciliation,
  paymentId: string,
  facts: PaymentFacts,
): Promise<void> {
  const { trx, connection, event, newReferences, recordedAt } = work;
  const references: Reference[] =
    event.type === 'refund.changed'
      ? []
      : event.references.filter(({ kind }) => PAYMENT_REFERENCE_KINDS.includes(kind));
  references.push({ kind: facts.kind, reference: facts.reference });
  if (facts.invoiceReference !== null)
    references.push({ kind: 'invoice', reference: facts.invoiceReference });
  // The payment's own name is stored before the payment, and the event may repeat it.
  const isNew = (one: Reference) =>
    newReferences.some(({ kind, reference }) => kind === one.kind && reference === one.reference);
  for (const reference of references) {
    if (isNew(reference) || work.targets.of(reference, 'pay_') === paymentId) continue;
    if (await addReference(trx, connection, reference, paymentId, recordedAt)) newReferences.push(reference);
  }
}
