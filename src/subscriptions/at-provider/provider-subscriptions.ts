import { holdClockOffset } from '../../clock/sandbox-clock-store';
import { judgedAt } from '../../clock/judged-at';
import { inWorkspace } from '../../db/workspace-transaction';
import type { Instant } from '../../domain/instant';
import type { ProviderStep } from '../../domain/lifecycle';
import { isOpen } from '../../domain/operation-status';
import { findOperation } from '../../operations/operation-store';
import type { WorkspaceScope } from '../../tenancy/actor';
import { findBilledSubscription } from '../billed-subscription-store';
import type { DueStep, SteppingState } from '../subscription-steps';
import { takeProviderStep } from './provider-steps';
import { resolvePendingCall, type ProviderSide } from './resolve-pending-call';

/** How hard it is tried: `repeated` when it may have been done before, `lastTry` when a doubt is to be written down. */
export interface Effort {
  repeated: boolean;
  lastTry: boolean;
}

/** A claimed command; `at` is the workspace's time. */
interface ClaimedOperation {
  subscriptionId: string;
  operationId: string;
  at: Instant;
}

/** What subscriptions do together with their payment providers. */
export interface ProviderSubscriptions {
  /**
   * Takes a step of time, if the row still waits for it.
   *
   * @throws UnknownOutcomeError before the last try
   */
  take(
    scope: WorkspaceScope,
    due: DueStep & { step: ProviderStep },
    effort: Effort,
  ): Promise<SteppingState | undefined>;
  /**
   * Has a command carried out whose calls are claimed; `unclaimed` when they are not, and the command is still open. Calls
   * that an earlier command has claimed instead are made first. A refusal is `applied` too: in the provider's words it
   * stands on the operation's row, and in no history.
   *
   * @throws UnknownOutcomeError before the last try
   */
  run(
    scope: WorkspaceScope,
    claimed: ClaimedOperation,
    effort: Effort,
  ): Promise<{ kind: 'applied' | 'pending'; state: SteppingState | undefined } | { kind: 'unclaimed' }>;
}

export function createProviderSubscriptions(side: ProviderSide): ProviderSubscriptions {
  const stateOf = (scope: WorkspaceScope, id: string): Promise<SteppingState | undefined> =>
    inWorkspace(side.database, scope, 'SYSTEM', async (trx) => {
      const subscription = await findBilledSubscription(trx, scope, id, 'read');
      return subscription && { subscription, clockOffset: await holdClockOffset(trx, scope) };
    });
  return {
    async take(scope, due, { lastTry }) {
      await takeProviderStep(side, scope, due, lastTry);
      return stateOf(scope, due.subscriptionId);
    },

    async run(scope, { subscriptionId, operationId, at: asked }, effort) {
      const state = await stateOf(scope, subscriptionId);
      const claimedBy = state?.subscription.work.unsettled?.operationId;
      if (state !== undefined && claimedBy !== undefined) {
        const at = judgedAt(scope, asked, side.clock.now(), state.clockOffset);
        const conclusion = await resolvePendingCall(side, scope, { subscriptionId, at, ...effort });
        if (conclusion !== null && claimedBy === operationId) {
          const kind = conclusion.kind === 'pending' ? 'pending' : 'applied';
          return { kind, state: await stateOf(scope, subscriptionId) };
        }
      }
      // An earlier try has written it down, and its word was lost on the way.
      const operation = await inWorkspace(side.database, scope, 'SYSTEM', (trx) =>
        findOperation(trx, scope, operationId),
      );
      // One that was given up is refused where it would be claimed.
      if (operation === undefined || isOpen(operation.status) || operation.status === 'abandoned')
        return { kind: 'unclaimed' };
      return { kind: 'applied', state: await stateOf(scope, subscriptionId) };
    },
  };
}
