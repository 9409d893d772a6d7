import { rowsAs, type Call } from '../db/calls';
import type { Instant } from '../domain/instant';
import type { OperationStatus } from '../domain/operation-status';
import type { Provider } from '../domain/provider';
import type { WorkspaceScope } from '../tenancy/actor';
import { OPERATION_COLUMNS, type OperationRow } from './operation-store';

/** A command as accepted, its subscription's provider, and its workspace's clock offset. */
export interface FoundOperation {
  operation: OperationRow;
  /** Null if it has no subscription. */
  provider: Provider | null;
  /** How far the workspace's time is ahead of real time (milliseconds). */
  clockOffset: number;
  /**
   * The subscription's commands that were accepted (202), were submitted before this one and are still open, in order.
   * Excludes the command with pending calls at a payment provider, because the provider decides its outcome.
   */
  earlier: string[];
}

export function operationCall(
  { workspaceId, environment }: WorkspaceScope,
  id: string,
): Call<FoundOperation | undefined> {
  return {
    name: 'operation',
    text: FIND,
    values: [workspaceId, environment, id],
    read: (rows) => {
      const [row] = rowsAs<FoundRow>(rows);
      if (row === undefined) return undefined;
      const { provider, offset, earlier, ...operation } = row;
      return { operation, provider, clockOffset: Number(offset), earlier };
    },
  };
}

type FoundRow = OperationRow & { provider: Provider | null; offset: string; earlier: string[] };

/** Uses the index `operations_accepted`, because each command, and each step, looks up those before it. */
const ACCEPTED = `
  FROM tollgate.operations e
 WHERE e.status = 'accepted' AND e.resendable AND e.kind NOT IN ('refund', 'create_checkout')`;

/**
 * A row of an earlier version has only the real time of its first sending, which a sandbox's time may be ahead of. The
 * list need not be in order, because each of these commands looks up those before it, too.
 */
const EARLIER = `
SELECT e.id ${ACCEPTED}
   AND e.workspace_id = o.workspace_id AND e.environment = o.environment AND e.subscription_id = o.subscription_id
   AND CASE WHEN e.submitted_at IS NULL OR o.submitted_at IS NULL THEN (e.created_at, e.id) < (o.created_at, o.id)
            ELSE (e.submitted_at, e.id) < (o.submitted_at, o.id) END
   AND e.id IS DISTINCT FROM s.provider_work -> 'unsettled' ->> 'operationId'
 ORDER BY e.submitted_at NULLS FIRST, e.created_at, e.id`;

const FIND = `
SELECT ${Object.entries(OPERATION_COLUMNS)
  .map(([name, column]) => `o.${column} AS "${name}"`)
  .join(', ')}, s.provider, coalesce(k.offset_ms, 0) AS "offset", ARRAY(${EARLIER}) AS earlier
  FROM tollgate.operations o
  LEFT JOIN tollgate.subscriptions s
    ON s.workspace_id = o.workspace_id AND s.environment = o.environment AND s.id = o.subscription_id
  LEFT JOIN tollgate.sandbox_clocks k
    ON k.workspace_id = o.workspace_id AND k.environment = o.environment
 WHERE o.workspace_id = $1 AND o.environment = $2 AND o.id = $3`;

/**
 * Reads the status and locks the row for the rest of the transaction, so that the operation cannot be abandoned
 * concurrently. Lock order: last, like `lockOperation`.
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
    read: (rows) => rowsAs<{ status: OperationStatus }>(rows)[0]?.status,
  };
}

/** Lists the open commands of a subscription that were accepted (202) and submitted before an instant, in order. */
export function acceptedBeforeCall(
  { workspaceId, environment }: WorkspaceScope,
  subscriptionId: string,
  before: Instant,
): Call<string[]> {
  return {
    name: 'accepted_before',
    text: ACCEPTED_BEFORE,
    values: [workspaceId, environment, subscriptionId, new Date(before).toISOString()],
    read: (rows) => rowsAs<{ id: string }>(rows).map(({ id }) => id),
  };
}

const ACCEPTED_BEFORE = `
SELECT e.id ${ACCEPTED}
   AND e.workspace_id = $1 AND e.environment = $2 AND e.subscription_id = $3 AND e.submitted_at < $4::timestamptz
 ORDER BY e.submitted_at, e.id`;
