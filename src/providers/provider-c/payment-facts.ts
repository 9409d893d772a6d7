import type { PaymentFacts } from '../canonical-event';
import { minorUnits } from './amounts';
import { type Fetched } from './client';
import { type TransactionData } from './schemas';
import { instantOf } from './values';

const PAYMENT_STATUSES: ReadonlyMap<string, PaymentFacts['status']> = new Map([
  ['success', 'succeeded'],
  // Paid, and given back since: the refund tells that part.
  ['reversed', 'succeeded'],
  ['failed', 'failed'],
  // Not paid so far: the customer can come back to the page, and a queued charge is still decided.
  ['abandoned', 'pending'],
  ['ongoing', 'pending'],
  ['pending', 'pending'],
  ['processing', 'pending'],
  ['queued', 'pending'],
]);

/** Provider C's status in the service's words; undefined for one that is not known. */
export function paymentStatus(status: string): PaymentFacts['status'] | undefined {
  return PAYMENT_STATUSES.get(status);
}

export function paymentFacts(data: TransactionData): Fetched<PaymentFacts> {
  const status = paymentStatus(data.status);
  const amount = minorUnits(data.amount, data.currency);
  if (status === undefined || amount === null) {
    const what = `${data.status}, ${data.amount} ${data.currency}`;
    return { kind: 'unknown', reason: `Provider C reports a payment that cannot be read: ${what}.` };
  }
  return {
    kind: 'done',
    value: {
      reference: data.reference,
      kind: 'payment',
      amount,
      currency: data.currency,
      status,
      // The provider names neither here; the subscription's events and invoices do.
      subscriptionReference: null,
      invoiceReference: null,
      occurredAt: instantOf(data.paid_at),
    },
  };
}
