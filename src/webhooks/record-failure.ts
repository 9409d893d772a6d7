import type { Database } from '../db/pools';
import { inWorkspaceFor } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';
import type { CanonicalEvent } from '../providers/canonical-event';
import type { ConnectionRef } from '../connections/connection-ref';
import { keptHeaders, storable, storableInstant, type WebhookDelivery } from './delivery';
import { countFailures, type DatedFailure } from './failure-store';
import { recordFailed } from './record-processed';
import { insertWebhook, saveFailure } from './webhook-store';

/**
 * Commits a failed delivery in a transaction of its own: its audit, and for a verified event also the bytes, so that
 * it can be replayed. The caller answers with an error afterwards.
 *
 * @param event the verified event whose processing failed
 */
export async function recordFailure(
  database: Database,
  connection: ConnectionRef,
  failure: DatedFailure,
  verified?: { event: CanonicalEvent; delivery: WebhookDelivery },
): Promise<void> {
  const told = { ...failure, reason: storable(failure.reason, 1_000) };
  const { at, requestId } = failure;
  const caller = { scope: connection.scope, reason: 'SYSTEM', requestId } as const;
  await inWorkspaceFor(database, caller, async (trx) => {
    let webhookId: string | null = null;
    if (verified !== undefined) {
      const { event, delivery } = verified;
      const id = newIdentifier('webhook');
      const inserted = await insertWebhook(trx, connection, { id, ...newWebhookOf(event, delivery, at) });
      const failed = await saveFailure(trx, connection, keyOf(event), told.reason);
      webhookId = inserted ? id : (failed ?? null);
    }
    const added = await countFailures(trx, connection, [told]);
    if (added.length > 0) await recordFailed(trx, connection, { ...told, webhookId }, at);
  });
}

/** What is stored of a verified event. */
export function newWebhookOf(
  event: CanonicalEvent,
  { bytes, headers }: WebhookDelivery,
  receivedAt: Instant,
) {
  return {
    eventType: storable(event.eventType, 200),
    dedupeKey: keyOf(event),
    body: bytes,
    headers: keptHeaders(headers),
    occurredAt: storableInstant(event.occurredAt),
    receivedAt,
  };
}

/** The event's key as the database can hold it. */
export function keyOf({ dedupeKey }: CanonicalEvent): string {
  return storable(dedupeKey, 500);
}
