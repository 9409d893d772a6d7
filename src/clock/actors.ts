import type { Clock } from './system-clock';
import { readClockOffset } from './sandbox-clock-store';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { Actor, TransactionReason, WorkspaceScope } from '../tenancy/scope';

/** Makes the actor for a call: reads the workspace's clock, so that `now` is the sandbox's own time there. */
export type ActorFactory = (input: {
  scope: WorkspaceScope;
  reason: TransactionReason;
  operatorId: string | null;
  ip: string | null;
  requestId: string;
}) => Promise<Actor>;

export function createActorFactory(database: Database, clock: Clock): ActorFactory {
  return async (input) => {
    const offset =
      input.scope.environment === 'production'
        ? 0
        : await inWorkspace(database, input.scope, input.reason, (trx) => readClockOffset(trx, input.scope));
    const receivedAt = clock.now();
    return { ...input, receivedAt, now: receivedAt + offset };
  };
}
