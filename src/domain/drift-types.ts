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

/** A difference. Plans are given by their slug or else by the provider's reference, times in ISO 8601. */
export interface Difference {
  field: DriftField;
  local: string | number | boolean;
  provider: string | number | boolean;
  /** A sentence for operators. */
  words: string;
}

export const UNVERIFIABLE_CODES = ['not_exposed', 'not_read', 'plan_unknown', 'under_way', 'local'] as const;

/**
 * A field that cannot be compared. `not_exposed`: the provider does not report it; `not_read`: the provider could not
 * be read; `plan_unknown`: its plan is none of ours; `under_way`: the local or the provider's state is about to change;
 * `local`: no provider bills it.
 */
export interface Unverifiable {
  field: DriftField;
  code: (typeof UNVERIFIABLE_CODES)[number];
  /** A sentence for operators. */
  reason: string;
}

/**
 * What a provider bills a subscription by, besides its plan and quantity. What the provider does not show is omitted.
 */
export interface BillingAtProvider {
  /** The price that the subscription is charged, which may be older than its plan's current price. */
  price?: PriceAtProvider | undefined;
  /** Other items on the subscription, whether or not they are plans of ours. */
  otherItems?: { planReference: string; quantity: number | null }[] | undefined;
  /** Null without a trial. */
  trialEnd?: Instant | null | undefined;
  /** The provider's ids of the discounts. */
  discounts?: string[] | undefined;
  /** What the provider does instead of collecting; null if it collects. */
  pausedCollection?: string | null | undefined;
}

/** Something correct but worth knowing. */
export interface DriftNote {
  field: DriftField;
  code: 'older_price';
  /** A sentence for operators. */
  words: string;
}

export interface Drift {
  /** False with any difference; null if values that the provider does report could not be compared. */
  inSync: boolean | null;
  differences: Difference[];
  unverifiable: Unverifiable[];
  /** Observations that are worth knowing but are not differences. */
  notes: DriftNote[];
}

/**
 * The provider's answer; `missing`: it has no such subscription. `silent`: the provider was asked and did not answer.
 * `refused`: it refused the connection's credentials.
 */
export type DriftReading =
  | { kind: 'read'; facts: BilledFacts; billing?: BillingAtProvider | undefined }
  | { kind: 'missing' }
  | { kind: 'unread'; reason: string; silent?: true; refused?: true };

export interface DriftView extends TermsView {
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
  cancelAt?: Instant | null;
  billingAnchor: Instant;
  currentPeriodStart: Instant;
  currentPeriodEnd: Instant;
  trialEnd: Instant | null;
  /** Price of the current period, and the plan's current price, in minor units, per seat if `per_seat`. */
  unitAmount: bigint;
  planUnitAmount: bigint;
  currency: string;
  interval: BillingInterval;
}

/** One result of a comparison. */
export type Finding = Difference | Unverifiable;
