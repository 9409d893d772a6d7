import { findCheckout } from '../../checkouts/checkout-store';
import { findCustomer } from '../../customers/customer-store';
import type { PaymentRow } from '../../payments/payment-store';
import type { PaymentFacts } from '../../providers/canonical-event';
import type { BilledSubscription } from '../../subscriptions/billed-subscription';
import { referencesOf } from './fetch-current';
import type { Reconciliation } from './reconciliation';
import { addReference, type Reference } from '../../connections/reference-store';

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
