import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { LifecycleStep } from '../src/domain/lifecycle';
import { POSTGRES } from './activity-options';
import type { SubscriptionActivities } from './activity-types';
import {
  assertOperationCommand,
  poke,
  runOperation,
  type OperationCommand,
  type OperationResult,
  type SubscriptionInput,
} from './messages';
import { createLock } from './one-at-a-time';
import { SubscriptionLife } from './subscription-life';

const activities = proxyActivities<SubscriptionActivities>(POSTGRES);

/** How a step's activity reads in Temporal. */
const SUMMARY: Record<LifecycleStep, string> = {
  end_trial: 'End the trial of',
  turn_period: 'Turn the period that ended',
  become_past_due: 'Past due since',
  expire: 'Expire at',
  expire_checkout: 'Expire the checkout of',
};

/** The database and this workflow may see a boundary some milliseconds apart. */
const SKEW_MS = 100;
/** So often a command waits for that; more would be a fault, and must not hold up what else there is to do. */
const SKEW_PAUSES = 20;

/**
 * One subscription's life. The row is the truth: this workflow reads it when it is poked, takes what is due one step
 * at a time, runs commands in between, and sleeps until the instant that the pure `nextWake` names. It can be rebuilt
 * from its row at any time, so ending it by hand loses nothing.
 */
export async function subscription(input: SubscriptionInput): Promise<void> {
  const oneAtATime = createLock();
  const life = new SubscriptionLife();

  const load = async (): Promise<void> => {
    life.poked = false;
    life.see(await activities.loadSubscription.executeWithOptions({ summary: 'Read the row' }, [input]));
  };
  /** @returns whether a step was due */
  const takeDueStep = async (): Promise<boolean> => {
    const wake = life.next();
    if (wake.kind !== 'due') return false;
    const { step, boundary } = wake;
    const summary = `${SUMMARY[step]} ${new Date(boundary).toISOString()}`;
    const key = `${input.subscriptionId}:${step}:${boundary}`;
    const request = { ...input, step, boundary, at: life.now(), key };
    life.see(await activities.takeStep.executeWithOptions({ summary }, [request]));
    life.turned = true;
    return true;
  };
  /** Nothing is priced against a period that has ended. */
  const catchUp = async (): Promise<boolean> => {
    await load();
    let taken = false;
    while (await takeDueStep()) taken = true;
    return taken;
  };
  const command = async ({ operationId, attempt }: OperationCommand): Promise<OperationResult> => {
    // The workspace's time is read with the row.
    if (!life.loaded) await load();
    for (let pauses = 0; pauses < SKEW_PAUSES;) {
      const summary = `Run ${operationId}`;
      const request = { ...input, operationId, attempt, at: life.now() };
      const answer = await activities.runOperation.executeWithOptions({ summary }, [request]);
      if (answer.kind === 'applied') {
        life.see(answer.view);
        life.fresh = true;
        return 'applied';
      }
      if (await catchUp()) continue;
      pauses += 1;
      await sleep(SKEW_MS, { summary: 'The row is due in a moment.' });
    }
    throw busy(attempt);
  };

  setHandler(poke, () => {
    life.poked = true;
  });
  setHandler(runOperation, (sent) => oneAtATime(() => command(sent)), { validator: assertOperationCommand });

  const mayContinueAsNew = (): boolean =>
    (life.turned || workflowInfo().continueAsNewSuggested) && allHandlersFinished();

  for (;;) {
    // A command that came first may have read the row already.
    if (life.poked) await oneAtATime(async () => (life.poked ? load() : undefined));
    life.fresh = false;
    const wake = life.nextOfOurs();
    switch (wake.kind) {
      case 'finished':
        setCurrentDetails(life.describe());
        await condition(allHandlersFinished);
        if (life.hasNews()) continue;
        return;
      case 'due':
        // After years of sleep there may be more steps than one history should hold: the next run goes on with them.
        if (workflowInfo().continueAsNewSuggested && allHandlersFinished()) {
          await continueAsNew<typeof subscription>(input);
        }
        await oneAtATime(takeDueStep);
        continue;
      case 'wait':
        if (mayContinueAsNew()) await continueAsNew<typeof subscription>(input);
        setCurrentDetails(life.describe());
        await condition(() => life.hasNews() || mayContinueAsNew(), Math.max(1, wake.at - life.now()), {
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
