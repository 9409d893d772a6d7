import { lockCheckoutRow, wakeCheckouts } from '../../checkouts/checkout-write-store';
import type { BilledSubscription } from '../../subscriptions/billed-subscription';
import type { ConnectionRef } from '../../connections/connection-ref';
import { findTargets, type Reference } from '../../connections/reference-store';
import type { DbTransaction } from '../../db/pools';
import type { Instant } from '../../domain/instant';
import { referencesOf } from './references-of-event';
import { READ_BACK, type Reconciliation } from './reconciliation';

/**
 * Locks the checkout that an event names for this transaction. Its workflow locks the checkout before it writes the
 * payment, so every transaction that writes a checkout's payment does the same.
 */
export async function lockNamedCheckout({ trx, connection, event, targets }: Reconciliation): Promise<void> {
  const checkoutId = targets.first(referencesOf(event), 'chk_');
  if (checkoutId !== undefined) await lockCheckoutRow(trx, connection.scope, checkoutId);
}

/**
 * Wakes the workflow of the event's checkout to read the provider, which ties the remaining objects: C's subscription
 * names no checkout, and an approved order of B is still to be captured. Also wakes a checkout that ended here but is
 * billed at the provider. A reading by the workflow itself does not wake it.
 *
 * @param subscription the event's, in its current state
 * @returns whether the event names a checkout
 */
export async function wakeCheckout(
  { trx, connection, event, current, targets, now }: Reconciliation,
  subscription: BilledSubscription | null,
): Promise<boolean> {
  const references = referencesOf(event);
  const checkoutId = targets.first(references, 'chk_');
  if (event.eventType === READ_BACK) return checkoutId !== undefined;
  if (checkoutId !== undefined) {
    await wakeCheckouts(trx, connection, { checkoutId }, now);
    return true;
  }
  const billed = current.subscription?.status === 'active' || current.subscription?.status === 'trialing';
  if (subscription?.status === 'expired' && billed) {
    await wakeCheckouts(trx, connection, { subscriptionId: subscription.id }, now);
  }
  const customerId = targets.first(references, 'cus_');
  if (subscription === null && event.subscription !== undefined && customerId !== undefined) {
    await wakeCheckouts(trx, connection, { customerId, status: 'open' }, now);
  }
  return false;
}

/**
 * Wakes the workflow of a checkout that ended here to read the provider, because a later payment on its page was found
 * without a webhook. Not every provider can close a page, and an operator has to decide about the payment.
 *
 * @param references of the payment
 * @param now the workspace's time
 */
export async function wakeEndedCheckout(
  trx: DbTransaction,
  connection: ConnectionRef,
  references: readonly Reference[],
  now: Instant,
): Promise<void> {
  const targets = await findTargets(trx, connection, references);
  const checkoutId = targets.first(references, 'chk_');
  const subscriptionId = targets.first(references, 'sub_');
  if (checkoutId !== undefined) {
    await wakeCheckouts(trx, connection, { checkoutId, status: 'expired' }, now);
  } else if (subscriptionId !== undefined) {
    await wakeCheckouts(trx, connection, { subscriptionId, status: 'expired' }, now);
  }
}
