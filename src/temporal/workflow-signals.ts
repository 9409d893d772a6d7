import type { Client } from '@temporalio/client';
import { poke } from '../../workflows/messages';
import type { Clock } from '../clock/system-clock';
import type { CheckoutJob, ErasureJob, RefundJob, SubscriptionJob, WorkspaceJob } from '../outbox/enqueue';
import { CALL_TIMEOUT_MS } from './client';
import {
  checkoutStart,
  erasureStart,
  refundStart,
  rescheduleStart,
  subscriptionStart,
  type EntityWorkflows,
} from './workflow-starts';

/**
 * Signals that make a workflow reload its row; each starts the workflow if none is running, for example after a
 * termination. Idempotent. The signal's stored name is `poke`. A call fails after five seconds at the latest.
 */
export interface WorkflowSignals {
  readonly subscription: (job: SubscriptionJob) => Promise<void>;
  readonly checkout: (job: CheckoutJob) => Promise<void>;
  readonly refund: (job: RefundJob) => Promise<void>;
  readonly erasure: (job: ErasureJob) => Promise<void>;
  /** Recomputes the next wakes of a workspace's subscriptions. Returns the id of the run that was signalled. */
  readonly reschedule: (job: WorkspaceJob) => Promise<string>;
}

export function createWorkflowSignals(client: Client, clock: Clock): WorkflowSignals {
  const withinTimeout = <Answer>(call: () => Promise<Answer>): Promise<Answer> =>
    client.withDeadline(clock.now() + CALL_TIMEOUT_MS, call);
  const withTimeout = async (call: () => Promise<unknown>): Promise<void> => {
    await withinTimeout(call);
  };
  const { workflow } = client;
  return {
    subscription: ({ workspaceId, environment, subscriptionId }) =>
      withTimeout(() =>
        workflow.signalWithStart<EntityWorkflows['subscription']>('subscription', {
          ...subscriptionStart({ workspaceId, environment, subscriptionId }),
          signal: poke,
        }),
      ),
    checkout: ({ workspaceId, environment, checkoutId }) =>
      withTimeout(() =>
        workflow.signalWithStart<EntityWorkflows['checkout']>('checkout', {
          ...checkoutStart({ workspaceId, environment, checkoutId }),
          signal: poke,
        }),
      ),
    refund: ({ workspaceId, environment, refundId }) =>
      withTimeout(() =>
        workflow.signalWithStart<EntityWorkflows['refund']>('refund', {
          ...refundStart({ workspaceId, environment, refundId }),
          signal: poke,
        }),
      ),
    erasure: ({ workspaceId, environment, erasureId }) =>
      withTimeout(() =>
        workflow.signalWithStart<EntityWorkflows['customerErasure']>('customerErasure', {
          ...erasureStart({ workspaceId, environment, erasureId }),
          signal: poke,
        }),
      ),
    reschedule: async ({ workspaceId, environment }) => {
      const { signaledRunId } = await withinTimeout(() =>
        workflow.signalWithStart<EntityWorkflows['reschedule']>('reschedule', {
          ...rescheduleStart({ workspaceId, environment }),
          signal: poke,
        }),
      );
      return signaledRunId;
    },
  };
}
