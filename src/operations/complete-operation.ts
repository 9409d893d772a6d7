import type { DbTransaction } from '../db/pools';
import { isTollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { runOnce } from '../idempotency/idempotency-store';
import type { WorkspaceScope } from '../tenancy/actor';
import { markSucceeded } from './conclude-operation-store';
import { claimOf, type OperationRow } from './operation-store';

/**
 * Stores the answer of a command that a payment provider has carried out, and marks it succeeded, in the open
 * transaction. If another request has taken the key in the meantime, its answer stays: the provider has acted anyway.
 *
 * @param recordedAt real time
 */
export async function completeOperation(
  trx: DbTransaction,
  scope: WorkspaceScope,
  operation: OperationRow,
  answer: { status: number; body: unknown },
  recordedAt: Instant,
): Promise<void> {
  try {
    await runOnce(trx, scope, claimOf(operation), recordedAt, () => Promise.resolve(answer));
  } catch (error) {
    if (!isTollgateError(error) || error.code !== 'idempotency_key_reused') throw error;
  }
  await markSucceeded(trx, scope, operation.id, recordedAt);
}
