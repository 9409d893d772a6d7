import type { Pool } from 'pg';
import type { Clock } from '../clock/system-clock';
import type { WorkspaceScope } from '../tenancy/actor';
import { processBatch } from './usage-batch';
import type { CountDenial } from './denial-metrics';
import type { UsageAnswer, UsageCall } from './usage-call';
import { UsageLane } from './usage-lane';

/** check and track: the hot path. */
export interface Usage {
  /**
   * Decides a call and, for a track, records it; resolves after the commit.
   *
   * @throws TollgateError customer_not_found, feature_not_found, feature_not_metered; a denied track's reason
   *   with `decision`; idempotency_key_reused, idempotency_key_in_use; service_busy, service_unavailable
   */
  submit(scope: WorkspaceScope, call: UsageCall): Promise<UsageAnswer>;
}

/** One lane a workspace environment, made when a call comes and dropped when it has nothing to do. */
export function createUsage(pool: Pool, clock: Clock, countDenial: CountDenial): Usage {
  const lanes = new Map<string, UsageLane>();
  return {
    submit: (scope, call) => {
      const name = `${scope.workspaceId}|${scope.environment}`;
      let lane = lanes.get(name);
      if (lane === undefined) {
        lane = new UsageLane(
          (calls, mode) => processBatch(pool, clock, scope, calls, mode),
          (denied) => {
            countDenial(scope.environment, denied.operation);
          },
          () => lanes.delete(name),
        );
        lanes.set(name, lane);
      }
      return lane.submit(call);
    },
  };
}
