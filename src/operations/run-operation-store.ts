import type { Call } from '../db/calls';
import type { OperationStatus } from '../domain/operation-status';
import type { Provider } from '../domain/provider';
import type { WorkspaceScope } from '../tenancy/actor';
import { OPERATION_COLUMNS, type OperationRow } from './operation-store';

/** The command as accepted, who bills its subscription, and how far its workspace is ahead of real time. */
export interface FoundOperation {
  operation: OperationRow;
  /** Null where it is of no subscription. */
  provider: Provider | null;
  /** Milliseconds. */
  clockOffset: number;
}

export function operationCall(
  { workspaceId, environment }: WorkspaceScope,
  id: string,
): Call<FoundOperation | undefined> {
  return {
    name: 'operation',
    text: FIND,
    values: [workspaceId, environment, id],
    read: ([row]) => {
      if (row === undefined) return undefined;
      const { provider, offset, ...operation } = row as unknown as FoundRow;
      return { operation, provider, clockOffset: Number(offset) };
    },
  };
}

type FoundRow = OperationRow & { provider: Provider | null; offset: string };

const FIND = `
SELECT ${Object.entries(OPERATION_COLUMNS)
  .map(([name, column]) => `o.${column} AS "${name}"`)
  .join(', ')}, s.provider, coalesce(k.offset_ms, 0) AS "offset"
  FROM tollgate.operations o
  LEFT JOIN tollgate.subscriptions s
    ON s.workspace_id = o.workspace_id AND s.environment = o.environment AND s.id = o.subscription_id
  LEFT JOIN tollgate.sandbox_clocks k
    ON k.workspace_id = o.workspace_id AND k.environment = o.environment
 WHERE o.workspace_id = $1 AND o.environment = $2 AND o.id = $3`;

/**
 * The status, with the row locked for the rest of the transaction, so that the operation cannot be abandoned meanwhile.
 * Lock order: last, as `lockOperation`.
 */
export function lockOperationCall(
  { workspaceId, environment }: WorkspaceScope,
  id: string,
): Call<OperationStatus | undefined> {
  return {
    name: 'lock_operation',
    text: `SELECT status FROM tollgate.operations
            WHERE workspace_id = $1 AND environment = $2 AND id = $3 FOR UPDATE`,
    values: [workspaceId, environment, id],
    read: ([row]) => (row as { status: OperationStatus } | undefined)?.status,
  };
}
