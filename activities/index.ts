import type { SubscriptionActivities, SweepActivities } from '../workflows/activity-types';
import { createSubscriptionActivities, type SubscriptionActivityDependencies } from './subscription';
import { createSweepActivities, type SweepActivityDependencies } from './next-wake-sweep';

export type ActivityDependencies = SubscriptionActivityDependencies & SweepActivityDependencies;
export type Activities = SubscriptionActivities & SweepActivities;

/** The activities of the queue `billing`, over what they need. */
export function createActivities(dependencies: ActivityDependencies): Activities {
  return { ...createSubscriptionActivities(dependencies), ...createSweepActivities(dependencies) };
}
