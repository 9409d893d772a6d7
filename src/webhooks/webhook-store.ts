import type { DbTransaction } from '../db/pools';
import { dateOrNull } from '../db/date-or-null';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/scope';
import type { WebhookResult, WebhookStatus } from './reconcile/webhook-result';
import type { ConnectionRef, WebhookProvider } from '../connections/connection-ref';

/** A webhook that was verified for a connection. Instants are real time. */
export interface WebhookRow extends WebhookResult {
  id: string;
  connectionId: string;
  provider: WebhookProvider;
  eventType: string;
  deliveries: number;
  /** By the provider's clock. */
  occurredAt: Instant | null;
  receivedAt: Instant;
  processedAt: Instant | null;
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
 * Stores a webhook that has not come before; one that comes at the same moment waits for the other.
 *
 * @returns false when there is one with its key already
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
      // Until it is known otherwise, in the same transaction.
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

/** Counts one more delivery of a webhook that came before; its row is then locked. */
export async function countDelivery(
  trx: DbTransaction,
  connection: ConnectionRef,
  dedupeKey: string,
): Promise<{ id: string; status: WebhookStatus }> {
  const [row] = await ofConnection(trx, connection)
    .where({ dedupe_key: dedupeKey })
    .update({ deliveries: trx.raw('deliveries + 1') })
    .returning<{ id: string; status: WebhookStatus }[]>(['id', 'status']);
  if (row === undefined) throw new Error('A webhook that came before is not there.');
  return row;
}

/** The same delivery, as it was before anything of it is done; undefined where it has not come yet. */
export async function findDelivered(
  trx: DbTransaction,
  connection: ConnectionRef,
  dedupeKey: string,
): Promise<{ id: string; status: WebhookStatus } | undefined> {
  return ofConnection(trx, connection)
    .where({ dedupe_key: dedupeKey })
    .first<{ id: string; status: WebhookStatus } | undefined>('id', 'status');
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

/** Why a webhook failed that is not applied yet; what is done stays as it is. */
export async function saveFailure(
  trx: DbTransaction,
  connection: ConnectionRef,
  dedupeKey: string,
  reason: string,
): Promise<string | undefined> {
  const [row] = await ofConnection(trx, connection)
    .where({ dedupe_key: dedupeKey })
    .whereIn('status', ['failed', 'unmatched'])
    .update({ status: 'failed', reason })
    .returning<{ id: string }[]>('id');
  return row?.id;
}

function ofConnection(trx: DbTransaction, { scope, id }: ConnectionRef) {
  return trx('tollgate.webhook_events').where({
    ...tenantColumns(scope),
    connection_id: id,
  });
}
