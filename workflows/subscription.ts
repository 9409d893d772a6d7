import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  patched,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { SubscriptionView } from './activity-types';
import { continueRunAsNew, mustChangeQueue } from './continue-run-as-new';
import { assertOperationCommand, NOT_ACCEPTED, poke, runOperation, type SubscriptionInput } from './messages';
import { createLock } from './one-at-a-time';
import { runCommand } from './run-command';
import { SubscriptionRun } from './subscription-run';
import type { SubscriptionState } from './subscription-state';
import { WakeTimer } from './wake-timer';

/**
 * Number of events after which a run continues as new. A renewal or a command adds six, and a worker that has not
 * cached the run replays them all.
 */
const LONG_HISTORY = 100;
/** Number of events from which a run accepts only one command at a time, so that it finds an end under steady load. */
const TOO_LONG_HISTORY = 300;

/**
 * Runs one subscription. The row is the source of truth: this workflow reads it when signalled, takes due steps one at
 * a time, runs commands in between, and sleeps until the instant that the pure `nextWake` returns. It can be rebuilt
 * from its row at any time, so terminating it by hand loses nothing.
 *
 * @param known the row as known to the previous run; a wake signal reports a change
 */
export async function subscription(
  input: SubscriptionInput,
  known: SubscriptionView | null = null,
): Promise<void> {
  // Earlier runs execute their transactions on the queue, and continue as new after every period.
  const usesLocalActivities = patched('2026-11-local-transactions');
  const run = new SubscriptionRun(input, usesLocalActivities);
  const { state } = run;
  if (known !== null) state.takeOver(known);
  const oneAtATime = createLock();
  const timer = new WakeTimer();

  setHandler(poke, () => {
    state.wakeRequested = true;
    state.signals += 1;
  });
  setHandler(runOperation, (sent) => oneAtATime(() => runCommand(run, sent)), {
    validator: assertAcceptable,
  });

  let mustMove = false;
  const isLong = (): boolean => {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    return continueAsNewSuggested || (usesLocalActivities && historyLength >= LONG_HISTORY);
  };
  const mayContinueAsNew = (): boolean =>
    (mustMove || isLong() || (!usesLocalActivities && state.hasTakenStep)) && allHandlersFinished();
  /** If a signal arrived while the row was being read, the next run reads the row itself. */
  const continueInNewRun = (): Promise<never> => {
    const known = usesLocalActivities && !state.wakeRequested ? state.row : null;
    return continueRunAsNew<typeof subscription>(input.environment, input, known);
  };

  for (;;) {
    // A command that came first may have read the row already.
    if (state.wakeRequested) await oneAtATime(async () => (state.wakeRequested ? run.load() : undefined));
    state.fresh = false;
    const wake = state.nextOfOurs();
    switch (wake.kind) {
      case 'finished':
        setCurrentDetails(state.describe());
        await condition(allHandlersFinished);
        if (state.hasNews()) continue;
        return;
      case 'due':
        // After years of sleep there may be more steps than one history should hold; the next run continues with them.
        if (isLong() && allHandlersFinished()) await continueInNewRun();
        if (state.pausedUntil > Date.now()) {
          await pauseForProvider(state);
          // Nothing may be due any more. Patched, because earlier runs asked the provider first.
          if (state.wakeRequested && patched('2026-11-read-after-pause')) continue;
        }
        await oneAtATime(() => run.takeDueStep());
        continue;
      case 'wait':
        state.stepsInARow = 0;
        mustMove ||= mustChangeQueue(input.environment);
        if (mayContinueAsNew()) await continueInNewRun();
        setCurrentDetails(state.describe());
        if (usesLocalActivities) {
          timer.wakeBy(state.timeOf(wake), wake.why);
          await condition(() => state.hasNews() || timer.hasFired() || mayContinueAsNew());
          continue;
        }
        await condition(() => state.hasNews() || mayContinueAsNew(), state.waitFor(wake), {
          summary: wake.why,
        });
    }
  }
}

/** Rejects a malformed command, and one that would keep a long run from continuing as new. Not part of the history. */
function assertAcceptable(sent: unknown): void {
  assertOperationCommand(sent);
  if (workflowInfo().historyLength < TOO_LONG_HISTORY || allHandlersFinished()) return;
  throw ApplicationFailure.nonRetryable('The run is ending. Send it again.', NOT_ACCEPTED);
}

/** Waits until steps due at the provider are retried, or for news. */
async function pauseForProvider(state: SubscriptionState): Promise<void> {
  const pause = { summary: 'The provider is asked again.' };
  await condition(() => state.hasNews(), state.pausedUntil - Date.now(), pause);
  state.pausedUntil = 0;
}
