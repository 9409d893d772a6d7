import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { enqueueSubscriptionSignals } from '../outbox/enqueue';
import type { WorkspaceScope } from '../tenancy/actor';
import { findBilledSubscriptionsOf, lockOpenSubscriptions, writeNextWakes } from './next-wake-store';

/** So many subscriptions are locked at once, for some milliseconds. */
const BATCH = 200;

/** How far a walk through a workspace's open subscriptions has come. */
interface RescheduledBatch {
  /** The subscription after which it goes on; null when there are no more. */
  after: string | null;
  /** How many wake at another instant now. */
  moved: number;
}

/** Recomputes when subscriptions wake, after a change of a setting that their wakes depend on. */
export interface Rescheduling {
  /**
   * Goes through the next open subscriptions of a workspace's environment: what is computed from the settings as they
   * are now is written, and the workflows of those that wake at another instant are signalled, in one transaction. So it
   * may be repeated, and the last of several changes is what counts.
   *
   * @param after the subscription after which it begins; empty for the first
   */
  next(scope: WorkspaceScope, after: string): Promise<RescheduledBatch>;
}

export function createRescheduling({ database }: { database: Database }): Rescheduling {
  return {
    next: (scope, after) =>
      inWorkspace(database, scope, 'SYSTEM', async (trx) => {
        const ids = await lockOpenSubscriptions(trx, scope, after, BATCH);
        // The lock comes first and alone: what was written while it was waited for is then read as it is.
        const subscriptions = await findBilledSubscriptionsOf(trx, scope, ids);
        const moved = await writeNextWakes(trx, scope, subscriptions, 'perhaps not woken');
        await enqueueSubscriptionSignals(trx, scope, moved);
        return { after: ids.length < BATCH ? null : (ids.at(-1) ?? null), moved: moved.length };
      }),
  };
}
