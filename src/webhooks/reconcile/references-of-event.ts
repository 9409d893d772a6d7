import type { Reference } from '../../connections/reference-store';
import type { CanonicalEvent } from '../../providers/canonical-event';

/** Returns every reference that an event carries, including those within its facts. */
export function referencesOf(event: CanonicalEvent): Reference[] {
  return [...event.references, ...referencesOfFacts(event)].filter(
    ({ reference }) => !reference.includes('\0'),
  );
}

/** Returns the references within facts. */
export function referencesOfFacts({
  subscription,
  payment,
  refund,
  settlement,
  dispute,
}: {
  [Part in 'subscription' | 'payment' | 'refund' | 'settlement' | 'dispute']?: CanonicalEvent[Part] | null;
}): Reference[] {
  const found: Reference[] = [];
  const add = (kind: Reference['kind'], reference: string | null | undefined): void => {
    if (typeof reference === 'string') found.push({ kind, reference });
  };
  add('subscription', subscription?.reference);
  add('customer', subscription?.customerReference);
  if (payment) add(payment.kind, payment.reference);
  add('subscription', payment?.subscriptionReference);
  add('invoice', payment?.invoiceReference);
  add('refund', refund?.reference);
  if (refund) add(refund.of.kind, refund.of.reference);
  add('payout', settlement?.reference);
  add('dispute', dispute?.reference);
  if (dispute) add(dispute.of.kind, dispute.of.reference);
  return found;
}
