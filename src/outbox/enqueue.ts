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
