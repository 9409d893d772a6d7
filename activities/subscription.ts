import type { Clock } from '../src/clock/clock';
import type { Instant } from '../src/domain/instant';
import type { OperationRuns } from '../src/operations/operations';
import type { SteppingState, SubscriptionSteps } from '../src/subscriptions/subscription-steps';
import type { OperationRequest, SubscriptionActivities, SubscriptionView } from '../workflows/activity-types';
import { withRefusals, withSafeFailures } from './failures';

export interface SubscriptionActivityDependencies {
  subscriptionSteps: SubscriptionSteps;
  operations: OperationRuns;
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
        return result.kind === 'due' ? result : { kind: 'applied', view: toView(result.state) };
      }),
  };
}

/** Member by member: the customer's own id, and whatever the row gains later, stays out of the history. */
function toView(state: SteppingState | undefined): SubscriptionView | null {
  if (state === undefined) return null;
  const { subscription: row, clockOffset } = state;
  const { scheduled } = row;
  return {
    provider: row.provider,
    planSlug: row.planSlug,
    seats: row.seats,
    scheduled: scheduled === null ? null : { planSlug: scheduled.planSlug, seats: scheduled.seats },
    status: row.status,
    interval: row.interval,
    timeZone: row.timeZone,
    billingAnchor: row.billingAnchor,
    trialEnd: row.trialEnd,
    currentPeriodStart: row.currentPeriodStart,
    currentPeriodEnd: row.currentPeriodEnd,
    paymentDueAt: row.paymentDueAt,
    pastDueSince: row.pastDueSince,
    incompleteUntil: row.incompleteUntil,
    scheduledInterval: row.scheduledInterval,
    nextPeriodIsFree: row.nextPeriodIsFree,
    pastDueAfterDays: row.pastDueAfterDays,
    expireAfterDays: row.expireAfterDays,
    clockOffset,
  };
}
