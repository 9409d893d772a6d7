import { expireCheckout } from './expire-checkout';
import type { Clock } from '../clock/system-clock';
import { holdClockOffset } from '../clock/sandbox-clock-store';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspaceWith } from '../db/workspace-transaction';
import type { Instant } from '../domain/instant';
import { nextWake, wakeAt, type LifecycleStep } from '../domain/lifecycle';
import type { WorkspaceScope } from '../tenancy/actor';
import { becomePastDue, expireUnpaid } from './past-due-steps';
import type { BilledSubscription } from './billed-subscription';
import { billedSubscriptionCall, lockSubscriptionCall } from './billed-subscription-store';
import { beginPeriod } from './begin-period';
import { writeNextWakes } from './next-wake-store';

/** A step that is due, as the subscription's workflow asks for it. */
export interface DueStep {
  subscriptionId: string;
  step: LifecycleStep;
  /** The instant that makes it due. */
  boundary: Instant;
  /** The workspace's time that it is judged at. */
  at: Instant;
  /** Identifies the step; the event carries it. */
  key: string;
}

/** The subscription as it is now, and how far the workspace's time is ahead of real time (milliseconds). */
export interface SteppingState {
  subscription: BilledSubscription;
  clockOffset: number;
}

/** What time does to subscriptions. What a payment provider has a part in is `at-provider/`. */
export interface SubscriptionSteps {
  /** Undefined when there is no such subscription. Its next wake is written down, where something else has moved it. */
  read(scope: WorkspaceScope, subscriptionId: string): Promise<SteppingState | undefined>;
  /**
   * Takes the step if the row still waits for it, in one transaction with its charge, its history and its event. A
   * step that was taken already, or that something else has made needless, does nothing.
   *
   * @returns the subscription as it is afterwards
   */
  take(scope: WorkspaceScope, due: DueStep): Promise<SteppingState | undefined>;
}

export function createSubscriptionSteps(options: { database: Database; clock: Clock }): SubscriptionSteps {
  const { database, clock } = options;
  const find = (scope: WorkspaceScope, id: string) => [billedSubscriptionCall(scope, id)] as const;
  const lock = (scope: WorkspaceScope, id: string) =>
    [lockSubscriptionCall(scope, id), billedSubscriptionCall(scope, id)] as const;
  return {
    read: (scope, subscriptionId) =>
      inWorkspaceWith(database, scope, 'SYSTEM', find(scope, subscriptionId), async (trx, [subscription]) => {
        if (subscription === undefined) return undefined;
        // A webhook wakes the row at once, and a setting moves its wake: by now the row has been woken.
        if (subscription.nextWakeAt !== wakeAt(subscription)) {
          await writeNextWakes(trx, scope, [subscription], 'woken');
        }
        return { subscription, clockOffset: await holdClockOffset(trx, scope) };
      }),

    take: (scope, due) =>
      inWorkspaceWith(database, scope, 'SYSTEM', lock(scope, due.subscriptionId), async (trx, [, locked]) => {
        if (locked === undefined) return undefined;
        const subscription = await takeDueStep(trx, scope, locked, due, clock.now());
        return { subscription, clockOffset: await holdClockOffset(trx, scope) };
      }),
  };
}

/**
 * Takes a step in the open transaction if it is due at `due.at`.
 *
 * @param subscription its row is locked
 * @param recordedAt real time
 * @returns the subscription as it is afterwards; as it was, when the step is not due
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

/** A provider's boundaries come from the provider: renewing by the calendar could grant what is not paid. */
function isDue(subscription: BilledSubscription, { step, boundary, at }: DueStep): boolean {
  if (subscription.provider !== 'internal') return false;
  const wake = nextWake(subscription, at);
  return wake.kind === 'due' && wake.step === step && wake.boundary === boundary;
}
