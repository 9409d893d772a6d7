import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  isCancellation,
  patched,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { isProviderStep } from '../src/domain/lifecycle';
import { AT_PROVIDER } from './activity-options';
import type {
  OperationRequest,
  ProviderStepRequest,
  ProviderSubscriptionActivities,
  SubscriptionView,
} from './activity-types';
import { continueRunAsNew, mustChangeQueue, providersQueueOf } from './continue-run-as-new';
import {
  assertOperationCommand,
  poke,
  runOperation,
  type OperationCommand,
  type OperationResult,
  type SubscriptionInput,
} from './messages';
import { createLock } from './one-at-a-time';
import { isRefusal, subscriptionCalls, summaryOf } from './subscription-calls';
import { SubscriptionState } from './subscription-state';
import { WakeTimer } from './wake-timer';

/** Pause after an activity at the provider that failed without recording a retry time. */
const PROVIDER_PAUSE_MS = 60_000;

/** Maximum disagreement between the database and this workflow about a boundary. */
const SKEW_MS = 100;
/** Maximum number of pauses in which a command waits for that. More would be a bug, and must not hold up other work. */
const SKEW_PAUSES = 20;
/**
 * Number of events after which a run continues as new. A renewal or a command adds six, and a worker that has not
 * cached the run replays them all.
 */
const LONG_HISTORY = 100;

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
  const calls = subscriptionCalls(usesLocalActivities);
  const timer = new WakeTimer();
  const oneAtATime = createLock();
  const taskQueue = providersQueueOf(input.environment);
  const atProvider = proxyActivities<ProviderSubscriptionActivities>({ ...AT_PROVIDER, taskQueue });
  const state = new SubscriptionState();
  if (known !== null) state.takeOver(known);
  // Workspaces take turns when subscriptions queue for the providers' workers.
  const priority = { fairnessKey: input.workspaceId };

  const load = async (): Promise<void> => {
    state.wakeRequested = false;
    state.update(await calls.load(input));
  };
  /** @returns whether a step was due */
  const takeDueStep = async (): Promise<boolean> => {
    const wake = state.next();
    if (wake.kind !== 'due') return false;
    const { step, boundary } = wake;
    const key = `${input.subscriptionId}:${step}:${boundary}`;
    const request = { ...input, boundary, at: state.now(), key };
    if (!isProviderStep(step)) {
      state.update(await calls.takeStep({ ...request, step }, state.stepsInARow));
      state.stepsInARow += 1;
    } else if (!(await takeStepAtProvider({ ...request, step }))) return false;
    state.hasTakenStep = true;
    return true;
  };
  /** @returns false if the activity failed without recording anything */
  const takeStepAtProvider = async (request: ProviderStepRequest): Promise<boolean> => {
    // A command waiting for this step is refused as busy, so that it does not hold up others.
    if (state.pausedUntil > Date.now()) return false;
    try {
      const summary = summaryOf(request);
      state.update(await atProvider.takeProviderStep.executeWithOptions({ summary, priority }, [request]));
      return true;
    } catch (error) {
      if (isCancellation(error)) throw error;
      state.pausedUntil = Date.now() + PROVIDER_PAUSE_MS;
      return false;
    }
  };
  /** Catches up first, so that nothing is priced against a period that has ended. */
  const catchUp = async (): Promise<boolean> => {
    await load();
    let taken = false;
    while (await takeDueStep()) taken = true;
    return taken;
  };
  /** A call that failed stays claimed in the row, whose next wake retries it. */
  const commandAtProvider = async (request: OperationRequest): Promise<OperationResult | 'unclaimed'> => {
    state.wakeRequested = true;
    const { signals } = state;
    try {
      const summary = `Ask the provider for ${request.operationId}`;
      const answer = await atProvider.runAtProvider.executeWithOptions({ summary, priority }, [request]);
      if (answer.kind === 'unclaimed') return 'unclaimed';
      state.update(answer.view);
      state.fresh = true;
      // A signal during the call may report a change that is newer than its answer. Patched, because earlier runs did
      // not read the row again.
      state.wakeRequested = state.signals > signals && patched('2026-11-signals-during-calls');
      return answer.kind;
    } catch (error) {
      if (isCancellation(error) || isRefusal(error)) throw error;
      return 'pending';
    }
  };
  const command = async ({ operationId, attempt }: OperationCommand): Promise<OperationResult> => {
    // The workspace's time is read with the row.
    if (!state.loaded) await load();
    for (let pauses = 0; pauses < SKEW_PAUSES;) {
      const request = { ...input, operationId, attempt, at: state.now() };
      const answer = await calls.runOperation(request);
      if (answer.kind === 'applied') {
        state.update(answer.view);
        state.fresh = true;
        return 'applied';
      }
      if (answer.kind === 'claimed') {
        const result = await commandAtProvider(request);
        if (result !== 'unclaimed') return result;
      } else if (await catchUp()) continue;
      pauses += 1;
      await sleep(SKEW_MS, { summary: 'The row is due in a moment.' });
    }
    throw busy(attempt);
  };

  setHandler(poke, () => {
    state.wakeRequested = true;
    state.signals += 1;
  });
  setHandler(runOperation, (sent) => oneAtATime(() => command(sent)), { validator: assertOperationCommand });

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
    if (state.wakeRequested) await oneAtATime(async () => (state.wakeRequested ? load() : undefined));
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
          const pause = { summary: 'The provider is asked again.' };
          await condition(() => state.hasNews(), state.pausedUntil - Date.now(), pause);
          state.pausedUntil = 0;
        }
        await oneAtATime(takeDueStep);
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

function busy(attempt: string): ApplicationFailure {
  const problem = {
    code: 'service_busy',
    detail: 'The subscription could not be brought up to date.',
    retryAfter: 1,
  };
  return ApplicationFailure.nonRetryable(problem.detail, problem.code, { attempt, problem });
}
