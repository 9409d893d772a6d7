import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { decodeCursor, encodeCursor, mapPage, pageOf, type Page } from '../pagination/cursor';
import { rangeFilters, type TimeRange } from '../pagination/time-range';
import type { WorkspaceScope } from '../tenancy/actor';
import { listAuditRecords } from './audit-list-store';
import { toAuditRecordResource, type AuditRecordResource } from './audit-resource';

interface AuditQuery extends TimeRange {
  action?: string | undefined;
  operatorId?: string | undefined;
  apiKeyId?: string | undefined;
  take: number;
  cursor?: string | undefined;
}

/** Audit records of operators' actions, for those who may read them. */
export interface Audit {
  /** @throws TollgateError cursor_invalid */
  list(scope: WorkspaceScope, query: AuditQuery): Promise<Page<AuditRecordResource>>;
}

export function createAudit(dependencies: { database: Database; cursorSecret: string }): Audit {
  const { database, cursorSecret: secret } = dependencies;
  return {
    async list(scope, { take, cursor, from, to, ...filters }) {
      const range = { from, to };
      const binding = { ...scope, list: 'audit', filters: { ...filters, ...rangeFilters(range) } };
      const [createdAt, id] = cursor === undefined ? [] : decodeCursor(secret, binding, cursor);
      const before = id === undefined ? undefined : { createdAt: Number(createdAt), id: String(id) };
      const rows = await inWorkspace(database, scope, 'OPERATOR', (trx) =>
        listAuditRecords(trx, scope, filters, { ...range, take, before }),
      );
      const page = pageOf(rows, take, (last) => encodeCursor(secret, binding, [last.created_at, last.id]));
      return mapPage(page, toAuditRecordResource);
    },
  };
}
