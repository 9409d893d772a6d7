import type { DbTransaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/actor';
import { findingOf, type Finding } from './finding-store';

/**
 * Finds operations that an earlier version left pending. That version did not store whether the answer was 202 or 503,
 * so only the caller can send them again, with its key; an operator decides the rest.
 */
export function undecidedOperations(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `SELECT format(
              'operation %s (%s of %s): pending since before commands were kept, and sent by its own key alone; it is given up thirty days after %s',
              id, kind, target_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"')) AS example
       FROM tollgate.operations
      WHERE workspace_id = :workspaceId AND environment = :environment AND status = 'pending' AND NOT resendable`,
  );
}

/** Finds operations that were answered with 202 and have no job; `maintain` enqueues one for each within a minute. */
export function unsentOperations(trx: DbTransaction, scope: WorkspaceScope): Promise<Finding> {
  return findingOf(
    trx,
    scope,
    `SELECT format('operation %s (%s of %s): accepted, and no job sends it; npm run maintain leaves one', id, kind, target_id) AS example
       FROM tollgate.operations
      WHERE workspace_id = :workspaceId AND environment = :environment AND status = 'accepted'
        AND NOT tollgate.has_sending_job('operation/' || environment || '/' || id)`,
  );
}
