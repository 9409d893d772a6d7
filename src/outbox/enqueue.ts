import type { DbTransaction } from '../db/pools';
import type { CommandTarget, CommandMessage } from './command-message';
import type { WorkspaceScope } from '../tenancy/scope';

/** Which subscription a job is about: ids only, so that no job holds personal data. */
export type SubscriptionJob = WorkspaceScope & { subscriptionId: string };
/** Which checkout a job is about. */
export type CheckoutJob = WorkspaceScope & { checkoutId: string };
/** Which refund a job is about. */
export type RefundJob = WorkspaceScope & { refundId: string };

/** Which workspace's environment a job is about. */
export type WorkspaceJob = WorkspaceScope;

/** A command that was answered 202: ids only. */
export interface SendOperationJob extends WorkspaceScope {
  target: CommandTarget;
  operationId: string;
  updateId: string;
}

/** What each task is given. */
interface OutboxJobs {
  'poke-subscription': SubscriptionJob;
  'poke-checkout': CheckoutJob;
  'poke-refund': RefundJob;
  'reschedule-subscriptions': WorkspaceJob;
  'send-operation': SendOperationJob;
}

/** What the relay can be asked to do. The database function allows these and nothing else. */
export type OutboxTask = keyof OutboxJobs;

/**
 * Leaves a job in the open transaction: it exists exactly when the transaction commits, and is not seen before.
 *
 * @param key jobs under one key that have not run yet become one: the id of the workflow that the job is for, such as
 *   `subscription/sandbox/sub_…`
 */
export async function enqueue<Task extends Exclude<OutboxTask, 'send-operation'>>(
  trx: DbTransaction,
  task: Task,
  payload: OutboxJobs[Task],
  key: string,
): Promise<void> {
  await trx.raw('SELECT tollgate.enqueue(?, ?, ?)', [task, JSON.stringify(payload), key]);
}

/**
 * Leaves a `send-operation` job in the open transaction, unless one waits already that will run. It sends the command
 * with growing pauses until the operation has ended; whoever finds the operation open without one leaves it again.
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
 * Leaves the job that has the next wake of every open subscription of a workspace's environment computed again, in
 * batches, for when something has changed that their rows do not hold.
 */
export async function enqueueReschedule(
  trx: DbTransaction,
  { workspaceId, environment }: WorkspaceScope,
): Promise<void> {
  const key = `reschedule/${environment}/${workspaceId}`;
  await enqueue(trx, 'reschedule-subscriptions', { workspaceId, environment }, key);
}

/** Leaves a `poke-subscription` job for each of the subscriptions. */
export async function enqueueSubscriptionSignals(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscriptionIds: readonly string[],
): Promise<void> {
  if (subscriptionIds.length === 0) return;
  await trx.raw(`${ENQUEUE_EACH_SUBSCRIPTION} AND id = ANY(?)`, [
    scope.workspaceId,
    scope.environment,
    [...subscriptionIds],
  ]);
}

/**
 * Leaves a `poke-subscription` job for every subscription of a workspace's environment that waits for its time, for
 * what concerns all of their workflows at once. One that has ended may still wait for its provider's word.
 */
export async function enqueueForWaitingSubscriptions(
  trx: DbTransaction,
  scope: WorkspaceScope,
): Promise<void> {
  await trx.raw(
    `${ENQUEUE_EACH_SUBSCRIPTION} AND (status IN ('trialing', 'active', 'past_due')
                       OR status <> 'incomplete' AND next_wake_at IS NOT NULL)`,
    [scope.workspaceId, scope.environment],
  );
}

const ENQUEUE_EACH_SUBSCRIPTION = `
  SELECT tollgate.enqueue(
           'poke-subscription',
           json_build_object('workspaceId', workspace_id, 'environment', environment, 'subscriptionId', id),
           'subscription/' || environment || '/' || id)
    FROM tollgate.subscriptions
   WHERE workspace_id = ? AND environment = ?`;

/** The same of checkouts; one that is over may still be waited for at its provider. */
export async function enqueueForWaitingCheckouts(trx: DbTransaction, scope: WorkspaceScope): Promise<void> {
  await trx.raw(
    `SELECT tollgate.enqueue(
              'poke-checkout',
              json_build_object('workspaceId', workspace_id, 'environment', environment, 'checkoutId', id),
              'checkout/' || environment || '/' || id)
       FROM tollgate.checkouts
      WHERE workspace_id = ? AND environment = ? AND (status = 'open' OR next_wake_at IS NOT NULL)`,
    [scope.workspaceId, scope.environment],
  );
}
