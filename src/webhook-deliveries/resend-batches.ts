import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { sendAgain } from '../webhook-endpoints/delivery-store';
import { requireEndpoint } from '../webhook-endpoints/endpoint-store';
import { listMessagesToResend, saveProgress, takeResend } from '../webhook-endpoints/resend-store';
import { findOpenResends } from './due-store';

/** Resends that are worked at in one round, and the messages of each. */
const RESENDS = 20;
const BATCH = 500;

/** Queues the next batch of each resend that has not ended. Every batch is a transaction with its progress. */
export async function queueResends(database: Database, now: Instant): Promise<void> {
  for (const { workspaceId, environment, id } of await findOpenResends(database, RESENDS)) {
    const scope = { workspaceId, environment };
    await inWorkspace(database, scope, 'SYSTEM', async (trx) => {
      const resend = await takeResend(trx, scope, id);
      if (resend === undefined) return;
      const { disabledAt } = await requireEndpoint(trx, scope, resend.endpointId);
      const messages = disabledAt === null ? await listMessagesToResend(trx, scope, resend, BATCH) : [];
      const ids = messages.map((message) => message.id);
      const queued = ids.length === 0 ? 0 : await sendAgain(trx, scope, resend.endpointId, ids, now);
      await saveProgress(trx, scope, id, {
        after: messages.at(-1),
        resent: resend.resent + queued,
        endedAt: messages.length < BATCH ? now : null,
      });
    });
  }
}
