import type { ErasureSteps } from '../src/erasure/erasure-steps';
import type { ErasureActivities } from '../workflows/activity-types';
import { withSafeFailures } from './failures';
import { withHeartbeat } from './with-heartbeat';

export interface ErasureActivityDependencies {
  erasureSteps: ErasureSteps;
}

export function createErasureActivities({ erasureSteps }: ErasureActivityDependencies): ErasureActivities {
  return {
    eraseNext: ({ workspaceId, environment, erasureId }) =>
      withSafeFailures(() => withHeartbeat(() => erasureSteps.next({ workspaceId, environment }, erasureId))),
  };
}
