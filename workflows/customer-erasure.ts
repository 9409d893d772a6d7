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
  // Several batches, of which each may take as long as a statement may. A missing heartbeat shows that the worker has died.
  startToCloseTimeout: '5m',
  heartbeatTimeout: '12s',
});

/**
 * Erases one customer: has the next rows blanked until there are none. What was under way when the erasure began is
 * waited for by a timer. How far it has come stands in Postgres, so that a run that is started anew goes on from there.
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
