import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { Instant } from '../src/domain/instant';
import { nextWake, type Wake } from '../src/domain/lifecycle';
import type { SubscriptionActivities, SubscriptionView } from './activity-types';
import { describe } from './details';
import { poke, type SubscriptionInput } from './messages';
import { createLock } from './one-at-a-time';
import { providerKey, subscriptionStatusKey } from './search-attributes';

const { loadSubscription, turnPeriod, endTrial } = proxyActivities<SubscriptionActivities>({
  startToCloseTimeout: '5s',
  // Postgres comes back: until then it is asked often, and for as long as it takes.
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '2s' },
});

type Due = Extract<Wake, { kind: 'due' }>;

/**
 * One subscription's life. The row is the truth: this workflow reads it when it is poked, takes what is due one
 * step at a time, and sleeps until the instant that the pure `nextWake` names. It can be rebuilt from its row at any
 * time, so ending it by hand loses nothing.
 */
export async function subscription(input: SubscriptionInput): Promise<void> {
  const oneAtATime = createLock();
  const life = new Life();
  setHandler(poke, () => {
    life.poked = true;
  });

  const load = async (): Promise<void> => {
    life.see(await loadSubscription.executeWithOptions({ summary: 'Read the row' }, [input]));
  };
  const takeStep = async (): Promise<void> => {
    const wake = life.next();
    if (wake.kind !== 'due') return;
    life.see(await perform(input, wake, life.now()));
    life.turned = true;
  };
  const mayContinueAsNew = (): boolean =>
    (life.turned || workflowInfo().continueAsNewSuggested) && allHandlersFinished();

  for (;;) {
    if (life.takePoke()) await oneAtATime(load);
    const wake = life.next();
    switch (wake.kind) {
      case 'finished':
        await condition(allHandlersFinished);
        if (life.poked) continue;
        return;
      case 'due':
        // After years of sleep there may be more steps than one history should hold: the next run goes on with them.
        if (workflowInfo().continueAsNewSuggested && allHandlersFinished()) {
          await continueAsNew<typeof subscription>(input);
        }
        await oneAtATime(takeStep);
        continue;
      case 'wait':
        if (mayContinueAsNew()) await continueAsNew<typeof subscription>(input);
        setCurrentDetails(life.describe(wake.at));
        await condition(() => life.poked || mayContinueAsNew(), Math.max(1, wake.at - life.now()), {
          summary: wake.why,
        });
    }
  }
}

/** What one run of the workflow knows. */
class Life {
  /** A new run reads the row first, whoever started it. */
  poked = true;
  /** A step was taken, so that the history is worth closing. */
  turned = false;
  private view: SubscriptionView | null = null;

  takePoke(): boolean {
    const { poked } = this;
    this.poked = false;
    return poked;
  }

  /** Takes the row as an activity has read it, and makes its state searchable. */
  see(view: SubscriptionView | null): void {
    this.view = view;
    if (view === null) return;
    // Attributes stay over continue-as-new, so only a change costs anything.
    const { typedSearchAttributes: known } = workflowInfo();
    const changed = [
      { key: providerKey, value: view.provider },
      { key: subscriptionStatusKey, value: view.status },
    ].filter(({ key, value }) => known.get(key) !== value);
    if (changed.length > 0) upsertSearchAttributes(changed);
  }

  /** The workspace's time: the workflow's own, and in a sandbox what its clock was advanced by. */
  now(): Instant {
    return Date.now() + (this.view?.clockOffset ?? 0);
  }

  next(): Wake {
    return this.view === null ? { kind: 'finished' } : nextWake(this.view, this.now());
  }

  describe(until: Instant): string {
    return this.view === null ? '' : describe(this.view, until);
  }
}

async function perform(input: SubscriptionInput, due: Due, at: Instant): Promise<SubscriptionView | null> {
  const { step, boundary } = due;
  const request = { ...input, boundary, at, key: `${input.subscriptionId}:${step}:${boundary}` };
  const day = new Date(boundary).toISOString();
  return step === 'end_trial'
    ? endTrial.executeWithOptions({ summary: `End the trial of ${day}` }, [request])
    : turnPeriod.executeWithOptions({ summary: `Turn the period that ended ${day}` }, [request]);
}
