import type { z } from 'zod';
import { newestFirst } from '../db/newest-first';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { OPEN_OPERATION_STATUSES } from '../domain/operation-status';
import { mapPage, type Page } from '../pagination/cursor';
import { pageByCreation, type CreationPart } from '../pagination/page-by-creation';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { toListedOperation, type ListedOperation, type listOperationsQuery } from './operation-resource';
import { OPERATION_COLUMNS, operationRows, type OperationKind, type OperationRow } from './operation-store';

type Query = z.output<typeof listOperationsQuery>;

/** Lists an environment's commands, newest first. */
export interface OperationList {
  /**
   * @param kinds the kinds that the caller may see
   * @throws TollgateError cursor_invalid
   */
  list(actor: Actor, kinds: readonly OperationKind[], query: Query): Promise<Page<ListedOperation>>;
}

export function createOperationList(options: { database: Database; cursorSecret: string }): OperationList {
  const { database, cursorSecret: secret } = options;
  return {
    list: ({ scope, reason }, kinds, { take, cursor, from, to, ...filters }) =>
      inWorkspace(database, scope, reason, async (trx) => {
        const page = await pageByCreation(
          { secret, scope, list: 'operations', filters, take, cursor, from, to },
          (part) => readPart(trx, scope, kinds, { ...filters, ...part }),
        );
        return mapPage(page, toListedOperation);
      }),
  };
}

async function readPart(
  trx: DbTransaction,
  scope: WorkspaceScope,
  kinds: readonly OperationKind[],
  { subscriptionId, kind, status, ...part }: Pick<Query, 'subscriptionId' | 'kind' | 'status'> & CreationPart,
): Promise<OperationRow[]> {
  const query = operationRows(trx, scope).whereIn('kind', kinds).select<OperationRow[]>(OPERATION_COLUMNS);
  if (subscriptionId !== undefined) void query.where('subscription_id', subscriptionId);
  if (kind !== undefined) void query.where({ kind });
  if (status === 'open') void query.whereIn('status', OPEN_OPERATION_STATUSES);
  else if (status !== undefined) void query.where({ status });
  newestFirst(query, 'operations', part);
  return query;
}
