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
 * Converts an answer from an earlier version's worker; in this version the requesting activity has already stored it.
 */
function toOutcome({ kind }: RefundAnswer): RefundOutcome {
  return kind === 'declined' ? { kind, reason: 'The payment provider declined the refund.' } : { kind };
}

function toView(state: RefundState | undefined): RefundView | null {
  return state ?? null;
}
