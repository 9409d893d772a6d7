import { createdWithin } from '../db/created-within';
import type { TimeRange } from '../pagination/time-range';
import type { DbTransaction } from '../db/pools';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';
import type { TransactionReason, WorkspaceScope } from '../tenancy/actor';

export interface AuditRow {
  id: string;
  environment: Environment | null;
  operator_id: string | null;
  operator_name: string | null;
  operator_email: string | null;
  api_key_id: string | null;
  api_key_name: string | null;
  api_key_last_four: string | null;
  reason: TransactionReason;
  action: string;
  target: string | null;
  detail: Record<string, unknown>;
  ip: string | null;
  created_at: Instant;
}

interface Filters {
  action?: string | undefined;
  operatorId?: string | undefined;
  apiKeyId?: string | undefined;
}

interface Part extends TimeRange {
  take: number;
  before?: { createdAt: Instant; id: string } | undefined;
}

/**
 * Lists audit records of one environment and of the organization as a whole, newest first.
 *
 * @param page up to `take + 1` rows, those before `before` in the list's order
 */
export async function listAuditRecords(
  trx: DbTransaction,
  scope: WorkspaceScope,
  filters: Filters,
  page: Part,
): Promise<AuditRow[]> {
  // Two lists, each of which an index has in its order.
  const lists = [scope.environment, null].map((environment) =>
    recordsOf(trx, { 'a.workspace_id': scope.workspaceId, 'a.environment': environment }, filters, page),
  );
  return trx
    .from(trx.unionAll(lists, true).as('a'))
    .leftJoin('tollgate.operators as o', 'o.id', 'a.operator_id')
    .leftJoin('tollgate.api_keys as k', (join) =>
      join
        .on('k.workspace_id', 'a.workspace_id')
        .on('k.environment', 'a.environment')
        .on('k.id', 'a.api_key_id'),
    )
    .orderBy(NEWEST)
    .limit(page.take + 1)
    .select<AuditRow[]>(
      'a.id',
      'a.environment',
      'a.operator_id',
      { operator_name: 'o.name', operator_email: 'o.email' },
      'a.api_key_id',
      { api_key_name: 'k.name', api_key_last_four: 'k.last_four' },
      'a.reason',
      'a.action',
      'a.target',
      'a.detail',
      'a.ip',
      'a.created_at',
    );
}

const NEWEST: { column: string; order: 'desc' }[] = [
  { column: 'a.created_at', order: 'desc' },
  { column: 'a.id', order: 'desc' },
];

function recordsOf(
  trx: DbTransaction,
  tenant: { 'a.workspace_id': string; 'a.environment': string | null },
  { action, operatorId, apiKeyId }: Filters,
  page: Part,
) {
  const query = trx('tollgate.audit_records as a')
    .where(tenant)
    .orderBy(NEWEST)
    .limit(page.take + 1);
  if (action !== undefined) void query.where('a.action', action);
  if (operatorId !== undefined) void query.where('a.operator_id', operatorId);
  if (apiKeyId !== undefined) void query.where('a.api_key_id', apiKeyId);
  createdWithin(query, 'a.created_at', page);
  if (page.before !== undefined) {
    void query.whereRaw('(a.created_at, a.id) < (?, ?)', [new Date(page.before.createdAt), page.before.id]);
  }
  return query.select(
    'a.workspace_id',
    ...['a.id', 'a.environment', 'a.operator_id', 'a.api_key_id', 'a.reason', 'a.action', 'a.target'],
    ...['a.detail', 'a.ip', 'a.created_at'],
  );
}
