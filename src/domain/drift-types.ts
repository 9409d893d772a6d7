import type { Instant } from './instant';
import type { BilledFacts } from './provider-reconciliation';
import type { SubscriptionStatus } from './subscription-types';
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

export interface Drift {
  /** False with any difference; null where what the provider does say could not be compared. */
  inSync: boolean | null;
  differences: Difference[];
  unverifiable: Unverifiable[];
}

/** What the provider said when it was asked; `missing` is its word that it has no such subscription. */
export type DriftReading =
  { kind: 'read'; facts: BilledFacts } | { kind: 'missing' } | { kind: 'unread'; reason: string };

export interface DriftView extends TermsView {
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
  cancelAt?: Instant | null;
  currentPeriodEnd: Instant;
  trialEnd: Instant | null;
}

/** What one comparison comes to. */
export type Finding = Difference | Unverifiable;

export function hasEnded(status: SubscriptionStatus): boolean {
  return status === 'cancelled' || status === 'expired';
}
