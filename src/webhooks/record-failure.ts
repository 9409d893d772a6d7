import type { Clock } from '../clock/system-clock';
import { failureError } from '../db/failure';
import type { Database } from '../db/pools';
import { inWorkspaceFor } from '../db/workspace-transaction';
import { isTollgateError, TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';
import type { CanonicalEvent } from '../providers/canonical-event';
import type { ConnectionRef } from '../connections/connection-ref';
import type { RateLimitedLog } from '../telemetry/rate-limited-log';
import { storedHeaders, storableText, storableInstant, type WebhookDelivery } from './delivery';
import { blankIfErased } from './erased-webhook-store';
import { referencesOf } from './reconcile/references-of-event';
import { countFailures, type DatedFailure, type WebhookFailure } from './failure-store';
import { recordFailed } from './record-processed';
import { insertWebhook, saveFailure } from './webhook-store';

/**
 * Commits a failed delivery in its own transaction: its audit, and for a verified event also its bytes, so that it can
 * be replayed. The caller answers with an error afterwards.
 *
 * @param event the verified event whose processing failed
 */
async function recordFailure(
  database: Database,
  connection: ConnectionRef,
  failure: DatedFailure,
  verified?: { event: CanonicalEvent; delivery: WebhookDelivery },
): Promise<void> {
  const refused = { ...failure, reason: storableText(failure.reason, 1_000) };
  const { at, requestId } = failure;
  const caller = { scope: connection.scope, reason: 'SYSTEM', requestId } as const;
  await inWorkspaceFor(database, caller, async (trx) => {
    let webhookId: string | null = null;
    if (verified !== undefined) {
      const { event, delivery } = verified;
      const id = newIdentifier('webhook');
      const inserted = await insertWebhook(trx, connection, { id, ...newWebhookOf(event, delivery, at) });
      const failed = await saveFailure(trx, connection, keyOf(event), refused.reason);
      webhookId = inserted ? id : (failed ?? null);
      if (webhookId !== null) await blankIfErased(trx, connection, webhookId, referencesOf(event), at);
    }
    const added = await countFailures(trx, connection, [refused]);
    if (added.length > 0) await recordFailed(trx, connection, { ...refused, webhookId }, at);
  });
}

/**
 * Commits the failure of a verified webhook.
 *
 * @param event undefined if its bytes could not be parsed
 * @returns the error to answer with
 */
export async function failDelivery(
  { database, clock, limitedLog }: { database: Database; clock: Clock; limitedLog: RateLimitedLog },
  delivery: WebhookDelivery,
  connection: ConnectionRef,
  event: CanonicalEvent | undefined,
  error: unknown,
): Promise<Error> {
  const known = failureError(error);
  const mismatch = isTollgateError(known) && known.code === 'webhook_environment_mismatch';
  const kind: WebhookFailure['kind'] = mismatch ? 'signature' : 'processing';
  const verified = event === undefined || mismatch ? undefined : { event, delivery };
  const fields = { err: error, connectionId: connection.id };
  limitedLog.warn(`process ${connection.id}`, fields, 'a webhook could not be processed');
  const failure = { kind, reason: reasonOf(known), at: clock.now(), requestId: delivery.requestId };
  await recordFailure(database, connection, failure, verified);
  if (isTollgateError(known)) return known;
  const detail =
    event === undefined ? 'It is not a known event of the provider.' : 'It is stored and can be replayed.';
  return new TollgateError('webhook_processing_failed', detail, { cause: error });
}

/** Hides a database error's own message. */
function reasonOf(error: Error): string {
  if ('code' in error && !isTollgateError(error)) return 'The database rejected the result.';
  return error.message;
}

/** Returns the stored columns of a verified event. */
export function newWebhookOf(
  event: CanonicalEvent,
  { bytes, headers }: WebhookDelivery,
  receivedAt: Instant,
) {
  return {
    eventType: storableText(event.eventType, 200),
    dedupeKey: keyOf(event),
    body: bytes,
    headers: storedHeaders(headers),
    occurredAt: storableInstant(event.occurredAt),
    receivedAt,
  };
}

/** Returns the event's key in storable form. */
export function keyOf({ dedupeKey }: CanonicalEvent): string {
  return storableText(dedupeKey, 500);
}
