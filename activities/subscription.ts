import type { PeriodTurns, TurningState } from '../src/subscriptions/turn-period';
import type { StepRequest, SubscriptionActivities, SubscriptionView } from '../workflows/activity-types';

export interface SubscriptionActivityDependencies {
  periodTurns: PeriodTurns;
}

export function createSubscriptionActivities({
  periodTurns,
}: SubscriptionActivityDependencies): SubscriptionActivities {
  const take = async (
    step: 'turn_period' | 'end_trial',
    { workspaceId, environment, ...request }: StepRequest,
  ): Promise<SubscriptionView | null> =>
    toView(await periodTurns.take({ workspaceId, environment }, { ...request, step }));
  return {
    loadSubscription: async ({ workspaceId, environment, subscriptionId }) =>
      toView(await periodTurns.read({ workspaceId, environment }, subscriptionId)),
    turnPeriod: (request) => take('turn_period', request),
    endTrial: (request) => take('end_trial', request),
  };
}

/** Member by member: the customer's own id, and whatever the row gains later, stays out of the history. */
function toView(state: TurningState | undefined): SubscriptionView | null {
  if (state === undefined) return null;
  const { row, clockOffset } = state;
  return {
    provider: row.provider,
    planSlug: row.planSlug,
    seats: row.seats,
    status: row.status,
    interval: row.interval,
    timeZone: row.timeZone,
    billingAnchor: row.billingAnchor,
    trialEnd: row.trialEnd,
    currentPeriodStart: row.currentPeriodStart,
    currentPeriodEnd: row.currentPeriodEnd,
    clockOffset,
  };
}
