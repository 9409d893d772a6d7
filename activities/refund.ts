import type { RefundSteps, RefundView as RefundState } from '../src/payments/refund-steps';
import type { ProviderRefunds } from '../src/payments/refund-at-provider';
import type { RefundAnswer, RefundOutcome } from '../src/payments/refund-outcome';
import type { ProviderActivities, RefundActivities, RefundView } from '../workflows/activity-types';
import { withHeartbeat } from './with-heartbeat';
import { withRefusals, withSafeFailures } from './failures';

export interface RefundActivityDependencies {
  refundSteps: RefundSteps;
}

export function createRefundActivities({ refundSteps }: RefundActivityDependencies): RefundActivities {
  return {
    reserveRefund: ({ workspaceId, environment, refundId, operationId, attempt }) =>
      withRefusals(attempt, async () => {
        const reserved = await refundSteps.reserve({ workspaceId, environment }, refundId, operationId);
        return reserved.kind === 'answered' ? null : toView(reserved.refund);
      }),

    loadRefund: ({ workspaceId, environment, refundId }) =>
      withSafeFailures(async () => toView(await refundSteps.read({ workspaceId, environment }, refundId))),

    completeRefund: ({ workspaceId, environment, refundId, outcome, command }) => {
      const scope = { workspaceId, environment };
      const complete = async (): Promise<RefundView | null> => {
        await refundSteps.complete(scope, refundId, toOutcome(outcome), command?.operationId ?? null);
        return toView(await refundSteps.read(scope, refundId));
      };
      return command === null ? withSafeFailures(complete) : withRefusals(command.attempt, complete);
    },
  };
}

export interface ProviderActivityDependencies {
  providerRefunds: ProviderRefunds;
}

export function createProviderActivities({
  providerRefunds,
}: ProviderActivityDependencies): ProviderActivities {
  return {
    refundAtProvider: ({ workspaceId, environment, refundId }) =>
      withSafeFailures(() =>
        withHeartbeat(() => providerRefunds.ask({ workspaceId, environment }, refundId)),
      ),
  };
}

/**
 * Converts the provider's answer for a row that is still pending. The requesting activity has stored every end of a
 * refund. If the row does not have it, the refund was opened again since (`reopenRefund`), or the workflow was reset to
 * an earlier answer: nothing is known then, and it is requested again under its own key.
 */
function toOutcome({ kind }: RefundAnswer): RefundOutcome {
  return kind === 'pending' ? { kind } : { kind: 'unknown' };
}

function toView(state: RefundState | undefined): RefundView | null {
  return state ?? null;
}
