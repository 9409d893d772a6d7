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
    maxConcurrentWorkflowTaskExecutions: isEarlier ? 10 : 2,
    maxConcurrentActivityTaskExecutions: isEarlier ? 10 : 2,
    maxConcurrentLocalActivityExecutions: isEarlier ? 10 : 2,
    maxConcurrentWorkflowTaskPolls: 2,
    maxConcurrentActivityTaskPolls: 2,
  };
}

/**
 * Returns the number of Postgres connections that a worker opens for sandboxes, in addition to `pool` for production.
 */
export function sandboxConnections(pool: number): number {
  return Math.max(2, Math.ceil(pool / 3));
}
