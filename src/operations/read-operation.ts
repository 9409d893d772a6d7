import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { findStoredAnswer } from '../idempotency/idempotency-store';
import type { Actor } from '../tenancy/actor';
import { toOperationResource, type OperationResource } from './operation-resource';
import { claimOf, findOperation } from './operation-store';

/** @throws TollgateError operation_not_found */
export async function readOperation(
  database: Database,
  { scope, reason }: Actor,
  id: string,
): Promise<OperationResource> {
  return inWorkspace(database, scope, reason, async (trx) => {
    const row = await findOperation(trx, scope, id);
    if (row === undefined) throw operationNotFound(id);
    // Only a succeeded operation has a stored answer; a refusal's problem is in its row.
    const answer = row.status === 'succeeded' ? await findStoredAnswer(trx, scope, claimOf(row)) : undefined;
    return toOperationResource(row, answer);
  });
}

export function operationNotFound(id: string): TollgateError {
  return new TollgateError('operation_not_found', `There is no operation "${id}" in this environment.`);
}
