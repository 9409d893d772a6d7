import { setTimeout } from 'node:timers/promises';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspaceFor } from '../db/workspace-transaction';
import { hasSqlState } from '../db/sql-state';
import { TollgateError } from '../domain/errors';
import { StaleFacts } from '../subscriptions/at-provider/reconciler';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * The one transaction of a webhook, of the workspace whose connection signed it and with the reason `SYSTEM`: its row,
 * what it changes, and the events and audit records of that.
 *
 * @param caller `requestId` of the delivery, or of the request for a replay
 */
export async function inWebhookTransaction<Result>(
  database: Database,
  { scope, requestId }: { scope: WorkspaceScope; requestId: string },
  work: (trx: DbTransaction) => Promise<Result>,
): Promise<Result> {
  return inWorkspaceFor(database, { scope, reason: 'SYSTEM', requestId }, work);
}

/** How often the provider is asked again because the row has changed in the meantime. */
const ATTEMPTS = 8;
/** Doubled each time, so that the last attempt comes after more than a second. */
const FIRST_PAUSE_MS = 10;

/**
 * Loads and applies again for as long as the row changes in between, another transaction makes known what is named, or
 * the two wait for each other.
 *
 * @throws TollgateError service_busy when it keeps changing; what `attempt` throws, StaleFacts and deadlocks excepted
 */
export async function retryWhenStale<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let count = 1; count <= ATTEMPTS; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StaleFacts) && !hasSqlState(error, 'deadlock_detected')) throw error;
    }
    if (count < ATTEMPTS) await setTimeout(FIRST_PAUSE_MS * 2 ** (count - 1));
  }
  throw new TollgateError(
    'service_busy',
    'The records that the webhook concerns are being changed by other requests.',
    { retryAfter: 5 },
  );
}
