import type { DbTransaction } from '../db/pools';
import type { Call } from '../db/calls';
import type { WorkspaceScope } from '../tenancy/actor';
import { enqueue, enqueueCall, type OutboxJobs } from './enqueue';

type SignalTask = 'poke-subscription' | 'poke-checkout' | 'poke-refund' | 'poke-erasure';

/** Enqueues the signal that makes a workflow reload its row, and starts the workflow if none is running. */
type EnqueueSignal = (trx: DbTransaction, scope: WorkspaceScope, id: string) => Promise<void>;

function signalTo<Task extends SignalTask>(
  kind: 'subscription' | 'checkout' | 'refund' | 'erasure',
  task: Task,
  jobOf: (scope: WorkspaceScope, id: string) => OutboxJobs[Task],
): EnqueueSignal {
  return (trx, scope, id) => enqueue(trx, task, jobOf(scope, id), `${kind}/${scope.environment}/${id}`);
}

export const enqueueSubscriptionSignal = signalTo('subscription', 'poke-subscription', (scope, id) => ({
  ...scope,
  subscriptionId: id,
}));

export const enqueueCheckoutSignal = signalTo('checkout', 'poke-checkout', (scope, id) => ({
  ...scope,
  checkoutId: id,
}));

/** Builds the call of `enqueueCheckoutSignal`. */
export function checkoutSignalCall(scope: WorkspaceScope, id: string): Call<void> {
  return enqueueCall('poke-checkout', { ...scope, checkoutId: id }, `checkout/${scope.environment}/${id}`);
}

export const enqueueRefundSignal = signalTo('refund', 'poke-refund', (scope, id) => ({
  ...scope,
  refundId: id,
}));

export const enqueueErasureSignal = signalTo('erasure', 'poke-erasure', (scope, id) => ({
  ...scope,
  erasureId: id,
}));
