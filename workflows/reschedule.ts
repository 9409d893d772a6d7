import { proxyActivities, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import { POSTGRES } from './activity-options';
import type { RescheduleActivities } from './activity-types';
import { continueRunAsNew } from './continue-run-as-new';
import { poke, type WorkspaceInput } from './messages';

const { rescheduleSubscriptions } = proxyActivities<RescheduleActivities>({
  ...POSTGRES,
  // A batch waits for the locks of its rows.
  startToCloseTimeout: '30s',
});

/** A walk and its progress. */
export interface RescheduleInput extends WorkspaceInput {
  /** The subscription after which to continue; left out at the beginning. */
  after?: string;
  /** Whether the settings have changed again since this walk began. */
  again?: boolean;
}

/**
 * Recomputes the next wake of every open subscription of a workspace, batch by batch, after a change of its settings. A
 * `poke` signal reports a further change and restarts the batches. Each batch reads the current settings, so the last
 * change wins.
 */
export async function reschedule(input: RescheduleInput): Promise<void> {
  const { workspaceId, environment } = input;
  let again = input.again ?? false;
  let looked = 0;
  let moved = 0;
  setHandler(poke, () => {
    again = true;
  });
  let after: string | null = input.after ?? '';
  do {
    // The first batch already sees earlier changes.
    if (after === '') again = false;
    const batch: Awaited<ReturnType<typeof rescheduleSubscriptions>> = await rescheduleSubscriptions({
      workspaceId,
      environment,
      after,
    });
    looked += 1;
    moved += batch.moved;
    setCurrentDetails(`${looked} batches, ${moved} subscriptions wake at another time`);
    after = batch.after ?? (isChanged() ? '' : null);
    if (after !== null && workflowInfo().continueAsNewSuggested) {
      const next = { workspaceId, environment, after, again: isChanged() };
      await continueRunAsNew<typeof reschedule>(environment, next);
    }
  } while (after !== null);

  function isChanged(): boolean {
    return again;
  }
}
