import { findCheckout } from '../../checkouts/checkout-store';
import { findCustomer } from '../../customers/customer-store';
import type { PaymentRow } from '../../payments/payment-store';
import type { BilledSubscription } from '../../subscriptions/billed-subscription';
import { referencesOf } from './fetch-current';
import type { Reconciliation } from './reconciliation';

/** The customer whose money it is; null when neither subscription, checkout nor customer is known here. */
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
 * The owner of a payment once its subscription is named. The subscription counts more than the provider's customer, who
 * may stand for several here: provider C has one for each address. A payment that has paid for something keeps its owner.
 */
export function updatedOwner(before: PaymentRow, subscription: BilledSubscription | null): Owner {
  const isOthers = before.transactionId !== null && subscription?.customerId !== before.customerId;
  if (before.subscriptionId !== null || subscription === null || isOthers) return before;
  const { id: subscriptionId, customerId, externalId } = subscription;
  return { subscriptionId, customerId, externalId };
}

/** The owner as a recorded change shows it. */
export function ownerFields({ subscriptionId, customerId }: Owner): Record<string, unknown> {
  return { subscriptionId, customerId };
}
