import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { LifecycleStep } from '../src/domain/lifecycle';
import { AT_PROVIDER, IN_WORKER, POSTGRES } from './activity-options';
import type {
  OperationAnswer,
  OperationRequest,
  ProviderStepRequest,
  ProviderSubscriptionActivities,
  StepRequest,
  SubscriptionActivities,
  SubscriptionView,
} from './activity-types';
import { providersQueueOf } from './continue-run-as-new';
import type { SubscriptionInput } from './messages';

const onQueue = proxyActivities<SubscriptionActivities>(POSTGRES);
const inWorker = proxyLocalActivities<SubscriptionActivities>(IN_WORKER);

/** Summaries of the steps' activities in Temporal. */
const SUMMARY: Record<LifecycleStep, string> = {
  end_trial: 'End the trial of',
  turn_period: 'Turn the period that ended',
  become_past_due: 'Past due since',
  expire: 'Expire at',
  expire_checkout: 'Expire the checkout of',
  settle_call: 'Settle the call due',
  read_back: 'Read the provider, due',
  prepare_change: 'Prepare the provider for the renewal, from',
  check_approval: 'Look for the approval, from',
  read_past_due: 'Read the provider for a payment, from',
};

/** Summarizes a step: `Turn the period that ended 2026-01-31T00:00:00.000Z` */
function summaryOf({ step, boundary }: { step: LifecycleStep; boundary: number }): string {
  return `${SUMMARY[step]} ${new Date(boundary).toISOString()}`;
}

/** The subscription activities that are one Postgres transaction each. */
export interface SubscriptionCalls {
  load(input: SubscriptionInput): Promise<SubscriptionView | null>;
  /** @param inARow how many steps came before it without a pause */
  takeStep(request: StepRequest, inARow: number): Promise<SubscriptionView | null>;
  runOperation(request: OperationRequest): Promise<OperationAnswer>;
}

/**
 * Number of steps that a run catching up takes in one workflow task; the next goes through the queue, where workflows
 * take turns. Otherwise one sandbox catching up on years would occupy the few workflow slots.
 */
const LOCAL_STEPS_IN_A_ROW = 4;

/**
 * @param areLocal runs them in the workflow's own worker, within its workflow task; a lasting failure there moves to
 *   the queue, whose retries add nothing to the history
 */
export function subscriptionCalls(areLocal: boolean): SubscriptionCalls {
  const call = async <Result>(
    local: () => Promise<Result>,
    queued: () => Promise<Result>,
    isLocal = areLocal,
  ): Promise<Result> => {
    if (!isLocal) return queued();
    try {
      return await local();
    } catch (error) {
      if (isCancellation(error) || isRefusal(error)) throw error;
      return queued();
    }
  };
  return {
    load: (input) => {
      const options = { summary: 'Read the row' };
      return call(
        () => inWorker.loadSubscription.executeWithOptions(options, [input]),
        () => onQueue.loadSubscription.executeWithOptions(options, [input]),
      );
    },
    takeStep: (request, inARow) => {
      const options = { summary: summaryOf(request) };
      return call(
        () => inWorker.takeStep.executeWithOptions(options, [request]),
        () => onQueue.takeStep.executeWithOptions(options, [request]),
        areLocal && inARow % (LOCAL_STEPS_IN_A_ROW + 1) < LOCAL_STEPS_IN_A_ROW,
      );
    },
    runOperation: (request) => {
      const options = { summary: `Run ${request.operationId}` };
      return call(
        () => inWorker.runOperation.executeWithOptions(options, [request]),
        () => onQueue.runOperation.executeWithOptions(options, [request]),
      );
    },
  };
}

/** The subscription activities that call its payment provider. */
export interface ProviderCalls {
  takeStep(request: ProviderStepRequest): Promise<SubscriptionView | null>;
  runOperation(request: OperationRequest): ReturnType<ProviderSubscriptionActivities['runAtProvider']>;
}

export function providerCalls({ environment, workspaceId }: SubscriptionInput): ProviderCalls {
  const taskQueue = providersQueueOf(environment);
  const activities = proxyActivities<ProviderSubscriptionActivities>({ ...AT_PROVIDER, taskQueue });
  // Workspaces take turns when subscriptions queue for the providers' workers.
  const priority = { fairnessKey: workspaceId };
  return {
    takeStep: (request) => {
      const options = { summary: summaryOf(request), priority };
      return activities.takeProviderStep.executeWithOptions(options, [request]);
    },
    runOperation: (request) => {
      const options = { summary: `Ask the provider for ${request.operationId}`, priority };
      return activities.runAtProvider.executeWithOptions(options, [request]);
    },
  };
}

/**
 * Returns whether the activity refused. After any other failure the row still says what to do. A local activity's
 * failure arrives as it was thrown.
 */
export function isRefusal(error: unknown): boolean {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure && cause.nonRetryable === true;
}
