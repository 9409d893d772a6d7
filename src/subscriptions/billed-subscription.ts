import type { ScheduledTerms } from '../domain/change-types';
import type { Instant } from '../domain/instant';
import type { LifecycleView } from '../domain/lifecycle';
import type { ProviderWork } from '../domain/provider-work';
import type { Pricing } from '../domain/subscription-types';
import type { TaxSnapshot } from '../domain/tax';

export type ScheduledChange = ScheduledTerms;

/** A subscription as billing uses it: its row, its plan's current price, and its workspace's grace days. */
export interface BilledSubscription extends LifecycleView {
  id: string;
  customerId: string;
  externalId: string;
  /** ISO 3166-1 alpha-2, from the customer's metadata (`country`), for tax; null if unknown. */
  customerCountry: string | null;
  planGroupId: string;
  planId: string;
  planSlug: string;
  seats: number;
  /** The price of the current period, per seat if `per_seat`; minor units. */
  unitAmount: bigint;
  currency: string;
  pricing: Pricing;
  /**
   * What the next renewal charges, minor units: the plan's current price, or its price at the boundary if the renewal
   * is overdue.
   */
  planUnitAmount: bigint;
  /** The tax of the current period. */
  tax: TaxSnapshot;
  startedAt: Instant;
  cancelAtPeriodEnd: boolean;
  /** When it ends, if the provider names an instant (`src/domain/pending-cancellation.ts`). */
  cancelAt: Instant | null;
  cancelledAt: Instant | null;
  /** Since when it was past due when it was cancelled; null if it was not. */
  unpaidSince?: Instant | null;
  scheduled: ScheduledChange | null;
  /** The connection that bills it, and the provider's id of it; null in local billing, or if unknown. */
  connectionId: string | null;
  providerReference: string | null;
  /** Whether that connection is disabled; false in local billing. */
  connectionDisabled: boolean;
  work: ProviderWork;
  /** The caller's labels, with provider A's marker (`nextCycleSync`). */
  metadata: Record<string, unknown>;
  /** The stored wake time; `wakeAt` computes what it should be. */
  nextWakeAt: Instant | null;
  version: bigint;
}

type InEvent = Pick<BilledSubscription, 'customerId' | 'externalId' | 'planId' | 'planSlug' | 'seats'> & {
  status: string;
};

/** Returns the subscription's fields for events and audit records about it. */
export function eventDataOf({ customerId, externalId, planId, planSlug: plan, seats, status }: InEvent) {
  return { customerId, externalId, planId, plan, seats, status };
}
