import type { PaymentFacts } from '../canonical-event';
import { minorUnits } from './amounts';
import { type Fetched } from './client';
import { type TransactionData } from './schemas';
import { originOf } from './payment-origin';
import { instantOf } from './values';

const PAYMENT_STATUSES: ReadonlyMap<string, PaymentFacts['status']> = new Map([
  ['success', 'succeeded'],
  // Paid and later refunded; the refund reports that part.
  ['reversed', 'succeeded'],
  ['failed', 'failed'],
  // Not paid yet: the customer can return to the page, and a queued charge is still undecided.
  ['abandoned', 'pending'],
  ['ongoing', 'pending'],
  ['pending', 'pending'],
  ['processing', 'pending'],
  ['queued', 'pending'],
]);

/** The bank has the payment: the customer has done everything, and can do nothing more on the page. */
const AT_THE_BANK: ReadonlySet<string> = new Set(['pending', 'processing']);

export function isAtBank(status: string): boolean {
  return AT_THE_BANK.has(status);
}

/** Translates provider C's status; undefined if it is unknown. */
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
      // The transaction names neither; the subscription's events and invoices do.
      subscriptionReference: null,
      invoiceReference: null,
      occurredAt: instantOf(data.paid_at),
      ...originOf(data),
    },
  };
}
