import { renewalDelay } from '../src/domain/renewal-spread';
import type { OperationRunner } from '../src/subscriptions/commands/operation-service';
import type { SteppingState, SubscriptionSteps } from '../src/subscriptions/subscription-steps';
import type { SubscriptionActivities, SubscriptionView } from '../workflows/activity-types';
import type { SubscriptionInput } from '../workflows/messages';
import { withRefusals, withSafeFailures } from './failures';
import { toView } from './subscription-view';

export interface SubscriptionActivityDependencies {
  subscriptionSteps: SubscriptionSteps;
  operations: OperationRunner;
  /** The window over which production's simultaneous renewals are spread (milliseconds); no spread if left out. */
  renewalSpreadMs?: number;
}

export function createSubscriptionActivities({
  subscriptionSteps,
  operations,
  renewalSpreadMs = 0,
}: SubscriptionActivityDependencies): SubscriptionActivities {
  /** Not delayed in a sandbox: after its clock is advanced to an instant, everything due must have happened. */
  const viewOf = (
    { environment, subscriptionId }: SubscriptionInput,
    state: SteppingState | undefined,
  ): SubscriptionView | null => {
    const view = toView(state);
    if (view === null || environment === 'sandbox') return view;
    const delay = renewalDelay(view, subscriptionId, renewalSpreadMs);
    return delay === 0 ? view : { ...view, renewalDelay: delay };
  };
  return {
    loadSubscription: (input) =>
      withSafeFailures(async () => {
        const { workspaceId, environment, subscriptionId } = input;
        return viewOf(input, await subscriptionSteps.read({ workspaceId, environment }, subscriptionId));
      }),

    takeStep: (request) =>
      withSafeFailures(async () => {
        const { workspaceId, environment, ...due } = request;
        return viewOf(request, await subscriptionSteps.take({ workspaceId, environment }, due));
      }),

    runOperation: (request) =>
      withRefusals(request.attempt, async () => {
        const { workspaceId, environment, operationId, at } = request;
        const result = await operations.run({ workspaceId, environment }, operationId, at);
        return result.kind === 'applied' ? { kind: 'applied', view: viewOf(request, result.state) } : result;
      }),
  };
}
