import { announceCall } from '../announcements/announcement-store';
import { together } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import { factOfCheckout } from '../domain/announced-facts';
import { recordDeveloperEvent } from '../events/developer-event-store';
import { findBilledSubscription } from '../subscriptions/billed-subscription-store';
import type { WorkspaceScope } from '../tenancy/actor';
import { checkoutSignalCall } from '../outbox/enqueue-signal';
import { findCheckout, type CheckoutRow } from './checkout-store';
import { lockCheckoutRow, saveCheckout } from './checkout-write-store';
import { expireCheckout, type CheckoutExpiry } from '../subscriptions/expire-checkout';

/** Locks a checkout for this transaction, after its subscription, whose row is always locked first. */
export async function lockCheckout(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<CheckoutRow | undefined> {
  const subscriptionId = (await findCheckout(trx, scope, id))?.subscriptionId ?? null;
  if (subscriptionId !== null) await findBilledSubscription(trx, scope, subscriptionId, 'lock');
  await lockCheckoutRow(trx, scope, id);
  return findCheckout(trx, scope, id);
}

/**
 * Ends an open, unpaid checkout, of a plan or of a one-time amount, in the open transaction.
 *
 * @param row locked
 */
export async function endCheckout(
  trx: DbTransaction,
  scope: WorkspaceScope,
  row: CheckoutRow,
  expiry: CheckoutExpiry,
): Promise<void> {
  const { at, recordedAt, source, why, reason } = expiry;
  if (row.subscriptionId !== null) {
    const subscription = await findBilledSubscription(trx, scope, row.subscriptionId, 'lock');
    if (subscription?.status === 'incomplete') await expireCheckout(trx, scope, subscription, expiry);
    return;
  }
  const nextWakeAt = row.provider === 'internal' ? null : at;
  await saveCheckout(trx, scope, row.id, { status: 'expired', nextWakeAt }, at);
  const fact = { ...factOfCheckout(row.id, 'expired'), happenedAt: at };
  await together(trx, [checkoutSignalCall(scope, row.id), announceCall(scope, [fact], recordedAt)]);
  if (why !== 'refused') return;
  const { id: checkoutId, customerId, externalId, provider } = row;
  const message = `A payment by ${externalId} could not be requested at the payment provider: ${reason ?? 'it refused.'}`;
  const event = { type: 'CHECKOUT_CREATED', status: 'ERROR', message, source } as const;
  const data = { checkoutId, customerId, externalId, provider, reason: why };
  await recordDeveloperEvent(trx, scope, { ...event, data }, recordedAt);
}
