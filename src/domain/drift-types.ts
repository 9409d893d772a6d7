import type { Instant } from './instant';
import type { PriceAtProvider } from './plan-price-comparison';
import type { BilledFacts } from './reconciled-view';
import type { BillingInterval, SubscriptionStatus } from './subscription-types';
import type { TermsView } from './terms-at-provider';

export const DRIFT_FIELDS = [
  'existence',
  'status',
  'plan',
  'seats',
  'cancelAtPeriodEnd',
  'cancelAt',
  'currentPeriodEnd',
  'payment',
  'items',
  'price',
  'currency',
  'interval',
  'trialEnd',
  'discount',
  'pausedCollection',
] as const;
export type DriftField = (typeof DRIFT_FIELDS)[number];

/** What differs: plans by their slug or else by the provider's name, times in ISO 8601. */
export interface Difference {
  field: DriftField;
  local: string | number | boolean;
  provider: string | number | boolean;
  /** A sentence for operators. */
  words: string;
}

export const UNVERIFIABLE_CODES = ['not_exposed', 'not_read', 'plan_unknown', 'under_way', 'local'] as const;

/**
 * What cannot be compared. `not_exposed`: the provider does not say it; `not_read`: the provider could not be read;
 * `plan_unknown`: its plan is none of ours; `under_way`: what is here or there is about to change; `local`: no provider
 * bills it.
 */
export interface Unverifiable {
  field: DriftField;
  code: (typeof UNVERIFIABLE_CODES)[number];
  /** A sentence for operators. */
  reason: string;
}

/** What a provider bills a subscription by, besides its plan and quantity. What it does not show is left out. */
export interface BillingAtProvider {
  /** The price that the subscription is charged, which may be an older one than its plan's of now. */
  price?: PriceAtProvider | undefined;
  /** What else is on the subscription, plans of ours or not. */
  otherItems?: { planReference: string; quantity: number | null }[] | undefined;
  /** Null without a trial. */
  trialEnd?: Instant | null | undefined;
  /** The provider's names of what takes something off the price. */
  discounts?: string[] | undefined;
  /** What the provider does in place of collecting; null where it collects. */
  pausedCollection?: string | null | undefined;
}

/** What is as it should be, and worth knowing. */
export interface DriftNote {
  field: DriftField;
  code: 'older_price';
  /** A sentence for operators. */
  words: string;
}

export interface Drift {
  /** False with any difference; null where what the provider does say could not be compared. */
  inSync: boolean | null;
  differences: Difference[];
  unverifiable: Unverifiable[];
  /** What is no difference, and worth knowing. */
  notes: DriftNote[];
}

/** What the provider said when it was asked; `missing` is its word that it has no such subscription. */
export type DriftReading =
  | { kind: 'read'; facts: BilledFacts; billing?: BillingAtProvider | undefined }
  | { kind: 'missing' }
  | { kind: 'unread'; reason: string };

export interface DriftView extends TermsView {
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
  cancelAt?: Instant | null;
  currentPeriodEnd: Instant;
  trialEnd: Instant | null;
  /** The price of the current period, and of the plan now: minor units, a seat where `per_seat`. */
  unitAmount: bigint;
  planUnitAmount: bigint;
  currency: string;
  interval: BillingInterval;
}

/** What one comparison comes to. */
export type Finding = Difference | Unverifiable;
