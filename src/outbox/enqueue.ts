import { nothing, together, type Call } from '../db/calls';
import type { DbTransaction } from '../db/pools';
import type { CommandTarget, CommandMessage } from './command-message';
import type { WorkspaceScope } from '../tenancy/actor';

/** A job for a subscription. Jobs hold ids only, and no personal data. */
export type SubscriptionJob = WorkspaceScope & { subscriptionId: string };
/** A job for a checkout. */
export type CheckoutJob = WorkspaceScope & { checkoutId: string };
/** A job for a refund. */
export type RefundJob = WorkspaceScope & { refundId: string };
/** A job for a customer's erasure. */
export type ErasureJob = WorkspaceScope & { erasureId: string };

/** A job for a workspace's environment. */
export type WorkspaceJob = WorkspaceScope;

/** A command answered with 202. */
export interface SendOperationJob extends WorkspaceScope {
  target: CommandTarget;
  operationId: string;
  updateId: string;
}

/** The tasks by their stored names, with their payloads. A `poke` is a workflow signal. */
export interface OutboxJobs {
  'poke-subscription': SubscriptionJob;
  'poke-checkout': CheckoutJob;
  'poke-refund': RefundJob;
  'poke-erasure': ErasureJob;
  'reschedule-subscriptions': WorkspaceJob;
  'send-operation': SendOperationJob;
}

/** The task names; the database function `tollgate.enqueue` refuses any other. */
export type OutboxTask = keyof OutboxJobs;

/**
 * Enqueues a job in the open transaction: it exists if and only if the transaction commits.
 *
 * @param key deduplicates waiting jobs: the id of the job's workflow, such as `subscription/sandbox/sub_…`
 */
export async function enqueue<Task extends Exclude<OutboxTask, 'send-operation'>>(
  trx: DbTransaction,
  task: Task,
  payload: OutboxJobs[Task],
  key: string,
): Promise<void> {
  await together(trx, [enqueueCall(task, payload, key)]);
}

/** Builds the call of `enqueue`. */
export function enqueueCall<Task extends Exclude<OutboxTask, 'send-operation'>>(
  task: Task,
  payload: OutboxJobs[Task],
  key: string,
): Call<void> {
  return {
    name: 'enqueue',
    text: 'SELECT tollgate.enqueue($1, $2, $3)',
    values: [task, JSON.stringify(payload), key],
    read: nothing,
  };
}

/**
 * Enqueues a `send-operation` job in the open transaction, unless a runnable one is already queued. The job sends the
 * command at growing intervals until the operation has ended.
 *
 * @returns whether a job was enqueued
 */
export async function enqueueSendOperation(trx: DbTransaction, command: CommandMessage): Promise<boolean> {
  const { scope, target, operationId, updateId } = command;
  const { workspaceId, environment } = scope;
  const job: SendOperationJob = { workspaceId, environment, target, operationId, updateId };
  const { rows } = await trx.raw<{ rows: { left: boolean }[] }>(
    'SELECT tollgate.keep_sending(?, ?) AS left',
    [JSON.stringify(job), `operation/${environment}/${operationId}`],
  );
  return rows[0]?.left === true;
}

/**
 * Enqueues the job that recomputes the next wake of every open subscription of a workspace's environment, in batches,
 * after a change outside of their rows.
 */
export async function enqueueReschedule(
  trx: DbTransaction,
  { workspaceId, environment }: WorkspaceScope,
): Promise<void> {
  const key = `reschedule/${environment}/${workspaceId}`;
  await enqueue(trx, 'reschedule-subscriptions', { workspaceId, environment }, key);
}

/** Enqueues a `poke-subscription` job for each subscription. */
export async function enqueueSubscriptionSignals(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionIds: readonly string[],
): Promise<void> {
  if (subscriptionIds.length === 0) return;
  await trx.raw(
    `SELECT tollgate.enqueue_each(
              'poke-subscription',
              array_agg(json_build_object('workspaceId', workspace_id, 'environment', environment, 'subscriptionId', id)),
              array_agg('subscription/' || environment || '/' || id),
              array_agg(NULL::timestamptz))
       FROM tollgate.subscriptions
      WHERE workspace_id = ? AND environment = ? AND id = ANY(?)`,
    [scope.workspaceId, scope.environment, [...subscriptionIds]],
  );
}
