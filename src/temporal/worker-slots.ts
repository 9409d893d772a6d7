import type { WorkerOptions } from '@temporalio/worker';
import type { ServedQueue } from './task-queues';

type Slots = Pick<
  WorkerOptions,
  | 'maxCachedWorkflows'
  | 'maxConcurrentWorkflowTaskExecutions'
  | 'maxConcurrentActivityTaskExecutions'
  | 'maxConcurrentWorkflowTaskPolls'
  | 'maxConcurrentActivityTaskPolls'
>;

/**
 * How much a process does at once for a queue. Production has what Temporal's SDK gives a worker (40 workflow tasks,
 * 100 activities). A sandbox gets a few: what it catches up on takes longer, and the process, Postgres and Temporal
 * have most of themselves left for production. A queue of earlier versions is nearly empty. A cached workflow holds
 * some hundred kilobytes; one that is not cached is replayed from its short history.
 */
export function workerSlots({ kind, environment, isEarlier }: ServedQueue): Slots {
  if (kind === 'providers') {
    if (environment === 'production' && !isEarlier) return {};
    return { maxConcurrentActivityTaskExecutions: 20, maxConcurrentActivityTaskPolls: 2 };
  }
  if (environment === 'production' && !isEarlier) return { maxCachedWorkflows: 600 };
  return {
    maxCachedWorkflows: 200,
    maxConcurrentWorkflowTaskExecutions: isEarlier ? 10 : 2,
    maxConcurrentActivityTaskExecutions: isEarlier ? 10 : 2,
    maxConcurrentWorkflowTaskPolls: 2,
    maxConcurrentActivityTaskPolls: 2,
  };
}

/** How many of a worker's connections to Postgres are for sandboxes, beside as many as it is given for production. */
export function sandboxConnections(pool: number): number {
  return Math.max(2, Math.ceil(pool / 3));
}
