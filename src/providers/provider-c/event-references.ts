import type { CanonicalEvent, ReferenceKind } from '../canonical-event';
import { objectOf, referenceOf, type LooseObject } from './values';

type References = CanonicalEvent['references'];

/**
 * Returns every reference in an event of any kind: enough to find the connection, even for an ignored event. A
 * transaction's own reference is the one its checkout was started under, so it is added as both.
 */
export function referencesOf(eventType: string, data: LooseObject): References {
  const found: References = [];
  const add = (kind: ReferenceKind, value: unknown): void => {
    const reference = referenceOf(value);
    if (reference === null) return;
    if (found.some((known) => known.kind === kind && known.reference === reference)) return;
    found.push({ kind, reference });
  };
  const addTransaction = (reference: unknown, id: unknown): void => {
    add('payment', reference);
    add('checkout', reference);
    add('charge', id);
  };

  add('subscription', data['subscription_code']);
  add('subscription', objectOf(data['subscription'])['subscription_code']);
  add('invoice', data['invoice_code']);
  if (/^charge\.(?:success|failed)$/.test(eventType)) addTransaction(data['reference'], data['id']);
  const transaction = objectOf(data['transaction']);
  addTransaction(transaction['reference'], transaction['id']);
  if (eventType.startsWith('refund.')) {
    add('refund', data['id']);
    addTransaction(data['transaction_reference'], undefined);
  }
  if (eventType.startsWith('charge.dispute.')) {
    add('dispute', data['id']);
    addTransaction(data['transaction_reference'], undefined);
  }
  add('customer', objectOf(data['customer'])['customer_code']);
  return found;
}
