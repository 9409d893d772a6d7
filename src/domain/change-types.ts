import type { CapabilityView } from './capability-view';
import type { ChangeDirection } from './change-direction';
import type { Instant } from './instant';
import type { OfferedPlan } from './subscription';
import type { BillingInterval, Pricing } from './subscription-types';
import type { TaxSnapshot } from './tax';
import type { TransactionDraft } from './transaction';

/** Inputs that a change depends on. A `BilledSubscription` satisfies it. */
export interface ChangeableSubscription extends CapabilityView {
  planId: string;
  planSlug: string;
  planGroupId: string;
  seats: number;
  /** Price of the current period in minor units, per seat if `per_seat`. */
  unitAmount: bigint;
  currency: string;
  pricing: Pricing;
  interval: BillingInterval;
  tax: TaxSnapshot;
  billingAnchor: Instant;
  timeZone: string;
  currentPeriodStart: Instant;
  scheduled: (PlanAndSeats & { pricing: Pricing }) | null;
  /** The change that provider B's customer has yet to approve. */
  requested?: PlanAndSeats | null;
  /** Whether the provider has the same plan reference for the target and for what it bills from the next renewal on. */
  isSamePlanAtProvider?: boolean;
  pastDueAfterDays: number;
}

export interface PlanAndSeats {
  planId: string;
  planSlug: string;
  seats: number;
}

/** Plan and seats of a subscription from its next renewal on, at the plan's current price in minor units. */
export interface ScheduledTerms extends PlanAndSeats {
  unitAmount: bigint;
  pricing: Pricing;
  interval: BillingInterval;
  requestedAt: Instant;
}

export type ChangeEffective = 'immediate' | 'next_renewal' | 'after_confirmation';

/** What a change does, when, and at what cost. A preview shows it and the change then carries it out. */
export interface ChangePlan {
  direction: ChangeDirection;
  effective: ChangeEffective;
  effectiveAt: Instant;
  from: PlanAndSeats;
  to: PlanAndSeats;
  target: OfferedPlan;
  /** The change that this one replaces; of a scheduled one and one that awaits an approval, the scheduled one. */
  withdraws: PlanAndSeats | null;
  /** Created immediately; null if nothing is charged before the renewal. */
  transaction: TransactionDraft | null;
  requiresCustomerAction: boolean;
  /** Policy version of the proration; null without one. */
  policyVersion: number | null;
  /** Whether the provider makes the final calculation. */
  estimated: boolean;
  /** What happens, in plain sentences, in order. */
  steps: string[];
}
