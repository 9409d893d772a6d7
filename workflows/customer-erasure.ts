import {
  condition,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { POSTGRES } from './activity-options';
import type { ErasureView } from '../src/domain/erasure';
import type { ErasureActivities } from './activity-types';
import { continueRunAsNew } from './continue-run-as-new';
import { poke, type ErasureInput } from './messages';

const { eraseNext } = proxyActivities<ErasureActivities>({
  ...POSTGRES,
  // Allows for several batches, each of which may take up to the statement time-out. A missing heartbeat shows that the
  // worker has died.
  startToCloseTimeout: '5m',
  heartbeatTimeout: '12s',
});

/**
 * Erases one customer: blanks rows batch by batch until none remain. A timer waits for work in progress when the
 * erasure began. Progress is stored in Postgres, so that a new run continues from there.
 */
export async function customerErasure(input: ErasureInput): Promise<void> {
  const { workspaceId, environment, erasureId } = input;
  let wakeRequested = false;
  setHandler(poke, () => {
    wakeRequested = true;
  });
  for (let parts = 1; ; parts += 1) {
    wakeRequested = false;
    const view: ErasureView = await eraseNext({ workspaceId, environment, erasureId });
    if (view.kind === 'complete') {
      setCurrentDetails('Complete');
      return;
    }
    if (workflowInfo().continueAsNewSuggested) {
      await continueRunAsNew<typeof customerErasure>(environment, { workspaceId, environment, erasureId });
    }
    setCurrentDetails(view.at === null ? `${parts} parts are blanked` : 'Waits for what was under way');
    if (view.at === null) continue;
    const summary = 'What was under way has ended by then.';
    await condition(() => wakeRequested, Math.max(1_000, view.at - Date.now()), { summary });
  }
}
