import type { Transaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/scope';

/** Which subscription a job is about: ids only, so that no job holds personal data. */
export type SubscriptionJob = WorkspaceScope & { subscriptionId: string };
/** Which checkout a job is about. */
export type CheckoutJob = WorkspaceScope & { checkoutId: string };
/** Which refund a job is about. */
export type RefundJob = WorkspaceScope & { refundId: string };

/** What each task is given. */
interface OutboxJobs {
  'poke-subscription': SubscriptionJob;
  'poke-checkout': CheckoutJob;
  'poke-refund': RefundJob;
}

/** What the relay can be asked to do. The database function allows these and nothing else. */
export type OutboxTask = keyof OutboxJobs;

/**
 * Leaves a job in the open transaction: it exists exactly when the transaction commits, and is not seen before.
 *
 * @param key jobs under one key that have not run yet become one: the id of the workflow that the job is for, such as
 *   `subscription/sandbox/sub_…`
 */
export async function enqueue<Task extends OutboxTask>(
  trx: Transaction,
  task: Task,
  payload: OutboxJobs[Task],
  key: string,
): Promise<void> {
  await trx.raw('SELECT tollgate.enqueue(?, ?, ?)', [task, JSON.stringify(payload), key]);
}

/**
 * Leaves a `poke-subscription` job for every open subscription of a workspace's environment, for what concerns all
 * of their workflows at once.
 */
export async function enqueueForOpenSubscriptions(trx: Transaction, scope: WorkspaceScope): Promise<void> {
  await trx.raw(
    `SELECT tollgate.enqueue(
              'poke-subscription',
              json_build_object('workspaceId', workspace_id, 'environment', environment, 'subscriptionId', id),
              'subscription/' || environment || '/' || id)
       FROM tollgate.subscriptions
      WHERE workspace_id = ? AND environment = ? AND status IN ('trialing', 'active', 'past_due')`,
    [scope.workspaceId, scope.environment],
  );
}

/** Leaves a `poke-checkout` job for every open checkout of a workspace's environment. */
export async function enqueueForOpenCheckouts(trx: Transaction, scope: WorkspaceScope): Promise<void> {
  await trx.raw(
    `SELECT tollgate.enqueue(
              'poke-checkout',
              json_build_object('workspaceId', workspace_id, 'environment', environment, 'checkoutId', id),
              'checkout/' || environment || '/' || id)
       FROM tollgate.checkouts
      WHERE workspace_id = ? AND environment = ? AND status = 'open'`,
    [scope.workspaceId, scope.environment],
  );
}
