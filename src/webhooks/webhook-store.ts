import type { DbTransaction } from '../db/pools';
import { dateOrNull } from '../db/parameters';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';
import type { WebhookResult, WebhookStatus } from './reconcile/webhook-result';
import type { ConnectionRef } from '../connections/connection-ref';
import type { PaymentProvider } from '../domain/provider';

/** A webhook verified for a connection. Instants are real time. */
export interface WebhookRow extends WebhookResult {
  id: string;
  connectionId: string;
  provider: PaymentProvider;
  eventType: string;
  deliveries: number;
  /** By the provider's clock. */
  occurredAt: Instant | null;
  receivedAt: Instant;
  processedAt: Instant | null;
  /** When its bytes were erased with the customer it concerned. */
  erasedAt: Instant | null;
}

export interface NewWebhook {
  id: string;
  eventType: string;
  dedupeKey: string;
  body: Buffer;
  headers: Readonly<Record<string, string>>;
  occurredAt: Instant | null;
  receivedAt: Instant;
}

/**
 * Stores a webhook. A concurrent delivery of the same webhook waits for this transaction.
 *
 * @returns false if its key is already stored
 */
export async function insertWebhook(
  trx: DbTransaction,
  { scope, id: connectionId, provider }: ConnectionRef,
  webhook: NewWebhook,
): Promise<boolean> {
  const inserted = await trx('tollgate.webhook_events')
    .insert({
      ...tenantColumns(scope),
      id: webhook.id,
      connection_id: connectionId,
      provider,
      event_type: webhook.eventType,
      dedupe_key: webhook.dedupeKey,
      // The result replaces this in the same transaction.
      status: 'failed',
      body: webhook.body,
      headers: JSON.stringify(webhook.headers),
      occurred_at: dateOrNull(webhook.occurredAt),
      received_at: new Date(webhook.receivedAt),
    })
    .onConflict(['workspace_id', 'environment', 'connection_id', 'dedupe_key'])
    .ignore()
    .returning('id');
  return inserted.length === 1;
}

/**
 * Stores a webhook, or counts one more delivery of it, and locks its row. This is the check for duplicates.
 *
 * @returns the id of its row, whether it arrived before, and whether it is already processed
 */
export async function claimWebhook(
  trx: DbTransaction,
  connection: ConnectionRef,
  webhook: NewWebhook,
): Promise<{ id: string; isDuplicate: boolean; isDone: boolean }> {
  if (await insertWebhook(trx, connection, webhook)) {
    return { id: webhook.id, isDuplicate: false, isDone: false };
  }
  const [row] = await ofConnection(trx, connection)
    .where({ dedupe_key: webhook.dedupeKey })
    .update({ deliveries: trx.raw('deliveries + 1') })
    .returning<{ id: string; status: WebhookStatus }[]>(['id', 'status']);
  if (row === undefined) throw new Error('The webhook of a duplicate delivery is missing.');
  return { id: row.id, isDuplicate: true, isDone: isDone(row.status) };
}

/** Returns whether this webhook has been processed; a failed or unmatched one is processed again. */
export async function isProcessed(
  trx: DbTransaction,
  connection: ConnectionRef,
  dedupeKey: string,
): Promise<boolean> {
  const known = await ofConnection(trx, connection)
    .where({ dedupe_key: dedupeKey })
    .first<{ status: WebhookStatus } | undefined>('status');
  return known !== undefined && isDone(known.status);
}

function isDone(status: WebhookStatus): boolean {
  return status === 'applied' || status === 'ignored';
}

/** @param at real time */
export async function saveResult(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  { status, reason, changes }: WebhookResult,
  at: Instant,
): Promise<void> {
  await trx('tollgate.webhook_events')
    .where({ ...tenantColumns(scope), id })
    .update({ status, reason, changes: JSON.stringify(changes), processed_at: new Date(at) });
}

/** Stores why an unapplied webhook failed. A processed webhook is unchanged, and an unmatched one keeps waiting. */
export async function saveFailure(
  trx: DbTransaction,
  connection: ConnectionRef,
  dedupeKey: string,
  reason: string,
): Promise<string | undefined> {
  const [row] = await ofConnection(trx, connection)
    .where({ dedupe_key: dedupeKey })
    .whereIn('status', ['failed', 'unmatched'])
    .update({ reason })
    .returning<{ id: string }[]>('id');
  return row?.id;
}

/**
 * Ends a webhook that failed before the provider's state could complete its key, once a further delivery of it has been
 * processed under the complete key. It gives up its own key, since the same bytes may report another change later.
 *
 * @param at real time
 */
export async function endIncomplete(
  trx: DbTransaction,
  connection: ConnectionRef,
  incompleteKey: string,
  processedAs: string,
  at: Instant,
): Promise<void> {
  await ofConnection(trx, connection)
    .where({ dedupe_key: incompleteKey, status: 'failed' })
    .update({
      dedupe_key: trx.ref('id'),
      status: 'ignored',
      reason: `It was delivered again, and processed as ${processedAs}.`,
      processed_at: new Date(at),
    });
}

function ofConnection(trx: DbTransaction, { scope, id }: ConnectionRef) {
  return trx('tollgate.webhook_events').where({
    ...tenantColumns(scope),
    connection_id: id,
  });
}
