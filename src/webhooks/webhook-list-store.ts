import { newestFirst } from '../db/newest-first';
import type { DbTransaction } from '../db/pools';
import { tenantColumns, tenantColumnsOf } from '../db/tenant-columns';
import type { CreationPart } from '../pagination/page-by-creation';
import type { WorkspaceScope } from '../tenancy/actor';
import type { ConnectionRef } from '../connections/connection-ref';
import type { WebhookRow } from './webhook-store';
import type { WebhookStatus } from './reconcile/webhook-result';
import type { PaymentProvider } from '../domain/provider';

const COLUMNS = {
  id: 'h.id',
  connectionId: 'h.connection_id',
  provider: 'h.provider',
  eventType: 'h.event_type',
  status: 'h.status',
  reason: 'h.reason',
  changes: 'h.changes',
  deliveries: 'h.deliveries',
  occurredAt: 'h.occurred_at',
  receivedAt: 'h.received_at',
  processedAt: 'h.processed_at',
  erasedAt: 'h.erased_at',
};

export interface StoredWebhook extends WebhookRow {
  body: Buffer;
}

/** @param lock `lock` holds the row until the transaction ends, so that two replays run in turn */
export async function findWebhook(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  lock: 'lock' | 'read',
): Promise<StoredWebhook | undefined> {
  const query = webhooks(trx, scope).where('h.id', id);
  if (lock === 'lock') void query.forUpdate();
  return query.first<StoredWebhook | undefined>({ ...COLUMNS, body: 'h.body' });
}

/**
 * Maximum number of unmatched webhooks that are searched. An account that also serves another product sends many that
 * never match, and each renewal makes a reference known.
 */
const SEARCHED = 10_000;

/**
 * Finds those of a connection's newest unmatched webhooks whose bytes contain a reference; oldest first.
 *
 * @param searched how many of the newest are searched
 */
export async function findUnmatched(
  trx: DbTransaction,
  { scope, id: connectionId }: Pick<ConnectionRef, 'scope' | 'id'>,
  reference: string,
  limit: number,
  searched = SEARCHED,
): Promise<StoredWebhook[]> {
  const unmatched = { 'h.connection_id': connectionId, 'h.status': 'unmatched' };
  const newestLeftOut = webhooks(trx, scope)
    .where(unmatched)
    .orderBy('h.received_at', 'desc')
    .offset(searched)
    .first('h.received_at');
  return webhooks(trx, scope)
    .where(unmatched)
    .where('h.received_at', '>', trx.raw(`coalesce(?, '-infinity')`, [newestLeftOut]))
    .whereRaw('position(? in h.body) > 0', [Buffer.from(reference, 'utf8')])
    .orderBy(['h.received_at', 'h.id'])
    .limit(limit)
    .forUpdate()
    .select<StoredWebhook[]>({ ...COLUMNS, body: 'h.body' });
}

export interface WebhookFilter {
  provider?: PaymentProvider;
  status?: WebhookStatus;
  connectionId?: string;
}

/** Lists webhooks, newest first by arrival and then id. */
export async function listWebhooks(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: WebhookFilter & CreationPart,
): Promise<WebhookRow[]> {
  const query = trx
    .from(
      trx('tollgate.webhook_events')
        .where(tenantColumns(scope))
        .select('*', { created_at: 'received_at' })
        .as('h'),
    )
    .select<WebhookRow[]>(COLUMNS);
  const { provider, status, connectionId } = page;
  if (provider !== undefined) void query.where('h.provider', provider);
  if (status !== undefined) void query.where('h.status', status);
  if (connectionId !== undefined) void query.where('h.connection_id', connectionId);
  newestFirst(query, 'h', page);
  return query;
}

function webhooks(trx: DbTransaction, scope: WorkspaceScope) {
  return trx({ h: 'tollgate.webhook_events' }).where({
    ...tenantColumnsOf('h', scope),
  });
}
