import { ApplicationFailure, isCancellation, patched, sleep } from '@temporalio/workflow';
import type { OperationRequest } from './activity-types';
import type { OperationCommand, OperationResult } from './messages';
import { isRefusal } from './subscription-calls';
import type { SubscriptionRun } from './subscription-run';

/** Maximum disagreement between the database and this workflow about a boundary. */
const SKEW_MS = 100;
/** Maximum number of pauses in which a command waits for that. More would be a bug, and must not hold up other work. */
const SKEW_PAUSES = 20;

/**
 * Runs a command, after the steps that are due before it.
 *
 * @throws ApplicationFailure of the code `service_busy` if they cannot be taken
 */
export async function runCommand(
  run: SubscriptionRun,
  { operationId, attempt }: OperationCommand,
): Promise<OperationResult> {
  const { input, state, calls } = run;
  // The workspace's time is read with the row.
  if (!state.loaded) await run.load();
  for (let pauses = 0; pauses < SKEW_PAUSES;) {
    const request = { ...input, operationId, attempt, at: state.now() };
    const answer = await calls.runOperation(request);
    if (answer.kind === 'applied') {
      state.update(answer.view);
      state.fresh = true;
      return 'applied';
    }
    if (answer.kind === 'claimed') {
      const result = await runAtProvider(run, request);
      if (result !== 'unclaimed') return result;
    } else if (await run.catchUp()) continue;
    pauses += 1;
    await sleep(SKEW_MS, { summary: 'The row is due in a moment.' });
  }
  throw busy(attempt);
}

/** A call that failed stays claimed in the row, whose next wake retries it. */
async function runAtProvider(
  { state, atProvider }: SubscriptionRun,
  request: OperationRequest,
): Promise<OperationResult | 'unclaimed'> {
  state.wakeRequested = true;
  const { signals } = state;
  try {
    const answer = await atProvider.runOperation(request);
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
}

function busy(attempt: string): ApplicationFailure {
  const problem = {
    code: 'service_busy',
    detail: 'The subscription could not be brought up to date.',
    retryAfter: 1,
  };
  return ApplicationFailure.nonRetryable(problem.detail, problem.code, { attempt, problem });
}
