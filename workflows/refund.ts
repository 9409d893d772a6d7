import {
  allHandlersFinished,
  condition,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { continueRunAsNew, mustChangeQueue } from './continue-run-as-new';
import { assertOperationCommand, poke, runOperation, type RefundInput } from './messages';
import { createLock } from './one-at-a-time';
import { RefundRun } from './refund-run';

/** Pause before an undecided provider is asked again, if the row says no time (milliseconds). */
const PAUSE_MS = 300_000;
/** The shortest such pause: the row's time is a worker's, whose clock may be behind Temporal's (milliseconds). */
const SHORTEST_PAUSE_MS = 60_000;

/**
 * Runs one refund: reserves its amount and requests it at the provider; the requesting activity stores the result.
 * While the outcome is unknown, requests it again under the refund's own key. A run started without a command continues
 * from the row.
 */
export async function refund(input: RefundInput): Promise<void> {
  const oneAtATime = createLock();
  const run = new RefundRun(input);

  setHandler(poke, () => {
    run.wakeRequested = true;
  });
  const validator = assertOperationCommand;
  setHandler(runOperation, (sent) => oneAtATime(() => run.reserve(sent)), { validator });

  for (;;) {
    // A command that came first may have asked already.
    if (run.wakeRequested) await oneAtATime(async () => (run.wakeRequested ? run.resume() : undefined));
    await condition(allHandlersFinished);
    if (run.wakeRequested) continue;
    const { pending } = run;
    if (pending === null) {
      setCurrentDetails('Settled');
      return;
    }
    if (workflowInfo().continueAsNewSuggested || mustChangeQueue(input.environment)) {
      await continueRunAsNew<typeof refund>(input.environment, input);
    }
    setCurrentDetails('Waits for the provider’s decision');
    const remaining = (pending.nextWakeAt ?? Date.now() + PAUSE_MS) - Date.now();
    const pause = Math.max(SHORTEST_PAUSE_MS, remaining);
    const summary = 'The provider is asked again.';
    const woken = await condition(() => run.wakeRequested || !allHandlersFinished(), pause, { summary });
    if (!woken) run.wakeRequested = true;
  }
}
