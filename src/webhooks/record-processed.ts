import { countInWords } from '../domain/count-in-words';
import type { DbTransaction } from '../db/pools';
import type { EventStatus } from '../domain/event-types';
import type { Instant } from '../domain/instant';
import { recordDeveloperEvent } from '../events/developer-event-store';
import type { ConnectionRef } from '../connections/connection-ref';
import type { WebhookFailure } from './failure-store';
import type { WebhookResult, WebhookStatus } from './reconcile/webhook-result';

const EVENT_STATUS: Record<WebhookStatus, EventStatus> = {
  applied: 'OK',
  ignored: 'OK',
  // Stored until its references are known.
  unmatched: 'PENDING',
  failed: 'ERROR',
};

/** Records a webhook's result as a developer event. */
export async function recordProcessed(
  trx: DbTransaction,
  connection: ConnectionRef,
  webhook: WebhookResult & { webhookId: string; eventType: string },
  recordedAt: Instant,
): Promise<void> {
  const { webhookId, eventType, status, reason, changes } = webhook;
  await recordDeveloperEvent(
    trx,
    connection.scope,
    {
      type: 'WEBHOOK_PROCESSED',
      status: EVENT_STATUS[status],
      message: messageOf(webhook),
      source: connection.provider,
      data: { webhookId, connectionId: connection.id, eventType, webhookStatus: status, reason, changes },
    },
    recordedAt,
  );
}

/** Records a refused or failed webhook the same way. */
export async function recordFailed(
  trx: DbTransaction,
  connection: ConnectionRef,
  { kind, reason, webhookId }: WebhookFailure & { webhookId: string | null },
  recordedAt: Instant,
): Promise<void> {
  await recordDeveloperEvent(
    trx,
    connection.scope,
    {
      type: 'WEBHOOK_PROCESSED',
      status: 'ERROR',
      message: `${FAILED[kind]} ${reason}`,
      source: connection.provider,
      data: { webhookId, connectionId: connection.id, failure: kind, reason },
    },
    recordedAt,
  );
}

const FAILED: Record<WebhookFailure['kind'], string> = {
  signature: 'A webhook was refused.',
  processing: 'A webhook could not be processed.',
  unavailable: 'A webhook could not be verified.',
};

function messageOf({ eventType, status, reason, changes }: WebhookResult & { eventType: string }): string {
  const why = reason === null ? '' : ` ${reason}`;
  switch (status) {
    case 'applied': {
      const did =
        changes.length === 0
          ? 'was applied and changed nothing'
          : `was applied: ${countInWords(changes.length, 'change')}`;
      return `${eventType} ${did}.${why}`;
    }
    case 'ignored':
      return `${eventType} was ignored.${why}`;
    case 'unmatched':
      return `${eventType} is stored until the object it refers to is known.${why}`;
    case 'failed':
      return `${eventType} failed.${why}`;
  }
}
