import type { DbTransaction } from '../../db/pools';
import { findOperation } from '../../operations/operation-store';
import { operationIdOf } from '../../operations/refund-id';
import { enqueue } from '../../outbox/enqueue';
import type { WorkspaceScope } from '../../tenancy/scope';

/** Has the workflow of a refund that was asked for here look at its row again: a command waits for it. */
export async function announceRefund(
  trx: DbTransaction,
  scope: WorkspaceScope,
  refundId: string,
): Promise<void> {
  if ((await findOperation(trx, scope, operationIdOf(refundId))) === undefined) return;
  await enqueue(trx, 'poke-refund', { ...scope, refundId }, `refund/${scope.environment}/${refundId}`);
}
