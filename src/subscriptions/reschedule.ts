import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { enqueueSubscriptionSignals } from '../outbox/enqueue';
import type { WorkspaceScope } from '../tenancy/actor';
import { findBilledSubscriptionsOf, lockOpenSubscriptions, writeNextWakes } from './next-wake-store';

/** Number of subscriptions locked at once, for some milliseconds. */
const BATCH = 200;

/** Progress of a walk through a workspace's open subscriptions. */
interface RescheduledBatch {
  /** The subscription after which to continue; null at the end. */
  after: string | null;
  /** Number of changed wakes. */
  moved: number;
}

/** Recomputes when subscriptions wake, after a change of a setting on which their wakes depend. */
export interface Rescheduling {
  /**
   * Recomputes the wakes of the next batch of open subscriptions in a workspace's environment from the current
   * settings, and signals the workflows whose wake has changed, in one transaction. It may be repeated; the last of
   * several settings changes wins.
   *
   * @param after the subscription after which to begin; empty to start with the first
   */
  next(scope: WorkspaceScope, after: string): Promise<RescheduledBatch>;
}

export function createRescheduling({ database }: { database: Database }): Rescheduling {
  return {
    next: (scope, after) =>
      inWorkspace(database, scope, 'SYSTEM', async (trx) => {
        const ids = await lockOpenSubscriptions(trx, scope, after, BATCH);
        // Locks in a statement of its own first, so that rows written while it waited are read in their current state.
        const subscriptions = await findBilledSubscriptionsOf(trx, scope, ids);
        const moved = await writeNextWakes(trx, scope, subscriptions, 'perhaps not woken');
        await enqueueSubscriptionSignals(trx, scope, moved);
        return { after: ids.length < BATCH ? null : (ids.at(-1) ?? null), moved: moved.length };
      }),
  };
}
