import { recordAudit } from '../audit/audit-store';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { newIdentifier } from '../identifiers/identifier';
import { runOnce, type Claim, type StoredAnswer } from '../idempotency/idempotency-store';
import { toTime } from '../schemas/instant';
import type { Actor } from '../tenancy/actor';
import { requireEnabled } from './delivery-log';
import { toResendResource, type ResendInput, type WebhookResendResource } from './resend-resource';
import { findOpenResend, findResend, insertResend } from './resend-store';

/** Resends of all messages of a period. The deliverer queues them in batches. */
export interface WebhookResends {
  /**
   * @throws TollgateError webhook_endpoint_not_found, webhook_endpoint_off, webhook_resend_running
   */
  start(actor: Actor, endpointId: string, input: ResendInput, claim: Claim): Promise<StoredAnswer>;
  /** @throws TollgateError webhook_resend_not_found */
  read(actor: Actor, endpointId: string, id: string): Promise<WebhookResendResource>;
}

export function createWebhookResends({ database }: { database: Database }): WebhookResends {
  return {
    start: (actor, endpointId, { since, undeliveredOnly }, claim) => {
      const { scope, reason, receivedAt: now } = actor;
      return inWorkspace(database, scope, reason, (trx) =>
        runOnce(trx, scope, claim, now, async () => {
          // Locks the endpoint, so that of two concurrent requests the second finds the first.
          await requireEnabled(trx, scope, endpointId);
          const running = await findOpenResend(trx, scope, endpointId);
          if (running !== undefined) {
            throw new TollgateError('webhook_resend_running', `The resend ${running.id} has not ended.`);
          }
          const id = newIdentifier('webhookResend');
          await insertResend(trx, scope, { id, endpointId, since, undeliveredOnly, now });
          const detail = { resendId: id, since: toTime(since), undeliveredOnly };
          await recordAudit(trx, actor, {
            action: 'webhook_endpoint.resend_started',
            target: endpointId,
            detail,
          });
          const row = await findResend(trx, scope, { endpointId, id });
          if (row === undefined) throw resendNotFound();
          return { status: 202, body: toResendResource(row) };
        }),
      );
    },

    read: ({ scope, reason }, endpointId, id) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const row = await findResend(trx, scope, { endpointId, id });
        if (row === undefined) throw resendNotFound();
        return toResendResource(row);
      }),
  };
}

function resendNotFound(): TollgateError {
  return new TollgateError('webhook_resend_not_found', 'No resend of this endpoint has this id.');
}
