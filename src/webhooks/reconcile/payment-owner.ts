import { findCheckout } from '../../checkouts/checkout-store';
import { isPlanSold } from '../../connections/sold-plan';
import { findCustomer } from '../../customers/customer-store';
import type { PaymentRow } from '../../payments/payment-store';
import type { PaymentFacts } from '../../providers/canonical-event';
import type { BilledSubscription } from '../../subscriptions/billed-subscription';
import { referencesOf } from './references-of-event';
import type { Reconciliation } from './reconciliation';

/** Finds the payment's customer; null if no subscription, checkout or customer is known here. */
export async function findOwner(
  { trx, connection, event, targets }: Reconciliation,
  facts: PaymentFacts,
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
  const customerId = targets.first(references, 'cus_');
  if (customerId === undefined || (await isForOthers({ trx, connection }, facts))) return null;
  // The customer alone does not say what was paid for: the payment is recorded as unapplied.
  const customer = await findCustomer(trx, scope, { id: customerId });
  return customer === undefined
    ? null
    : { customerId: customer.id, externalId: customer.externalId, transactionId: null };
}

/**
 * Returns whether a payment of a known customer is for another workspace, or another product, with the same account:
 * provider C has one customer per e-mail address for all of them. Its checkout names the workspace. A renewal names
 * only its plan, which is one that is sold here, or was.
 */
async function isForOthers(
  { trx, connection }: Pick<Reconciliation, 'trx' | 'connection'>,
  { workspaceId, planReference }: PaymentFacts,
): Promise<boolean> {
  if (workspaceId !== undefined) return workspaceId !== connection.scope.workspaceId;
  return planReference !== undefined && !(await isPlanSold(trx, connection, planReference));
}

type Owner = Pick<PaymentRow, 'subscriptionId' | 'customerId' | 'externalId'>;

/**
 * Returns the owner of a payment once its subscription is named. The subscription takes precedence over the provider's
 * customer, which may represent several here: provider C has one per e-mail address. A payment that has settled a
 * transaction keeps its owner.
 */
export function updatedOwner(before: PaymentRow, subscription: BilledSubscription | null): Owner {
  const isOthers = before.transactionId !== null && subscription?.customerId !== before.customerId;
  if (before.subscriptionId !== null || subscription === null || isOthers) return before;
  const { id: subscriptionId, customerId, externalId } = subscription;
  return { subscriptionId, customerId, externalId };
}

/** Returns the owner's fields for a recorded change. */
export function ownerFields({ subscriptionId, customerId }: Owner): Record<string, unknown> {
  return { subscriptionId, customerId };
}
