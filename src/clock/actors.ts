import type { Clock } from './system-clock';
import { clockOffsetCall } from './sandbox-clock-store';
import { inWorkspaceAtOnce } from '../db/workspace-transaction';
import type { Database } from '../db/pools';
import type { Actor, TransactionReason, WorkspaceScope } from '../tenancy/actor';

/**
 * Creates the actor for a call. It reads the workspace's clock, so that in a sandbox `now` is the sandbox's own time.
 */
export type ActorFactory = (input: {
  scope: WorkspaceScope;
  reason: TransactionReason;
  operatorId: string | null;
  apiKeyId: string | null;
  ip: string | null;
  requestId: string;
}) => Promise<Actor>;

export function createActorFactory(database: Database, clock: Clock): ActorFactory {
  return async (input) => {
    const offset = await offsetOf(database, input.scope, input.reason);
    const receivedAt = clock.now();
    return { ...input, receivedAt, now: receivedAt + offset };
  };
}

async function offsetOf(
  database: Database,
  scope: WorkspaceScope,
  reason: TransactionReason,
): Promise<number> {
  if (scope.environment === 'production') return 0;
  const [offset] = await inWorkspaceAtOnce(database, scope, reason, [clockOffsetCall(scope)]);
  return offset;
}
