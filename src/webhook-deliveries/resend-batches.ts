import type { Clock } from '../clock/system-clock';
import { forEachWorkspace } from '../db/each-workspace';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { latestLease } from '../domain/webhook-schedule';
import { sendAgain } from '../webhook-endpoints/delivery-store';
import type { WorkspaceScope } from '../tenancy/actor';
import { readEndpointOf, readResendBatch, saveProgress, takeResend } from '../webhook-endpoints/resend-store';
import { findOpenResends } from './due-store';
import { lockHealth } from './result-store';

/**
 * Maximum number of resends in one round, and of messages for each. One organization may have a hundred that take
 * hours, and the round must still include those of others.
 */
const RESENDS = 2_000;
const BATCH = 500;

/**
 * Queues the next batch of each resend that has not ended. Each batch is one transaction together with its progress. A
 * resend that fails does not hold up the others.
 *
 * @param stopping ends it after the batch in progress
 */
export async function queueResends(database: Database, clock: Clock, stopping?: AbortSignal): Promise<void> {
  const open = await findOpenResends(database, RESENDS);
  await forEachWorkspace(open, null, async ({ workspaceId, environment, id }) => {
    if (stopping?.aborted !== true) await queueBatch(database, { workspaceId, environment }, id, clock);
  });
}

async function queueBatch(
  database: Database,
  scope: WorkspaceScope,
  id: string,
  clock: Clock,
): Promise<void> {
  await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
    const endpointId = await readEndpointOf(trx, scope, id);
    if (endpointId === undefined) return;
    // Locks the endpoint before its dependent rows, as the endpoint's deletion does.
    const [endpoint] = await lockHealth(trx, scope, [endpointId]);
    const resend = await takeResend(trx, scope, id);
    if (endpoint === undefined || resend === undefined) return;
    // Earlier resends and the locks took time, in which deliveries were leased.
    const now = clock.now();
    const { ids, last, isLast } =
      endpoint.disabledAt === null
        ? await readResendBatch(trx, scope, resend, { limit: BATCH, waitingFrom: latestLease(now) })
        : { ids: [], last: undefined, isLast: true };
    const queued = ids.length === 0 ? 0 : await sendAgain(trx, scope, endpointId, ids, now);
    await saveProgress(trx, scope, id, {
      after: last,
      resent: resend.resent + queued,
      endedAt: isLast ? now : null,
    });
  });
}
