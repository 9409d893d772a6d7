import type { Instant } from '../domain/instant';
import type { LifecycleView } from '../domain/lifecycle';
import type { BillingInterval, Pricing } from '../domain/subscription-types';
import type { TaxSnapshot } from '../domain/tax';
import type { Metadata } from '../schemas/metadata';

/** The plan and seats that a subscription has from its next renewal on. Price as the plan has it now. */
export interface ScheduledChange {
  planId: string;
  planSlug: string;
  seats: number;
  /** Minor units. */
  unitAmount: bigint;
  pricing: Pricing;
  interval: BillingInterval;
  requestedAt: Instant;
}

/** A subscription as billing works with it: its row, what its plan costs now, and its workspace's days. */
export interface BilledSubscription extends LifecycleView {
  id: string;
  customerId: string;
  externalId: string;
  /** ISO 3166-1 alpha-2, from the customer's metadata (`country`), for tax; null when it is not known. */
  customerCountry: string | null;
  planGroupId: string;
  planId: string;
  planSlug: string;
  seats: number;
  /** The price of the current period, a seat where `per_seat`: minor units. */
  unitAmount: bigint;
  currency: string;
  pricing: Pricing;
  /** What the plan costs now, which the next renewal charges: minor units. */
  planUnitAmount: bigint;
  /** The tax of the current period. */
  tax: TaxSnapshot;
  startedAt: Instant;
  cancelAtPeriodEnd: boolean;
  cancelledAt: Instant | null;
  scheduled: ScheduledChange | null;
  metadata: Metadata;
  version: bigint;
}
