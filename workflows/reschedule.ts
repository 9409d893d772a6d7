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

/** A walk, and how far it has come. */
export interface RescheduleInput extends WorkspaceInput {
  /** The subscription after which it goes on; left out at the beginning. */
  after?: string;
  /** Something has changed again since this walk began. */
  again?: boolean;
}

/**
 * After a change of what all of a workspace's subscriptions go by: has the next wake of each computed anew, batch by
 * batch. A poke in between says that something has changed again, and has it begin once more; each batch goes by
 * what is so at its time, so the last change is what counts.
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
    // What came before the first batch is seen by it.
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
