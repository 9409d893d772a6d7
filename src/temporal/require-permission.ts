import type { Client } from '@temporalio/client';
import type { Clock } from '../clock/system-clock';
import { CALL_TIMEOUT_MS } from './client';
import { grpcCodeOf, INVALID_ARGUMENT } from './grpc-errors';

/**
 * Resolves if Temporal lets this client start and signal workflows. The call names no workflow: a server checks the
 * permission first, and then refuses the call as incomplete.
 *
 * @throws Error if Temporal is unavailable, refuses the credentials or lacks the namespace
 */
export async function requirePermission(client: Client, clock: Clock): Promise<void> {
  const { namespace } = client.options;
  try {
    await client.withDeadline(clock.now() + CALL_TIMEOUT_MS, () =>
      client.workflowService.signalWithStartWorkflowExecution({ namespace }),
    );
  } catch (error) {
    if (grpcCodeOf(error) !== INVALID_ARGUMENT) throw error;
  }
}
