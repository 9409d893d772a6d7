import { countInWords } from '../domain/count-in-words';
import type { DbTransaction } from '../db/pools';
import type { EventStatus } from '../domain/event-types';
import type { Instant } from '../domain/instant';
import { recordDeveloperEvent } from '../events/developer-event-store';
import type { ConnectionRef } from '../connections/connection-ref';
import type { Reference } from '../connections/reference-store';
import { blankIfErased } from './erased-webhook-store';
import type { WebhookFailure } from './failure-store';
import type { Reconciliation } from './reconcile/reconciliation';
import type { WebhookResult, WebhookStatus } from './reconcile/webhook-result';
import { saveResult } from './webhook-store';

const EVENT_STATUS: Record<WebhookStatus, EventStatus> = {
  applied: 'OK',
  ignored: 'OK',
  // Stored until its references are known.
  unmatched: 'PENDING',
  failed: 'ERROR',
};

/**
 * Saves a stored webhook's result and records it as a developer event. Blanks the webhook if it names an object of an
 * erased customer.
 *
 * @param references of the webhook and of the provider's facts
 */
export async function recordProcessed(
  { trx, connection, event: { eventType }, recordedAt }: Reconciliation,
  webhookId: string,
  references: readonly Reference[],
  result: WebhookResult,
): Promise<void> {
  const { status, reason, changes } = result;
  await saveResult(trx, connection.scope, webhookId, result, recordedAt);
  await blankIfErased(trx, connection, webhookId, references, recordedAt);
  await recordDeveloperEvent(
    trx,
    connection.scope,
    {
      type: 'WEBHOOK_PROCESSED',
      status: EVENT_STATUS[status],
      message: messageOf(eventType, result),
      source: connection.provider,
      data: { webhookId, connectionId: connection.id, eventType, webhookStatus: status, reason, changes },
    },
    recordedAt,
  );
}

/** Records a refused or failed webhook as a developer event. */
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

function messageOf(eventType: string, { status, reason, changes }: WebhookResult): string {
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
