import type { Rescheduling } from '../src/subscriptions/reschedule';
import type { RescheduleActivities } from '../workflows/activity-types';
import { withSafeFailures } from './failures';

export interface RescheduleActivityDependencies {
  rescheduling: Rescheduling;
}

export function createRescheduleActivities({
  rescheduling,
}: RescheduleActivityDependencies): RescheduleActivities {
  return {
    rescheduleSubscriptions: ({ workspaceId, environment, after }) =>
      withSafeFailures(() => rescheduling.next({ workspaceId, environment }, after)),
  };
}
