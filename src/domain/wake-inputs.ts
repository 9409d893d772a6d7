import type { LifecycleView } from './lifecycle-view';

/**
 * Who keeps what `nextWake` reads, and so who wakes a subscription's workflow when it changes:
 *
 * - `row`: the subscription's own row. Its `next_wake_at` is computed with each write; who writes is the workflow
 *   itself, or leaves a poke in the same transaction.
 * - `settings`: the workspace's setting of the same name. A change of it has every open subscription looked at again.
 * - `plan`: the terms of a plan that the row names. None of them moves an instant that is waited for: the interval is
 *   fixed once a subscription refers to the plan, and the price is read when the next period begins.
 * - `clock`: the workspace's time. Advancing a sandbox's clock pokes whatever waits for it; real time needs nobody.
 */
type WakeKeeper = 'row' | 'settings' | 'plan' | 'clock';

/** What `nextWake` reads: the members of a subscription's view, and the time. */
type WakeInput = keyof LifecycleView | 'now';

/** Every input has its line: one that is added does not compile until it is said who wakes for it. */
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

/** Whether subscriptions may wait for other instants once the setting of this name is another one. */
export function isWakeSetting(name: string): name is WakeSetting {
  return Object.entries(WAKE_INPUTS).some(([input, keeper]) => input === name && keeper === 'settings');
}
