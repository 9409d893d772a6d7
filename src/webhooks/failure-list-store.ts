import { newestFirst } from '../db/newest-first';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { CreationPosition } from '../pagination/page-by-creation';
import type { WorkspaceScope } from '../tenancy/scope';
import type { WebhookProvider } from '../connections/connection-ref';
import type { WebhookFailure } from './failure-store';

export interface WebhookFailureRow extends WebhookFailure {
  id: string;
  connectionId: string;
  provider: WebhookProvider;
  /** int8, as text */
  count: string;
  firstAt: Instant;
  lastAt: Instant;
}

interface WebhookFailureFilter {
  connectionId?: string;
  kind?: WebhookFailure['kind'];
}

/** Newest first, by when each came first and then id. */
export async function listWebhookFailures(
  trx: DbTransaction,
  scope: WorkspaceScope,
  page: WebhookFailureFilter & { limit: number; before?: CreationPosition },
): Promise<WebhookFailureRow[]> {
  const query = trx
    .from(
      trx('tollgate.webhook_failures')
        .where(tenantColumns(scope))
        .select('*', { created_at: 'first_at' })
        .as('f'),
    )
    .select<WebhookFailureRow[]>({
      id: 'f.id',
      connectionId: 'f.connection_id',
      provider: 'f.provider',
      kind: 'f.kind',
      reason: 'f.reason',
      count: 'f.count',
      firstAt: 'f.first_at',
      lastAt: 'f.last_at',
    });
  const { connectionId, kind } = page;
  if (connectionId !== undefined) void query.where('f.connection_id', connectionId);
  if (kind !== undefined) void query.where('f.kind', kind);
  newestFirst(query, 'f', page);
  return query;
}
