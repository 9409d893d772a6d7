import { makeContinueAsNewFunc, patched, workflowInfo, type Workflow } from '@temporalio/workflow';
import type { Environment } from '../src/domain/environment';
import { billingQueue, EARLIER_QUEUES, providersQueue } from './task-queues';

/** Returns whether this run is on a queue of its environment, rather than on the shared queue of earlier versions. */
function isOnOwnQueue(environment: Environment): boolean {
  return workflowInfo().taskQueue.endsWith(`-${environment}`);
}

/** Returns whether this run must continue on its environment's queue at its next pause. */
export function mustChangeQueue(environment: Environment): boolean {
  // Patched, because an earlier version's history sleeps where this one moves.
  return !isOnOwnQueue(environment) && patched('2026-11-queues-by-environment');
}

/** Ends this run and continues in a new one, on the queue of its environment. */
export function continueRunAsNew<Type extends Workflow>(
  environment: Environment,
  ...input: Parameters<Type>
): Promise<never> {
  const taskQueue = isOnOwnQueue(environment) ? workflowInfo().taskQueue : billingQueue(environment);
  return makeContinueAsNewFunc<Type>({ taskQueue })(...input);
}

/** Returns the queue of a run's activities at payment providers. */
export function providersQueueOf(environment: Environment): string {
  return isOnOwnQueue(environment) ? providersQueue(environment) : EARLIER_QUEUES.providers;
}
