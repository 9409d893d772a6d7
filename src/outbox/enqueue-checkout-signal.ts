import type { DbTransaction } from '../db/pools';
import { enqueue } from './enqueue';
import type { WorkspaceScope } from '../tenancy/scope';

/** Enqueues the signal that has a checkout's workflow reload its row, and starts the workflow where none runs. */
export async function enqueueCheckoutSignal(
  trx: DbTransaction,
  scope: WorkspaceScope,
  checkoutId: string,
): Promise<void> {
  const key = `checkout/${scope.environment}/${checkoutId}`;
  await enqueue(trx, 'poke-checkout', { ...scope, checkoutId }, key);
}
