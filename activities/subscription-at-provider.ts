import { activityInfo } from '@temporalio/activity';
import type { Attempt } from '../src/subscriptions/at-provider/resolve-pending-call';
import type { ProviderSubscriptions } from '../src/subscriptions/at-provider/provider-subscriptions';
import type { ProviderSubscriptionActivities } from '../workflows/activity-types';
import { PROVIDER_TRIES } from '../workflows/activity-options';
import { withHeartbeat } from './with-heartbeat';
import { withRefusals, withSafeFailures } from './failures';
import { toView } from './subscription-view';

export interface ProviderSubscriptionDependencies {
  providerSubscriptions: ProviderSubscriptions;
}

/** Creates the activities that involve a subscription's payment provider. */
export function createProviderSubscriptionActivities({
  providerSubscriptions,
}: ProviderSubscriptionDependencies): ProviderSubscriptionActivities {
  const currentAttempt = (): Attempt => {
    const { attempt } = activityInfo();
    return { isLast: attempt >= PROVIDER_TRIES, repeated: attempt > 1 };
  };
  return {
    takeProviderStep: ({ workspaceId, environment, ...due }) =>
      withSafeFailures(async () => {
        const scope = { workspaceId, environment };
        return toView(await withHeartbeat(() => providerSubscriptions.take(scope, due, currentAttempt())));
      }),

    runAtProvider: ({ workspaceId, environment, subscriptionId, operationId, attempt, at }) =>
      withRefusals(attempt, async () => {
        const scope = { workspaceId, environment };
        const run = { subscriptionId, operationId, at };
        const result = await withHeartbeat(() => providerSubscriptions.run(scope, run, currentAttempt()));
        return result.kind === 'unclaimed' ? result : { kind: result.kind, view: toView(result.state) };
      }),
  };
}
