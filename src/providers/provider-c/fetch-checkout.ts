import type { ConnectionAccess } from '../connection-access';
import type { Outcome } from '../outcome';
import type { CheckoutFacts, ProviderReference } from '../provider-operations';
import { isAtBank, paymentStatus, paymentFacts } from './payment-facts';
import { findSubscription } from './find-subscription';
import { readPurchase, readTransaction } from './fetch-payment';
import { refused } from './refusal';
import type { PurchaseData } from './schemas';

/**
 * Fetches a checkout by the reference it was started under. It never expires on its own: an unpaid checkout is `open`,
 * even after a card was declined, because the customer may return with another card.
 */
export async function fetchCheckout(
  access: ConnectionAccess,
  { kind, reference }: ProviderReference,
): Promise<Outcome<CheckoutFacts>> {
  const refusal = refusalOfKind(kind);
  if (refusal !== null) return refusal;
  const answer = await readPurchase(access, reference);
  if (answer.kind !== 'done') return answer;
  const purchase = answer.value;
  const payment = paymentFacts(purchase);
  if (payment.kind !== 'done') return payment;
  if (payment.value.status !== 'succeeded') return { kind: 'done', value: factsOf(purchase, 'open', null) };
  const subscription = await findSubscription(access, purchase);
  if (subscription.kind !== 'done') return subscription;
  const facts = factsOf(purchase, 'complete', subscription.value);
  const subscriptionReference = subscription.value;
  return { kind: 'done', value: { ...facts, payment: { ...payment.value, subscriptionReference } } };
}

/**
 * The provider cannot close a page. A later payment on it arrives as a payment event. While a bank has the payment, as
 * with a direct debit, it is not known whether the checkout was paid.
 */
export async function expireCheckout(
  access: ConnectionAccess,
  { kind, reference }: ProviderReference,
): Promise<Outcome<null>> {
  const refusal = refusalOfKind(kind);
  if (refusal !== null) return refusal;
  const answer = await readTransaction(access, reference);
  if (answer.kind === 'unknown') return answer;
  if (answer.kind === 'declined') return refused(answer, 'The payment provider does not have this payment.');
  const { status: reported } = answer.value;
  const status = paymentStatus(reported);
  if (status === undefined) {
    return { kind: 'unknown', reason: `Provider C names a status that is not known: ${reported}.` };
  }
  if (isAtBank(reported)) {
    return { kind: 'unknown', reason: 'The bank has not answered yet whether it makes the payment.' };
  }
  if (status !== 'succeeded') return { kind: 'done', value: null };
  return { kind: 'declined', code: 'checkout_complete', reason: 'This has already been paid.' };
}

/** A checkout has the reference of its payment. */
function refusalOfKind(kind: ProviderReference['kind']): Outcome<never> | null {
  if (kind === 'payment' || kind === 'checkout') return null;
  return {
    kind: 'unsupported',
    reason: `Provider C finds no checkout by a reference of the kind ${kind}.`,
  };
}

function factsOf(
  { reference, id, customer }: PurchaseData,
  status: CheckoutFacts['status'],
  subscription: string | null,
): CheckoutFacts {
  const references: ProviderReference[] = [
    { kind: 'payment', reference },
    { kind: 'checkout', reference },
    { kind: 'charge', reference: String(id) },
    { kind: 'customer', reference: customer.customer_code },
  ];
  if (subscription !== null) references.push({ kind: 'subscription', reference: subscription });
  return {
    status,
    references,
    subscriptionReference: subscription,
    customerReference: customer.customer_code,
    payment: null,
  };
}
