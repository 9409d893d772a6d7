import { createdWithin } from '../db/created-within';
import type { CreationPart } from '../pagination/page-by-creation';
import type { Database } from '../db/pools';
import type { Instant } from '../domain/instant';

export interface PlatformAuditRow {
  id: string;
  action: string;
  operator_id: string | null;
  operator_name: string | null;
  operator_email: string | null;
  host: string | null;
  provider: string | null;
  detail: Record<string, unknown>;
  ip: string | null;
  /** int8, as text */
  count: string;
  overflow: boolean;
  created_at: Instant;
  last_at: Instant;
}

/** Lists records newest first: up to `limit` rows, those after `before` in the list's order. */
export async function listPlatformAudit(
  database: Database,
  filters: { action?: string | undefined; operatorId?: string | undefined },
  page: CreationPart,
): Promise<PlatformAuditRow[]> {
  const query = database('tollgate.platform_audit as a')
    .leftJoin('tollgate.operators as o', 'o.id', 'a.operator_id')
    .orderBy([
      { column: 'a.created_at', order: 'desc' },
      { column: 'a.id', order: 'desc' },
    ])
    .limit(page.limit);
  if (filters.action !== undefined) void query.where('a.action', filters.action);
  if (filters.operatorId !== undefined) void query.where('a.operator_id', filters.operatorId);
  createdWithin(query, 'a.created_at', page);
  if (page.before !== undefined) {
    void query.whereRaw('(a.created_at, a.id) < (?, ?)', [new Date(page.before.createdAt), page.before.id]);
  }
  return query.select<PlatformAuditRow[]>('a.*', { operator_name: 'o.name', operator_email: 'o.email' });
}
