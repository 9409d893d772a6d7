import type { CollectedPayment } from '../canonical-event';
import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { ProviderReference } from '../provider-operations';
import type { Fetched } from './client';
import { findSubscription } from './find-subscription';
import { readPurchase } from './fetch-payment';
import { paymentFacts } from './payment-facts';
import { fetchRefund, readRefundsOfTransaction } from './fetch-refund';
import { runningTotals } from './refund-facts';
import type { PurchaseData } from './schemas';

/**
 * Fetches a payment with its customer and its refunds, and with its subscription if it began one. A renewal's payment
 * names no subscription; reading the subscription links the two.
 *
 * @param named a `payment`, or a `refund` of one
 */
export async function fetchCollected(
  access: ConnectionAccess,
  { kind, reference }: ProviderReference,
): Promise<Outcome<CollectedPayment>> {
  if (kind === 'refund') {
    const refund = await fetchRefund(access, reference);
    if (refund.kind !== 'done') return refund;
    return fetchCollected(access, refund.value.of);
  }
  if (kind !== 'payment' && kind !== 'checkout') {
    return { kind: 'unsupported', reason: `Provider C names no payment by a ${kind}.` };
  }
  const read = await readPurchase(access, reference);
  if (read.kind !== 'done') return read;
  const subscription = await findSubscription(access, read.value);
  if (subscription.kind !== 'done') return subscription;
  return collectedOf(access, read.value, { subscription: subscription.value, invoice: null, refunds: true });
}

/** @param of the known subscription and invoice of the payment, and whether its refunds are read */
export async function collectedOf(
  access: ConnectionAccess,
  purchase: PurchaseData,
  of: { subscription: string | null; invoice: string | null; refunds: boolean },
): Promise<Fetched<CollectedPayment>> {
  const payment = paymentFacts(purchase);
  if (payment.kind !== 'done') return payment;
  const { id, reference, customer } = purchase;
  const refunds = of.refunds
    ? await readRefundsOfTransaction(access, id, reference)
    : { kind: 'done' as const, value: [] };
  if (refunds.kind !== 'done') return refunds;
  const facts = runningTotals(refunds.value, reference);
  if (facts.kind !== 'done') return facts;
  const references: CollectedPayment['references'] = [
    { kind: 'payment', reference },
    { kind: 'checkout', reference },
    { kind: 'charge', reference: String(id) },
    { kind: 'customer', reference: customer.customer_code },
  ];
  if (of.invoice !== null) references.push({ kind: 'invoice', reference: of.invoice });
  if (of.subscription !== null) references.push({ kind: 'subscription', reference: of.subscription });
  return {
    kind: 'done',
    value: {
      payment: { ...payment.value, subscriptionReference: of.subscription, invoiceReference: of.invoice },
      references,
      refunds: facts.value,
      disputes: [],
    },
  };
}
