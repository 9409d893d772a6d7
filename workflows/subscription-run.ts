import { isCancellation } from '@temporalio/workflow';
import { isProviderStep } from '../src/domain/lifecycle';
import type { ProviderStepRequest } from './activity-types';
import type { SubscriptionInput } from './messages';
import type { ProviderCalls, SubscriptionCalls } from './subscription-calls';
import type { SubscriptionState } from './subscription-state';

/** What the steps and the commands of one run of a subscription's workflow share. */
export interface SubscriptionRun {
  input: SubscriptionInput;
  state: SubscriptionState;
  calls: SubscriptionCalls;
  atProvider: ProviderCalls;
}

/** Pause after an activity at the provider that failed without recording a retry time. */
const PROVIDER_PAUSE_MS = 60_000;

/** Reads the row. */
export async function load({ input, state, calls }: SubscriptionRun): Promise<void> {
  state.wakeRequested = false;
  state.update(await calls.load(input));
}

/** Takes the row's next step if it is due. @returns whether it was */
export async function takeDueStep(run: SubscriptionRun): Promise<boolean> {
  const { input, state, calls } = run;
  const wake = state.next();
  if (wake.kind !== 'due') return false;
  const { step, boundary } = wake;
  const key = `${input.subscriptionId}:${step}:${boundary}`;
  const request = { ...input, boundary, at: state.now(), key };
  if (!isProviderStep(step)) {
    state.update(await calls.takeStep({ ...request, step }, state.stepsInARow));
    state.stepsInARow += 1;
  } else if (!(await takeStepAtProvider(run, { ...request, step }))) return false;
  state.hasTakenStep = true;
  return true;
}

/**
 * Reads the row and takes its due steps before a command, so that nothing is priced against a period that has ended.
 *
 * @returns whether a step was due
 */
export async function catchUp(run: SubscriptionRun): Promise<boolean> {
  await load(run);
  let taken = false;
  while (await takeDueStep(run)) taken = true;
  return taken;
}

/** @returns false if the activity failed without recording anything */
async function takeStepAtProvider(
  { state, atProvider }: SubscriptionRun,
  request: ProviderStepRequest,
): Promise<boolean> {
  // A command waiting for this step is refused as busy, so that it does not hold up others.
  if (state.pausedUntil > Date.now()) return false;
  try {
    state.update(await atProvider.takeStep(request));
    return true;
  } catch (error) {
    if (isCancellation(error)) throw error;
    state.pausedUntil = Date.now() + PROVIDER_PAUSE_MS;
    return false;
  }
}
