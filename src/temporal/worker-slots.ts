import type { WorkerOptions } from '@temporalio/worker';
import type { ServedQueue } from './task-queues';

type Slots = Pick<
  WorkerOptions,
  | 'maxCachedWorkflows'
  | 'maxConcurrentWorkflowTaskExecutions'
  | 'maxConcurrentActivityTaskExecutions'
  | 'maxConcurrentLocalActivityExecutions'
  | 'maxConcurrentWorkflowTaskPolls'
  | 'maxConcurrentActivityTaskPolls'
>;

/**
 * One poll of the worker's own (sticky) queue, and one of the shared queue. Each holds a slot, and the SDK takes one
 * more slot for the next poll before the last one has returned. So with only as many slots as polls, both could be held
 * for the sticky queue, and nothing read the shared queue for the minute of an empty poll.
 */
const WORKFLOW_TASK_POLLS = 2;

/**
 * Returns the concurrency limits of one queue. Production has the SDK's defaults (40 workflow tasks, 100 activities).
 * Sandboxes get few slots, so that a sandbox catching up leaves the process, Postgres and Temporal to production.
 * Queues of earlier versions are nearly empty. A cached workflow takes some hundred kilobytes; an evicted one is
 * replayed from its short history.
 */
export function workerSlots({ kind, environment, isEarlier }: ServedQueue): Slots {
  if (kind === 'providers') {
    if (environment === 'production' && !isEarlier) return {};
    return { maxConcurrentActivityTaskExecutions: 20, maxConcurrentActivityTaskPolls: 2 };
  }
  if (environment === 'production' && !isEarlier) return { maxCachedWorkflows: 600 };
  return {
    maxCachedWorkflows: 200,
    maxConcurrentWorkflowTaskExecutions: isEarlier ? 10 : WORKFLOW_TASK_POLLS + 1,
    maxConcurrentActivityTaskExecutions: isEarlier ? 10 : 2,
    maxConcurrentLocalActivityExecutions: isEarlier ? 10 : 2,
    maxConcurrentWorkflowTaskPolls: WORKFLOW_TASK_POLLS,
    maxConcurrentActivityTaskPolls: 2,
  };
}

/**
 * Returns the number of Postgres connections that a worker opens for sandboxes, in addition to `pool` for production.
 */
export function sandboxConnections(pool: number): number {
  return Math.max(2, Math.ceil(pool / 3));
}
