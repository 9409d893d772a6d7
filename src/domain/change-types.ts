import type { ChangeDirection } from './change-direction';
import type { Instant } from './instant';
import type { ProviderWaits } from './provider-work';
import type { OfferedPlan } from './subscription';
import type { BillingInterval, Pricing, SubscriptionStatus } from './subscription-types';
import type { TaxSnapshot } from './tax';
import type { TransactionDraft } from './transaction';
import type { Provider } from './provider';

/** What a change depends on. A `BilledSubscription` is one. */
export interface ChangeableSubscription {
  provider: Provider;
  status: SubscriptionStatus;
  cancelAtPeriodEnd: boolean;
  cancelAt?: Instant | null;
  providerReference?: string | null;
  connectionDisabled?: boolean;
  work?: ProviderWaits;
  planId: string;
  planSlug: string;
  planGroupId: string;
  seats: number;
  /** The price of the current period, a seat where `per_seat`: minor units. */
  unitAmount: bigint;
  currency: string;
  pricing: Pricing;
  interval: BillingInterval;
  tax: TaxSnapshot;
  billingAnchor: Instant;
  timeZone: string;
  currentPeriodStart: Instant;
  currentPeriodEnd: Instant;
  scheduled: (PlanAndSeats & { pricing: Pricing }) | null;
  /** What provider B's customer has still to approve. */
  requested?: PlanAndSeats | null;
  /** Whether the provider has one name for the target and for what it bills from the next renewal on. */
  isSamePlanAtProvider?: boolean;
  paymentDueAt?: Instant | null;
  pastDueAfterDays: number;
}

export interface PlanAndSeats {
  planId: string;
  planSlug: string;
  seats: number;
}

/** The plan and seats that a subscription has from its next renewal on. Price as the plan has it now: minor units. */
export interface ScheduledTerms extends PlanAndSeats {
  unitAmount: bigint;
  pricing: Pricing;
  interval: BillingInterval;
  requestedAt: Instant;
}

export type ChangeEffective = 'immediate' | 'next_renewal' | 'after_confirmation';

/** What a change does, when, and what it costs: what a preview shows and what the change then does. */
export interface ChangePlan {
  direction: ChangeDirection;
  effective: ChangeEffective;
  effectiveAt: Instant;
  from: PlanAndSeats;
  to: PlanAndSeats;
  target: OfferedPlan;
  /** The scheduled change that this one takes the place of. */
  withdraws: PlanAndSeats | null;
  /** Made at once; null where nothing is charged before the renewal. */
  transaction: TransactionDraft | null;
  requiresCustomerAction: boolean;
  /** Of the proration; null without one. */
  policyVersion: number | null;
  /** Whether the provider makes the final calculation. */
  estimated: boolean;
  /** What happens, in plain sentences, in its order. */
  steps: string[];
}
