import { createHash } from 'node:crypto';
import { checkoutIdOf, refundIdOf } from './target-ids';
import type { WorkspaceScope } from '../tenancy/actor';
import type { CommandTarget, CommandMessage } from '../outbox/command-message';
import type { OperationRow } from './operation-store';

/** Builds the message that makes a workflow run an operation. It is identical for each sending of one attempt. */
export function toCommandMessage(scope: WorkspaceScope, operation: OperationRow): CommandMessage {
  return {
    scope,
    target: targetOf(operation),
    operationId: operation.id,
    updateId: updateIdOf(scope, operation),
  };
}

function targetOf({ id, kind, subscriptionId, targetId }: OperationRow): CommandTarget {
  if (kind === 'refund') return { kind: 'refund', id: refundIdOf(id) };
  if (kind === 'create_checkout') return { kind: 'checkout', id: checkoutIdOf(id) };
  return { kind: 'subscription', id: subscriptionId ?? targetId };
}

/**
 * Builds Temporal's deduplication key. It contains the operation's id, so that a key reused after its answer expired is
 * a new command, and the attempt, so that a refused command can be sent again.
 */
function updateIdOf(scope: WorkspaceScope, operation: OperationRow): string {
  const { id, kind, subscriptionId, targetId, idempotencyKey, fingerprint, attempts } = operation;
  const what = [scope.workspaceId, scope.environment, subscriptionId ?? targetId, kind, id, idempotencyKey];
  if (attempts > 1) what.push(String(attempts));
  return createHash('sha256').update(JSON.stringify(what)).update(fingerprint).digest('hex');
}
