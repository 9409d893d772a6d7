import type { Transaction } from '../db/pools';
import type { WorkspaceScope } from '../tenancy/scope';

/** What the relay can be asked to do. The database function allows these and nothing else. */
export type OutboxTask = 'poke-subscription';

/** Which subscription a job is about: ids only, so that no job holds personal data. */
export type SubscriptionJob = WorkspaceScope & { subscriptionId: string };

/**
 * Leaves a job in the open transaction: it exists exactly when the transaction commits, and is not seen before.
 *
 * @param key jobs under one key that have not run yet become one
 */
export async function enqueue(
  trx: Transaction,
  task: OutboxTask,
  payload: SubscriptionJob,
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
