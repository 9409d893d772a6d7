import { isCancellation } from '@temporalio/workflow';
import { isProviderStep } from '../src/domain/lifecycle';
import type { ProviderStepRequest } from './activity-types';
import type { SubscriptionInput } from './messages';
import {
  providerCalls,
  subscriptionCalls,
  type ProviderCalls,
  type SubscriptionCalls,
} from './subscription-calls';
import { SubscriptionState } from './subscription-state';

/** Pause after an activity at the provider that failed without recording a retry time. */
const PROVIDER_PAUSE_MS = 60_000;

/** One run of a subscription's workflow: its state, and the steps that it takes between its pauses. */
export class SubscriptionRun {
  readonly state = new SubscriptionState();
  readonly calls: SubscriptionCalls;
  readonly atProvider: ProviderCalls;

  /** @param usesLocalActivities whether it executes transactions in the worker, and not on the queue */
  constructor(
    readonly input: SubscriptionInput,
    usesLocalActivities: boolean,
  ) {
    this.calls = subscriptionCalls(usesLocalActivities);
    this.atProvider = providerCalls(input);
  }

  /** Reads the row. */
  async load(): Promise<void> {
    this.state.wakeRequested = false;
    this.state.update(await this.calls.load(this.input));
  }

  /** Takes the row's next step if it is due. @returns whether it was */
  async takeDueStep(): Promise<boolean> {
    const { input, state, calls } = this;
    const wake = state.next();
    if (wake.kind !== 'due') return false;
    const { step, boundary } = wake;
    const key = `${input.subscriptionId}:${step}:${boundary}`;
    const request = { ...input, boundary, at: state.now(), key };
    if (!isProviderStep(step)) {
      state.update(await calls.takeStep({ ...request, step }, state.stepsInARow));
      state.stepsInARow += 1;
    } else if (!(await this.takeStepAtProvider({ ...request, step }))) return false;
    state.hasTakenStep = true;
    return true;
  }

  /**
   * Reads the row and takes its due steps before a command, so that nothing is priced against a period that has ended.
   *
   * @returns whether a step was due
   */
  async catchUp(): Promise<boolean> {
    await this.load();
    let taken = false;
    while (await this.takeDueStep()) taken = true;
    return taken;
  }

  /** @returns false if the activity failed without recording anything */
  private async takeStepAtProvider(request: ProviderStepRequest): Promise<boolean> {
    const { state, atProvider } = this;
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
}
