import type { Times } from '../clock/times';
import type { OperationRow } from '../operations/operation-store';
import type { Actor, WorkspaceScope } from '../tenancy/actor';
import type { OperationContext } from './operation-handler';

/** Returns the actor that submitted an operation, as of the instant at which it is carried out. */
export function actorOf(operation: OperationRow, scope: WorkspaceScope, { now, recordedAt }: Times): Actor {
  const { reason, operatorId, apiKeyId, ip, requestId } = operation;
  return { scope, reason, operatorId, apiKeyId, ip, requestId, receivedAt: recordedAt, now };
}

/** Builds the context in which an operation is carried out. */
export function contextOf(operation: OperationRow, scope: WorkspaceScope, times: Times): OperationContext {
  return { ...times, operation, actor: actorOf(operation, scope, times) };
}
