import { findCheckout, type CheckoutRow } from '../../checkouts/checkout-store';
import { isPlanSold } from '../../connections/sold-plan';
import { findCustomer } from '../../customers/customer-store';
import type { PaymentRow } from '../../payments/payment-store';
import type { PaymentFacts } from '../../providers/canonical-event';
import type { BilledSubscription } from '../../subscriptions/billed-subscription';
import { saveCheckoutOfPayment } from './provider-payment-store';
import { referencesOf } from './references-of-event';
import type { Reconciliation } from './reconciliation';
import { noteChanges } from './webhook-result';

/** Whose a payment is, and what it was made for. */
export type PaymentOwner = Pick<PaymentRow, 'customerId' | 'externalId' | 'transactionId' | 'checkoutId'>;

/** Finds the payment's customer; null if no subscription, checkout or customer is known here. */
export async function findOwner(
  work: Reconciliation,
  facts: PaymentFacts,
  subscription: BilledSubscription | null,
): Promise<PaymentOwner | null> {
  const { trx, connection, event, targets } = work;
  const { scope } = connection;
  if (subscription !== null) {
    const { customerId, externalId } = subscription;
    return { customerId, externalId, transactionId: null, checkoutId: null };
  }
  const checkout = await findNamedCheckout(work);
  if (checkout !== undefined) {
    const { customerId, externalId, transactionId } = checkout;
    return { customerId, externalId, transactionId, checkoutId: paidThrough(checkout) };
  }
  const customerId = targets.first(referencesOf(event), 'cus_');
  if (customerId === undefined || (await isForOthers({ trx, connection }, facts))) return null;
  // The customer alone does not say what was paid for: the payment is recorded as unapplied.
  const customer = await findCustomer(trx, scope, { id: customerId });
  if (customer === undefined) return null;
  const checkoutId = await checkoutIdOf(work, facts, customer.id);
  return { customerId: customer.id, externalId: customer.externalId, transactionId: null, checkoutId };
}

/**
 * Returns the one-time checkout that a customer's payment carries: provider A reports the payment before its page, and
 * integrators are notified once.
 */
async function checkoutIdOf(
  { trx, connection }: Reconciliation,
  { checkoutId }: PaymentFacts,
  customerId: string,
): Promise<string | null> {
  if (checkoutId === undefined) return null;
  const checkout = await findCheckout(trx, connection.scope, checkoutId);
  if (checkout?.connectionId !== connection.id || checkout.customerId !== customerId) return null;
  return paidThrough(checkout);
}

async function findNamedCheckout({
  trx,
  connection,
  event,
  targets,
}: Reconciliation): Promise<CheckoutRow | undefined> {
  const id = targets.first(referencesOf(event), 'chk_');
  return id === undefined ? undefined : findCheckout(trx, connection.scope, id);
}

/** A plan's payments name their subscription instead: its renewals are made through no checkout. */
function paidThrough({ kind, id }: CheckoutRow): string | null {
  return kind === 'payment' ? id : null;
}

/**
 * Notes the one-time checkout of a payment that was recorded before an event named both.
 *
 * @param payment its row is locked
 */
export async function nameCheckout<Payment extends PaymentRow>(
  work: Reconciliation,
  payment: Payment,
): Promise<Payment> {
  if (payment.checkoutId !== null) return payment;
  const checkout = await findNamedCheckout(work);
  const checkoutId = checkout === undefined ? null : paidThrough(checkout);
  if (checkoutId === null) return payment;
  await saveCheckoutOfPayment(work.trx, work.connection.scope, payment.id, checkoutId);
  noteChanges(work.changes, payment.id, { checkoutId: null }, { checkoutId });
  return { ...payment, checkoutId };
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
