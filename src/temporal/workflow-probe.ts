import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { Clock } from '../clock/system-clock';
import { CALL_TIMEOUT_MS } from './client';

/** Returns whether a workflow is running under an id. Throws if Temporal does not answer within five seconds. */
export type WorkflowProbe = (workflowId: string) => Promise<boolean>;

export function createWorkflowProbe(client: Client, clock: Clock): WorkflowProbe {
  return async (workflowId) => {
    try {
      const describe = () => client.workflow.getHandle(workflowId).describe();
      const { status } = await client.withDeadline(clock.now() + CALL_TIMEOUT_MS, describe);
      return status.name === 'RUNNING';
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  };
}
