import type { Database, DbTransaction } from '../db/pools';
import type { Environment } from '../domain/environment';
import type { Instant } from '../domain/instant';
import { opensAgain } from '../domain/operation-status';
import { enqueueSendOperation } from '../outbox/enqueue';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import { operationRows, type OperationRow } from './operation-store';
import { toCommandMessage } from './to-command-message';

/**
 * Resets a refused or abandoned operation to `pending` and counts an attempt by the current sender; makes any operation
 * resendable. If it has changed since it was read, a concurrent sender has counted that attempt or received its
 * refusal: another one would be run although nobody waits for it.
 *
 * @param known as read in the open transaction
 * @param order target and input of the new attempt
 * @returns it as the sender finds it now
 */
export async function reopenOperation(
  trx: DbTransaction,
  scope: WorkspaceScope,
  known: OperationRow,
  order: Pick<OperationRow, 'targetId' | 'input'>,
  sender: Pick<Actor, 'reason' | 'operatorId' | 'apiKeyId' | 'ip' | 'requestId' | 'now'>,
): Promise<OperationRow> {
  const { id, status, attempts } = known;
  const { targetId, input } = order;
  await operationRows(trx, scope).where({ id, resendable: false }).update({ resendable: true });
  if (!opensAgain(status)) return known;
  await operationRows(trx, scope)
    .where({ id, status, attempts })
    .update({
      status: 'pending',
      attempts: attempts + 1,
      target_id: targetId,
      input: JSON.stringify(input),
      problem: null,
      finished_at: null,
      reason: sender.reason,
      operator_id: sender.operatorId,
      api_key_id: sender.apiKeyId,
      ip: sender.ip,
      request_id: sender.requestId,
      submitted_at: new Date(sender.now),
    });
  return {
    ...known,
    targetId,
    input,
    status: 'pending',
    problem: null,
    finishedAt: null,
    submittedAt: sender.now,
    attempts: attempts + 1,
  };
}

/**
 * Marks the operation `accepted` and enqueues the job that sends it until it has ended, in the open transaction.
 *
 * @param operation its row is locked and open
 * @returns false if such a job was already queued
 */
export async function acceptOperation(
  trx: DbTransaction,
  scope: WorkspaceScope,
  operation: OperationRow,
): Promise<boolean> {
  await operationRows(trx, scope)
    .where({ id: operation.id, status: 'pending' })
    .update({ status: 'accepted' });
  return enqueueSendOperation(trx, toCommandMessage(scope, operation));
}

/**
 * Returns whether the command has left state that another process completes: a pending provider call, a reserved
 * refund, or a checkout being created.
 *
 * @param operationId its row is locked, so that it cannot start concurrently
 */
export async function hasStarted(
  trx: DbTransaction,
  { workspaceId, environment }: WorkspaceScope,
  operationId: string,
): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { started: boolean }[] }>(
    'SELECT tollgate.operation_has_started(?, ?, ?) AS started',
    [workspaceId, environment, operationId],
  );
  return rows[0]?.started === true;
}

/**
 * Lists ids of pending operations that an earlier version created before an instant, oldest first: see `resendable`.
 */
export async function listStaleOperations(
  trx: DbTransaction,
  scope: WorkspaceScope,
  before: Instant,
  limit: number,
): Promise<string[]> {
  const rows = await operationRows(trx, scope)
    .where({ status: 'pending', resendable: false })
    .where('created_at', '<', new Date(before))
    .orderBy('created_at')
    .limit(limit)
    .select<{ id: string }[]>('id');
  return rows.map(({ id }) => id);
}

/** Finds open operations of all workspaces, created before an instant, that no job will send; oldest first. */
export async function findUnsentOperations(
  database: Database,
  before: Instant,
  limit: number,
): Promise<(WorkspaceScope & { id: string })[]> {
  const { rows } = await database.raw<{
    rows: { workspaceId: string; environment: Environment; id: string }[];
  }>(`SELECT workspace_id AS "workspaceId", environment, id FROM tollgate.find_unsent_operations(?, ?)`, [
    new Date(before),
    limit,
  ]);
  return rows;
}
