import type { Clock } from '../src/clock/clock';
import type { Instant } from '../src/domain/instant';
import type { OperationRunner } from '../src/subscriptions/commands/operations';
import type { SubscriptionSteps } from '../src/subscriptions/subscription-steps';
import type { OperationRequest, SubscriptionActivities } from '../workflows/activity-types';
import { withRefusals, withSafeFailures } from './failures';
import { toView } from './subscription-view';

export interface SubscriptionActivityDependencies {
  subscriptionSteps: SubscriptionSteps;
  operations: OperationRunner;
  clock: Clock;
}

export function createSubscriptionActivities({
  subscriptionSteps,
  operations,
  clock,
}: SubscriptionActivityDependencies): SubscriptionActivities {
  /**
   * A sandbox whose clock was just advanced has a command judged by the new time, also where the workflow has not
   * heard of it yet.
   */
  const judgedAt = async (request: OperationRequest): Promise<Instant> => {
    const { workspaceId, environment, subscriptionId, at } = request;
    if (environment === 'production') return at;
    const state = await subscriptionSteps.read({ workspaceId, environment }, subscriptionId);
    return state === undefined ? at : Math.max(at, clock.now() + state.clockOffset);
  };
  return {
    loadSubscription: ({ workspaceId, environment, subscriptionId }) =>
      withSafeFailures(async () =>
        toView(await subscriptionSteps.read({ workspaceId, environment }, subscriptionId)),
      ),

    takeStep: ({ workspaceId, environment, ...due }) =>
      withSafeFailures(async () => toView(await subscriptionSteps.take({ workspaceId, environment }, due))),

    runOperation: (request) =>
      withRefusals(request.attempt, async () => {
        const { workspaceId, environment, operationId } = request;
        const at = await judgedAt(request);
        const result = await operations.run({ workspaceId, environment }, operationId, at);
        return result.kind === 'applied' ? { kind: 'applied', view: toView(result.state) } : result;
      }),
  };
}
