import type { LifecycleView } from './lifecycle-view';

/**
 * The owner of each input of `nextWake`. The owner wakes the subscription's workflow when the input changes:
 *
 * - `row`: the subscription's own row. Its `next_wake_at` is computed with each write; the writer is the workflow
 *   itself, or enqueues a signal in the same transaction.
 * - `settings`: the workspace's setting of the same name. A change recomputes the wake of every open subscription.
 * - `plan`: the terms of a plan that the row refers to. None of them moves an instant that is waited for: the interval
 *   is fixed once a subscription refers to the plan, and the price is read when the next period begins.
 * - `clock`: the workspace's time. Advancing a sandbox signals each workflow when its instant is reached in the new
 *   time; real time needs no signal.
 */
type WakeKeeper = 'row' | 'settings' | 'plan' | 'clock';

/** Inputs of `nextWake`: the members of a subscription's view, and the time. */
type WakeInput = keyof LifecycleView | 'now';

/** The owner of every input. A new input does not compile until its owner is named. */
export const WAKE_INPUTS = {
  provider: 'row',
  status: 'row',
  billingAnchor: 'row',
  timeZone: 'row',
  interval: 'row',
  currentPeriodStart: 'row',
  currentPeriodEnd: 'row',
  trialEnd: 'row',
  paymentDueAt: 'row',
  pastDueSince: 'row',
  incompleteUntil: 'row',
  cancelAtPeriodEnd: 'row',
  cancelAt: 'row',
  work: 'row',
  unitAmount: 'row',
  scheduledInterval: 'plan',
  nextPeriodIsFree: 'plan',
  pastDueAfterDays: 'settings',
  expireAfterDays: 'settings',
  now: 'clock',
} as const satisfies Record<WakeInput, WakeKeeper>;

type KeptBy<Keeper extends WakeKeeper> = {
  [Input in WakeInput]: (typeof WAKE_INPUTS)[Input] extends Keeper ? Input : never;
}[WakeInput];

/** The workspace's settings that `nextWake` reads. */
export type WakeSetting = KeptBy<'settings'>;

/** Whether a change of this setting may change the instants that subscriptions wait for. */
export function isWakeSetting(name: string): name is WakeSetting {
  return Object.entries(WAKE_INPUTS).some(([input, keeper]) => input === name && keeper === 'settings');
}
