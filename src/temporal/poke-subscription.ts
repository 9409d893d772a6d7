import type { Client } from '@temporalio/client';
import type { Clock } from '../clock/clock';
import type { SubscriptionJob } from '../outbox/enqueue';
import { poke } from '../../workflows/messages';
import { environmentKey, workspaceIdKey } from '../../workflows/search-attributes';
import type { subscription } from '../../workflows/subscription';
import { CALL_MS } from './client';
import { BILLING_QUEUE } from './task-queues';
import { subscriptionWorkflowId } from './workflow-ids';

/** Tells a subscription's workflow to read its row again. */
export type PokeSubscription = (job: SubscriptionJob) => Promise<void>;

/**
 * Signals the workflow, and starts it where there is none: one that ended, or was ended by hand, is rebuilt from
 * its row. Fails after five seconds at the latest; a repeated poke does no harm.
 */
export function createPokeSubscription(client: Client, clock: Clock): PokeSubscription {
  return async ({ workspaceId, environment, subscriptionId }) => {
    await client.withDeadline(clock.now() + CALL_MS, () =>
      client.workflow.signalWithStart<typeof subscription>('subscription', {
        workflowId: subscriptionWorkflowId(environment, subscriptionId),
        taskQueue: BILLING_QUEUE,
        args: [{ workspaceId, environment, subscriptionId }],
        signal: poke,
        typedSearchAttributes: [
          { key: workspaceIdKey, value: workspaceId },
          { key: environmentKey, value: environment },
        ],
        // A worker that dies holds a task up for this long, and not for the usual ten seconds.
        workflowTaskTimeout: '3s',
        workflowIdConflictPolicy: 'USE_EXISTING',
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      }),
    );
  };
}
