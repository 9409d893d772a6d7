import { findCheckout } from '../../checkouts/checkout-store';
import { addReference, type Reference, findTargets } from '../../connections/reference-store';
import { findCustomer } from '../../customers/customer-store';
import { type PaymentRow, findPayment } from '../../payments/payment-store';
import type { PaymentFacts } from '../../providers/canonical-event';
import type { BilledSubscription } from '../../subscriptions/billed-subscription';
import { referencesOf } from './fetch-current';
import { findCounterpartId } from './provider-payment-store';
import type { Reconciliation } from './reconciliation';

/**
 * The payment here that the provider's facts name, by itself or by its invoice; locked.
 *
 * @param how `anew` where another webhook may have named it since this one's references were read
 */
export async function findKnownPayment(
  { trx, connection, targets }: Reconciliation,
  facts: PaymentFacts,
  how: 'seen' | 'anew' = 'seen',
): Promise<PaymentRow | undefined> {
  const named = { kind: facts.kind, reference: facts.reference };
  const read = how === 'anew' ? (await findTargets(trx, connection, [named])).of(named, 'pay_') : undefined;
  const id = read ?? targets.of(named, 'pay_');
  if (id !== undefined) return findPayment(trx, connection.scope, id, 'lock');
  if (facts.invoiceReference === null) return undefined;
  const billed = targets.of({ kind: 'invoice', reference: facts.invoiceReference }, 'pay_');
  const payment = billed === undefined ? undefined : await findPayment(trx, connection.scope, billed, 'lock');
  // One invoice may be paid in parts, which are payments of their own.
  return payment?.amount === facts.amount && payment.currency === facts.currency ? payment : undefined;
}

/**
 * What came before its owner was known is read from the event alone, which may have half of a payment's names: the
 * payment here that has the other half; locked.
 */
export async function findCounterpart(
  { trx, connection, current }: Reconciliation,
  customerId: string,
  facts: PaymentFacts,
): Promise<PaymentRow | undefined> {
  if (current.asked || (facts.kind !== 'invoice' && facts.invoiceReference !== null)) return undefined;
  const id = await findCounterpartId(trx, connection, customerId, facts);
  return id === undefined ? undefined : findPayment(trx, connection.scope, id, 'lock');
}

/** Kinds of references that name a payment; an event about a payment ties those that it carries to it. */
export const PAYMENT_REFERENCE_KINDS: readonly Reference['kind'][] = [
  'order',
  'capture',
  'payment',
  'charge',
  'invoice',
];

/** Whose money it is. Nobody's, when neither subscription, checkout nor customer is known here. */
export async function findOwner(
  { trx, connection, event, targets }: Reconciliation,
  subscription: BilledSubscription | null,
): Promise<{ customerId: string; externalId: string; transactionId: string | null } | null> {
  const { scope } = connection;
  const references = referencesOf(event);
  if (subscription !== null) {
    const { customerId, externalId } = subscription;
    return { customerId, externalId, transactionId: null };
  }
  const checkoutId = targets.first(references, 'chk_');
  const checkout = checkoutId === undefined ? undefined : await findCheckout(trx, scope, checkoutId);
  if (checkout !== undefined) {
    const { customerId, externalId, transactionId } = checkout;
    return { customerId, externalId, transactionId };
  }
  // A customer alone says who paid and not what for: recorded, and unapplied.
  const customerId = targets.first(references, 'cus_');
  const customer = customerId === undefined ? undefined : await findCustomer(trx, scope, { id: customerId });
  return customer === undefined
    ? null
    : { customerId: customer.id, externalId: customer.externalId, transactionId: null };
}

type Owner = Pick<PaymentRow, 'subscriptionId' | 'customerId' | 'externalId'>;

/**
 * Whose a payment is once its subscription is named. That counts more than the provider's customer, who may stand for
 * several here: provider C knows one for each address. What has paid for something already stays its customer's.
 */
export function updatedOwner(before: PaymentRow, subscription: BilledSubscription | null): Owner {
  const isOthers = before.transactionId !== null && subscription?.customerId !== before.customerId;
  if (before.subscriptionId !== null || subscription === null || isOthers) return before;
  const { id: subscriptionId, customerId, externalId } = subscription;
  return { subscriptionId, customerId, externalId };
}

/** What a change shows of whose it is. */
export function ownerFields({ subscriptionId, customerId }: Owner): Record<string, unknown> {
  return { subscriptionId, customerId };
}

/** Ties every name of a payment to it, so that whichever of them comes next finds it. */
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
  for (const reference of references) {
    if (work.targets.of(reference, 'pay_') === paymentId) continue;
    if (await addReference(trx, connection, reference, paymentId, recordedAt)) newReferences.push(reference);
  }
}
