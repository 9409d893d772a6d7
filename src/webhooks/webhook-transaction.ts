import { setTimeout } from 'node:timers/promises';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspaceFor } from '../db/workspace-transaction';
import { hasSqlState } from '../db/sql-state';
import { isUniqueViolation } from '../db/unique-violation';
import { TollgateError } from '../domain/errors';
import { StaleFactsError } from '../subscriptions/at-provider/reconciler';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * Runs a webhook's single transaction, in the workspace whose connection signed it and with the reason `SYSTEM`: its
 * row, its changes, and their events and audit records.
 *
 * @param caller `requestId` of the delivery or of the replay request
 */
export async function inWebhookTransaction<Result>(
  database: Database,
  { scope, requestId }: { scope: WorkspaceScope; requestId: string },
  work: (trx: DbTransaction) => Promise<Result>,
): Promise<Result> {
  return inWorkspaceFor(database, { scope, reason: 'SYSTEM', requestId }, work);
}

/** Maximum number of attempts when the row keeps changing concurrently. */
const ATTEMPTS = 8;
/** Doubles each time, so that the last attempt comes after more than a second. */
const FIRST_PAUSE_MS = 10;

/** A subscription that is opened in the same plan group at the same moment is a unique violation. */
function isConflict(error: unknown): boolean {
  return hasSqlState(error, 'deadlock_detected') || isUniqueViolation(error);
}

/**
 * Loads and applies again while the row changes concurrently, another transaction makes a named reference known or
 * inserts what this one does, or the two deadlock.
 *
 * @throws TollgateError service_busy if it keeps changing; the errors of `attempt`, except StaleFactsError and such
 *   conflicts
 */
export async function retryWhenStale<Result>(attempt: () => Promise<Result>): Promise<Result> {
  let cause: unknown;
  for (let count = 1; count <= ATTEMPTS; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleFactsError) && !isConflict(error)) throw error;
      cause = error;
    }
    if (count < ATTEMPTS) await setTimeout(FIRST_PAUSE_MS * 2 ** (count - 1));
  }
  throw new TollgateError(
    'service_busy',
    'The records that the webhook concerns are being changed by other requests.',
    { retryAfter: 5, cause },
  );
}
