import type { DbTransaction } from '../db/pools';
import { enqueue } from './enqueue';
import type { WorkspaceScope } from '../tenancy/scope';

/** Has the checkout's workflow look at its row again, or begin. */
export async function enqueueCheckoutSignal(
  trx: DbTransaction,
  scope: WorkspaceScope,
  checkoutId: string,
): Promise<void> {
  const key = `checkout/${scope.environment}/${checkoutId}`;
  await enqueue(trx, 'poke-checkout', { ...scope, checkoutId }, key);
}
