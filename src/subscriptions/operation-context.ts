import type { Instant } from '../domain/instant';
import type { OperationRow } from '../operations/operation-store';
import type { WorkspaceScope } from '../tenancy/actor';
import type { OperationContext } from './operation-handler';

/**
 * Builds the context in which an operation is carried out; its actor is the one that submitted it.
 *
 * @param now the workspace's time
 * @param recordedAt real time
 */
export function contextOf(
  operation: OperationRow,
  scope: WorkspaceScope,
  now: Instant,
  recordedAt: Instant,
): OperationContext {
  const { reason, operatorId, apiKeyId, ip, requestId } = operation;
  const actor = { scope, reason, operatorId, apiKeyId, ip, requestId, receivedAt: recordedAt, now };
  return { operation, actor, now, recordedAt };
}
