import { makeContinueAsNewFunc, patched, workflowInfo, type Workflow } from '@temporalio/workflow';
import type { Environment } from '../src/domain/environment';
import { billingQueue, EARLIER_QUEUES, providersQueue } from './task-queues';

/** Whether this run is on a queue of its environment, and not on the one that both shared in earlier versions. */
function isOnOwnQueue(environment: Environment): boolean {
  return workflowInfo().taskQueue.endsWith(`-${environment}`);
}

/** Whether this run is to make way at its next pause, for one on its environment's queue. */
export function mustChangeQueue(environment: Environment): boolean {
  // A history of before slept where this one moves.
  return !isOnOwnQueue(environment) && patched('2026-11-queues-by-environment');
}

/** Ends this run and goes on in a new one, on the queue of its environment. */
export function continueRunAsNew<Type extends Workflow>(
  environment: Environment,
  ...input: Parameters<Type>
): Promise<never> {
  const taskQueue = isOnOwnQueue(environment) ? workflowInfo().taskQueue : billingQueue(environment);
  return makeContinueAsNewFunc<Type>({ taskQueue })(...input);
}

/** Where a run's activities at payment providers go. */
export function providersQueueOf(environment: Environment): string {
  return isOnOwnQueue(environment) ? providersQueue(environment) : EARLIER_QUEUES.providers;
}
