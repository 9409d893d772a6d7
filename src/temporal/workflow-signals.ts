import type { Client } from '@temporalio/client';
import { poke } from '../../workflows/messages';
import type { Clock } from '../clock/clock';
import type { CheckoutJob, RefundJob, SubscriptionJob, WorkspaceJob } from '../outbox/enqueue';
import { CALL_TIMEOUT_MS } from './client';
import {
  checkoutStart,
  refundStart,
  rescheduleStart,
  subscriptionStart,
  type EntityWorkflows,
} from './workflow-starts';

/**
 * Each tells a workflow to read its row again, and starts it where there is none: one that ended, or was ended by
 * hand, is rebuilt from its row. Fails after five seconds at the latest; a repeated poke does no harm.
 */
export interface WorkflowSignals {
  readonly subscription: (job: SubscriptionJob) => Promise<void>;
  readonly checkout: (job: CheckoutJob) => Promise<void>;
  readonly refund: (job: RefundJob) => Promise<void>;
  /** Has the next wakes of a workspace's subscriptions computed anew. */
  readonly reschedule: (job: WorkspaceJob) => Promise<void>;
}

export function createWorkflowSignals(client: Client, clock: Clock): WorkflowSignals {
  const withTimeout = async (call: () => Promise<unknown>): Promise<void> => {
    await client.withDeadline(clock.now() + CALL_TIMEOUT_MS, call);
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
    reschedule: ({ workspaceId, environment }) =>
      withTimeout(() =>
        workflow.signalWithStart<EntityWorkflows['reschedule']>('reschedule', {
          ...rescheduleStart({ workspaceId, environment }),
          signal: poke,
        }),
      ),
  };
}
