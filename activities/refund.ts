import type { RefundSteps, RefundView as RefundState } from '../src/payments/refund-steps';
import type { Providers } from '../src/providers/provider';
import type { ProviderActivities, RefundActivities, RefundView } from '../workflows/activity-types';
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
        await refundSteps.complete(scope, refundId, outcome, command?.operationId ?? null);
        return toView(await refundSteps.read(scope, refundId));
      };
      return command === null ? withSafeFailures(complete) : withRefusals(command.attempt, complete);
    },
  };
}

export interface ProviderActivityDependencies {
  providers: Providers;
}

export function createProviderActivities({ providers }: ProviderActivityDependencies): ProviderActivities {
  return {
    refundAtProvider: ({ provider, request }) =>
      withSafeFailures(async () => {
        const port = providers[provider];
        if (port === undefined)
          return { kind: 'unsupported', reason: `There is no connection to ${provider}.` };
        return port.refund(request);
      }),
  };
}

function toView(state: RefundState | undefined): RefundView | null {
  if (state === undefined) return null;
  const { refundId, paymentId, amount, currency, idempotencyKey, provider, status, nextWakeAt } = state;
  return { refundId, paymentId, amount, currency, idempotencyKey, provider, status, nextWakeAt };
}
