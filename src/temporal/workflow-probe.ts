import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Clock } from '../clock/system-clock';
import { CALL_TIMEOUT_MS } from './client';

/** Returns whether a workflow is running under an id. Throws if Temporal does not answer within five seconds. */
export type WorkflowProbe = (workflowId: string) => Promise<boolean>;

/** `lost`: the last run was terminated or cancelled, or has failed, or Temporal knows none. */
export type WorkflowState = 'running' | 'completed' | 'lost';

export function createWorkflowProbe(client: Client, clock: Clock): WorkflowProbe {
  return async (workflowId) => (await stateOfWorkflow(client, clock, workflowId)) === 'running';
}

/**
 * Returns the state of the last run under an id.
 *
 * @param runId asks about this run and those that continue it instead. One that Temporal does not know is lost, also if
 *   an earlier run has completed: Temporal was then restored to an earlier time
 * @throws Error if Temporal does not answer within five seconds
 */
export async function stateOfWorkflow(
  client: Client,
  clock: Clock,
  workflowId: string,
  runId?: string,
): Promise<WorkflowState> {
  const describe = (run?: string) =>
    client.withDeadline(clock.now() + CALL_TIMEOUT_MS, () =>
      client.workflow.getHandle(workflowId, run).describe(),
    );
  try {
    const asked = await describe(runId);
    const isContinued = runId !== undefined && asked.status.name === 'CONTINUED_AS_NEW';
    const { status } = isContinued ? await describe() : asked;
    // The next run of one that continues as new is about to be described.
    if (['RUNNING', 'PAUSED', 'CONTINUED_AS_NEW'].includes(status.name)) return 'running';
    return status.name === 'COMPLETED' ? 'completed' : 'lost';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'lost';
    throw error;
  }
}
