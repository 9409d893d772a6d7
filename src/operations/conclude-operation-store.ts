import { announced, arraysOf } from '../announcements/announcement-store';
import { nothing, together, type Call } from '../db/calls';
import { plainArray } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { factOfOperation } from '../domain/announced-facts';
import type { Instant } from '../domain/instant';
import { OPEN_OPERATION_STATUSES, type OperationStatus } from '../domain/operation-status';
import type { WorkspaceScope } from '../tenancy/actor';
import type { OperationProblem } from './operation-store';

/** How a command ends, and from which states. */
interface Conclusion {
  status: 'succeeded' | 'refused' | 'abandoned';
  problem: OperationProblem | null;
  from: readonly OperationStatus[];
}

/** Marks a command succeeded, in the transaction that applies it and stores its answer. */
export function markSucceededCall(scope: WorkspaceScope, id: string, at: Instant): Call<void> {
  const from = [...OPEN_OPERATION_STATUSES, 'refused', 'abandoned'] as const;
  return concludeCall(scope, id, { status: 'succeeded', problem: null, from }, at);
}

/** Sends `markSucceededCall` on its own. */
export async function markSucceeded(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  at: Instant,
): Promise<void> {
  await together(trx, [markSucceededCall(scope, id, at)]);
}

/**
 * Marks a command refused, in its own transaction after the refusal has rolled the first one back. Ended operations are
 * unchanged.
 */
export async function markRefused(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  problem: OperationProblem,
  at: Instant,
): Promise<void> {
  const from = OPEN_OPERATION_STATUSES;
  await together(trx, [concludeCall(scope, id, { status: 'refused', problem, from }, at)]);
}

/** @param id its row is locked and `pending`, and it has not started (`hasStarted`) */
export async function markAbandoned(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
  at: Instant,
): Promise<void> {
  const from = ['pending'] as const;
  await together(trx, [concludeCall(scope, id, { status: 'abandoned', problem: null, from }, at)]);
}

/** Ends a command and notifies integrators, in one statement; a command in another state is unchanged. */
function concludeCall(
  scope: WorkspaceScope,
  id: string,
  { status, problem, from }: Conclusion,
  at: Instant,
): Call<void> {
  return {
    name: 'operation_concluded',
    text: CONCLUDE,
    values: [
      ...[scope.workspaceId, scope.environment, new Date(at).toISOString()],
      ...arraysOf([factOfOperation(id)]),
      ...[id, status, problem === null ? null : JSON.stringify(problem), plainArray(from)],
    ],
    read: nothing,
  };
}

const CONCLUDE = `
WITH ended AS (
  UPDATE tollgate.operations SET status = $11, problem = $12::jsonb, finished_at = $3::timestamptz
   WHERE workspace_id = $1 AND environment = $2::tollgate.environment_name AND id = $10 AND status = ANY ($13::text[])
  RETURNING id)
${announced('$3', 4)} WHERE EXISTS (SELECT FROM ended)`;
