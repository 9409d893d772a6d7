import type { Instant } from './instant';
import type { ProviderWaits } from './provider-work';
import type { BillingInterval, SubscriptionStatus } from './subscription-types';
import type { Provider } from './provider';

/** Inputs of a subscription's lifecycle: its row, and the numbers of days from its workspace's settings. */
export interface LifecycleView {
  provider: Provider;
  status: SubscriptionStatus;
  billingAnchor: Instant;
  timeZone: string;
  interval: BillingInterval;
  currentPeriodStart: Instant;
  currentPeriodEnd: Instant;
  trialEnd: Instant | null;
  /** When the earliest unpaid transaction makes it past due; null if nothing is open. */
  paymentDueAt: Instant | null;
  /** Null unless `past_due`. */
  pastDueSince: Instant | null;
  /** When an unpaid checkout expires; null unless `incomplete`. */
  incompleteUntil: Instant | null;
  /** Interval of the plan of the scheduled change; null without one. */
  scheduledInterval: BillingInterval | null;
  /** Whether the next period is free by today's prices. */
  nextPeriodIsFree: boolean;
  /**
   * Price of the current period in minor units; in a trial, of the first period after it, whatever the plan costs now.
   * Omitted if unknown.
   */
  unitAmount?: bigint;
  pastDueAfterDays: number;
  expireAfterDays: number;
  /** Omitted if unknown, and in local billing. */
  cancelAtPeriodEnd?: boolean;
  /** Instant at which it ends, if the provider names one; omitted like `cancelAtPeriodEnd`. */
  cancelAt?: Instant | null;
  /** What is in progress at the payment provider; omitted in local billing. */
  work?: ProviderWaits;
}

/** Steps that time alone triggers, and (`PROVIDER_STEPS`) those that involve a payment provider. */
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

/** Returns the subscription after an immediate cancellation; since when it was unpaid still decides what it granted. */
export function cancelNow<V extends LifecycleView>(view: V): V & { unpaidSince: Instant | null } {
  return { ...view, ...closed(), unpaidSince: view.pastDueSince, status: 'cancelled' };
}

/** Returns the fields of a subscription that no longer waits for anything. */
export function closed(): Pick<
  LifecycleView,
  'paymentDueAt' | 'pastDueSince' | 'incompleteUntil' | 'scheduledInterval'
> {
  return { paymentDueAt: null, pastDueSince: null, incompleteUntil: null, scheduledInterval: null };
}
