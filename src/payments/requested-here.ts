import type { DbTransaction } from '../db/pools';
import { findOperation } from '../operations/operation-store';
import { operationIdOf } from '../operations/target-ids';
import type { WorkspaceScope } from '../tenancy/actor';

/** Returns whether a refund was requested here: it then has an operation. Others were made at the provider. */
export async function isRequestedHere(
  trx: DbTransaction,
  scope: WorkspaceScope,
  refundId: string,
): Promise<boolean> {
  return (await findOperation(trx, scope, operationIdOf(refundId))) !== undefined;
}
