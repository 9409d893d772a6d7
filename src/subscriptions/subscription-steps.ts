import { expireCheckout } from './expire-checkout';
import type { Clock } from '../clock/system-clock';
import { holdClockOffset } from '../clock/sandbox-clock-store';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspaceWith } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { nextWake, wakeAt, type LifecycleStep } from '../domain/lifecycle';
import { acceptedBeforeCall } from '../operations/run-operation-store';
import type { WorkspaceScope } from '../tenancy/actor';
import { takeAfterAccepted, type AcceptedCommands, type StepAttempt } from './accepted-commands';
import { becomePastDue, expireUnpaid } from './past-due-steps';
import type { BilledSubscription } from './billed-subscription';
import { billedSubscriptionCall, lockSubscriptionCall } from './billed-subscription-store';
import { beginPeriod } from './begin-period';
import { writeNextWakes } from './next-wake-store';

/** A due step, as requested by the subscription's workflow. */
export interface DueStep {
  subscriptionId: string;
  step: LifecycleStep;
  /** The instant that makes it due. */
  boundary: Instant;
  /** The workspace's time at which it is judged. */
  at: Instant;
  /** Identifies the step; the event carries it. */
  key: string;
}

/** The subscription's current state, and how far the workspace's time is ahead of real time (milliseconds). */
export interface SteppingState {
  subscription: BilledSubscription;
  clockOffset: number;
}

/** Time steps of subscriptions. Those that involve a payment provider are in `at-provider/`. */
export interface SubscriptionSteps {
  /**
   * Reads the subscription; undefined if it does not exist. Corrects its stored next wake if something else has moved
   * it.
   */
  read(scope: WorkspaceScope, subscriptionId: string): Promise<SteppingState | undefined>;
  /**
   * Takes the step if the row still waits for it, in one transaction with its charge, history and event. Does nothing
   * if the step was already taken or is no longer needed. Accepted commands that were submitted before its instant are
   * run first.
   *
   * @returns the updated subscription
   */
  take(scope: WorkspaceScope, due: DueStep): Promise<SteppingState | undefined>;
}

export function createSubscriptionSteps(options: {
  database: Database;
  clock: Clock;
  commands: AcceptedCommands;
}): SubscriptionSteps {
  const { database, clock, commands } = options;
  const find = (scope: WorkspaceScope, id: string) => [billedSubscriptionCall(scope, id)] as const;
  const lock = (scope: WorkspaceScope, { subscriptionId: id, boundary }: DueStep) =>
    [
      lockSubscriptionCall(scope, id),
      billedSubscriptionCall(scope, id),
      acceptedBeforeCall(scope, id, boundary),
    ] as const;

  /** @param passed whether the commands before the step have run */
  const attempt = (
    scope: WorkspaceScope,
    due: DueStep,
    passed: boolean,
  ): Promise<StepAttempt<SteppingState | undefined>> =>
    inWorkspaceWith(database, scope, 'SYSTEM', lock(scope, due), async (trx, [, locked, accepted]) => {
      if (locked === undefined) return { state: undefined };
      if (!passed && accepted.length > 0 && isDue(locked, due)) return { behind: accepted };
      const subscription = await takeDueStep(trx, scope, locked, due, clock.now());
      return { state: { subscription, clockOffset: await holdClockOffset(trx, scope) } };
    });

  return {
    read: (scope, subscriptionId) =>
      inWorkspaceWith(database, scope, 'SYSTEM', find(scope, subscriptionId), async (trx, [subscription]) => {
        if (subscription === undefined) return undefined;
        // A webhook wakes the row at once and a settings change moves its wake; either has been handled by now.
        if (subscription.nextWakeAt !== wakeAt(subscription)) {
          await writeNextWakes(trx, scope, [subscription], 'woken');
        }
        return { subscription, clockOffset: await holdClockOffset(trx, scope) };
      }),

    take: (scope, due) => takeAfterAccepted(commands, scope, due.at, (passed) => attempt(scope, due, passed)),
  };
}

/**
 * Takes a step in the open transaction if it is due at `due.at`.
 *
 * @param subscription its row is locked
 * @param recordedAt real time
 * @returns the updated subscription; unchanged if the step is not due
 */
export async function takeDueStep(
  trx: DbTransaction,
  scope: WorkspaceScope,
  subscription: BilledSubscription,
  due: DueStep,
  recordedAt: Instant,
): Promise<BilledSubscription> {
  if (!isDue(subscription, due)) return subscription;
  const { step, boundary: at } = due;
  switch (step) {
    case 'end_trial':
    case 'turn_period':
      return beginPeriod(trx, scope, subscription, { ...due, step, recordedAt });
    case 'become_past_due':
      return becomePastDue(trx, scope, subscription, { ...due, recordedAt });
    case 'expire':
      return expireUnpaid(trx, scope, subscription, { ...due, recordedAt });
    case 'expire_checkout':
      return expireCheckout(trx, scope, subscription, { why: 'deadline', at, recordedAt, source: 'billing' });
    default:
      throw new Error(`The step ${step} is not taken without the payment provider.`);
  }
}

/**
 * Returns whether the step is due. A provider's boundaries come from the provider: renewing by our calendar could grant
 * access that is not paid for.
 */
function isDue(subscription: BilledSubscription, { step, boundary, at }: DueStep): boolean {
  if (subscription.provider !== 'internal') return false;
  const wake = nextWake(subscription, at);
  return wake.kind === 'due' && wake.step === step && wake.boundary === boundary;
}
