import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/scope';
import { enqueue } from './enqueue';

/** Enqueues the signal that has a subscription's workflow reload its row, and starts the workflow where none runs. */
export async function enqueueSubscriptionSignal(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionId: string,
): Promise<void> {
  const key = `subscription/${scope.environment}/${subscriptionId}`;
  await enqueue(trx, 'poke-subscription', { ...scope, subscriptionId }, key);
}

/** The same of a checkout's workflow. */
export async function enqueueCheckoutSignal(
  trx: DbTransaction,
  scope: WorkspaceScope,
  checkoutId: string,
): Promise<void> {
  const key = `checkout/${scope.environment}/${checkoutId}`;
  await enqueue(trx, 'poke-checkout', { ...scope, checkoutId }, key);
}

/** The same of a refund's workflow. */
export async function enqueueRefundSignal(
  trx: DbTransaction,
  scope: WorkspaceScope,
  refundId: string,
): Promise<void> {
  const key = `refund/${scope.environment}/${refundId}`;
  await enqueue(trx, 'poke-refund', { ...scope, refundId }, key);
}
