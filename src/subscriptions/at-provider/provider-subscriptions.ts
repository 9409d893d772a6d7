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
import { resolvePendingCall, type Attempt, type ProviderSide } from './resolve-pending-call';

/** A claimed command; `at` is the workspace's time. */
interface ClaimedOperation {
  subscriptionId: string;
  operationId: string;
  at: Instant;
}

/** Operations that subscriptions perform together with their payment providers. */
export interface ProviderSubscriptions {
  /**
   * Runs a time step, if the row still waits for it.
   *
   * @throws UnknownOutcomeError before the last attempt
   */
  take(
    scope: WorkspaceScope,
    due: DueStep & { step: ProviderStep },
    attempt: Attempt,
  ): Promise<SteppingState | undefined>;
  /**
   * Carries out a command whose calls are claimed. Returns `unclaimed` if they are not claimed and the command is still
   * open. Calls claimed by an earlier command are made first. A refusal is `applied` too: it is stored on the
   * operation's row in the provider's words, and not in the history.
   *
   * @throws UnknownOutcomeError before the last attempt
   */
  run(
    scope: WorkspaceScope,
    claimed: ClaimedOperation,
    attempt: Attempt,
  ): Promise<{ kind: 'applied' | 'pending'; state: SteppingState | undefined } | { kind: 'unclaimed' }>;
}

export function createProviderSubscriptions(side: ProviderSide): ProviderSubscriptions {
  const stateOf = (scope: WorkspaceScope, id: string): Promise<SteppingState | undefined> =>
    inWorkspace(side.database, scope, 'SYSTEM', async (trx) => {
      const subscription = await findBilledSubscription(trx, scope, id, 'read');
      return subscription && { subscription, clockOffset: await holdClockOffset(trx, scope) };
    });
  return {
    async take(scope, due, attempt) {
      await takeProviderStep(side, scope, due, attempt);
      return stateOf(scope, due.subscriptionId);
    },

    async run(scope, { subscriptionId, operationId, at: workflowTime }, attempt) {
      const state = await stateOf(scope, subscriptionId);
      const claimedBy = state?.subscription.work.unsettled?.operationId;
      if (state !== undefined && claimedBy !== undefined) {
        const at = judgedAt(scope, workflowTime, { realTime: side.clock.now(), offset: state.clockOffset });
        const conclusion = await resolvePendingCall(side, scope, { subscriptionId, at }, attempt);
        if (conclusion !== null && claimedBy === operationId) {
          const kind = conclusion.kind === 'pending' ? 'pending' : 'applied';
          return { kind, state: await stateOf(scope, subscriptionId) };
        }
      }
      // An earlier attempt may have recorded the outcome, and its reply was lost.
      const operation = await inWorkspace(side.database, scope, 'SYSTEM', (trx) =>
        findOperation(trx, scope, operationId),
      );
      // An abandoned operation is refused where it would be claimed.
      if (operation === undefined || isOpen(operation.status) || operation.status === 'abandoned')
        return { kind: 'unclaimed' };
      return { kind: 'applied', state: await stateOf(scope, subscriptionId) };
    },
  };
}
