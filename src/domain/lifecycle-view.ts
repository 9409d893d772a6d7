import type { Instant } from './instant';
import type { ProviderWaits } from './provider-work';
import type { BillingInterval, SubscriptionStatus } from './subscription-types';
import type { Provider } from './provider';

/** What the lifecycle of a subscription depends on: its row, and the days of its workspace's settings. */
export interface LifecycleView {
  provider: Provider;
  status: SubscriptionStatus;
  billingAnchor: Instant;
  timeZone: string;
  interval: BillingInterval;
  currentPeriodStart: Instant;
  currentPeriodEnd: Instant;
  trialEnd: Instant | null;
  /** When the earliest transaction that is not paid makes it past due; null when nothing is open. */
  paymentDueAt: Instant | null;
  /** Null unless `past_due`. */
  pastDueSince: Instant | null;
  /** When an unpaid checkout gives up; null unless `incomplete`. */
  incompleteUntil: Instant | null;
  /** The interval of the plan that the scheduled change names; null without one. */
  scheduledInterval: BillingInterval | null;
  /** Whether the next period costs nothing. */
  nextPeriodIsFree: boolean;
  pastDueAfterDays: number;
  expireAfterDays: number;
  /** Left out where it is not known, and in local billing. */
  cancelAtPeriodEnd?: boolean;
  /** When it ends, where the provider names an instant; left out as the former. */
  cancelAt?: Instant | null;
  /** What is under way at the payment provider; left out in local billing. */
  work?: ProviderWaits;
}

/** What time does by the calendar alone, and (`PROVIDER_STEPS`) what it does together with a payment provider. */
export type LifecycleStep =
  | 'end_trial'
  | 'turn_period'
  | 'become_past_due'
  | 'expire'
  | 'expire_checkout'
  | ProviderStep;

export const PROVIDER_STEPS = [
  'settle_call',
  'read_back',
  'prepare_change',
  'check_approval',
  'read_past_due',
] as const;
export type ProviderStep = (typeof PROVIDER_STEPS)[number];

export function isProviderStep(step: LifecycleStep): step is ProviderStep {
  return (PROVIDER_STEPS as readonly string[]).includes(step);
}

/** The subscription after a cancellation at once. */
export function cancelNow<V extends LifecycleView>(view: V): V {
  return { ...view, ...closed(), status: 'cancelled' };
}

/** Nothing is waited for any more. */
export function closed(): Pick<
  LifecycleView,
  'paymentDueAt' | 'pastDueSince' | 'incompleteUntil' | 'scheduledInterval'
> {
  return { paymentDueAt: null, pastDueSince: null, incompleteUntil: null, scheduledInterval: null };
}
