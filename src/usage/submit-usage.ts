import type { Pool } from 'pg';
import type { Clock } from '../clock/system-clock';
import type { WorkspaceScope } from '../tenancy/actor';
import { FULL_PART, PartTurns } from './part-turns';
import { processBatch } from './usage-batch';
import type { CountDenial } from './denial-metrics';
import type { UsageAnswer, UsageCall } from './usage-call';
import { UsageLane, type LaneSettings } from './usage-lane';

/** check and track: the hot path. */
export interface Usage {
  /**
   * Decides a call and, for a track, records it; resolves after the commit.
   *
   * @throws TollgateError customer_not_found, feature_not_found, feature_not_metered; a denied track's reason with
   * `decision`; idempotency_key_reused, idempotency_key_in_use; service_busy, service_unavailable
   */
  submit(scope: WorkspaceScope, call: UsageCall): Promise<UsageAnswer>;
  /**
   * Submits tracks that arrived together. Each has the outcome that it would have had alone, after those before it.
   *
   * @throws TollgateError service_busy if too many calls are already waiting; none of these is then begun
   */
  submitAll(scope: WorkspaceScope, calls: readonly UsageCall[]): Promise<PromiseSettledResult<UsageAnswer>[]>;
}

/** Large enough for a burst, small enough to keep batches short. */
const SINGLE: LaneSettings = { batchSize: 256, queueLimit: 4_000, aloneLimit: 2 };

/** For batches, in parts; ten full batches may wait. */
const PARTS: LaneSettings = { batchSize: FULL_PART, queueLimit: 10_000, aloneLimit: 1, keepsOrder: true };

/**
 * Creates the usage service. Each workspace environment has two lanes, which are created on demand and dropped when
 * idle.
 */
export function createUsage(pool: Pool, clock: Clock, countDenial: CountDenial): Usage {
  const turns = new PartTurns();
  const ofParts: LaneSettings = { ...PARTS, turn: () => turns.take(), nextSize: () => turns.partSize() };
  const lanesOf = (settings: LaneSettings): ((scope: WorkspaceScope) => UsageLane) => {
    const lanes = new Map<string, UsageLane>();
    return (scope) => {
      const name = `${scope.workspaceId}|${scope.environment}`;
      let lane = lanes.get(name);
      if (lane === undefined) {
        lane = new UsageLane(
          (calls, mode) => processBatch(pool, clock, scope, calls, mode),
          (denied) => {
            countDenial(scope.environment, denied.operation);
          },
          () => lanes.delete(name),
          settings,
        );
        lanes.set(name, lane);
      }
      return lane;
    };
  };
  const singles = lanesOf(SINGLE);
  const parts = lanesOf(ofParts);
  return {
    submit: (scope, call) => {
      turns.noteSingle();
      return singles(scope).submit(call);
    },
    submitAll: (scope, calls) => parts(scope).submitAll(calls),
  };
}
