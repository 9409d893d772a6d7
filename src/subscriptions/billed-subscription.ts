import type { ScheduledTerms } from '../domain/change-types';
import type { Instant } from '../domain/instant';
import type { LifecycleView } from '../domain/lifecycle';
import type { ProviderWork } from '../domain/provider-work';
import type { Pricing } from '../domain/subscription-types';
import type { TaxSnapshot } from '../domain/tax';

export type ScheduledChange = ScheduledTerms;

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
  /** What the next renewal charges, minor units: what the plan costs now; where that is overdue, what it cost then. */
  planUnitAmount: bigint;
  /** The tax of the current period. */
  tax: TaxSnapshot;
  startedAt: Instant;
  cancelAtPeriodEnd: boolean;
  /** When it ends, where the provider names an instant (`src/domain/pending-cancellation.ts`). */
  cancelAt: Instant | null;
  cancelledAt: Instant | null;
  scheduled: ScheduledChange | null;
  /** The connection that bills it, and the provider's name of it; null in local billing, and where it is not known. */
  connectionId: string | null;
  providerReference: string | null;
  /** Whether that connection is disabled; false in local billing. */
  connectionDisabled: boolean;
  work: ProviderWork;
  /** The caller's labels, and provider A's marker (`nextCycleSync`) among them. */
  metadata: Record<string, unknown>;
  /** When the row says that it wakes; `wakeAt` says when it should. */
  nextWakeAt: Instant | null;
  version: bigint;
}

type InEvent = Pick<BilledSubscription, 'customerId' | 'externalId' | 'planId' | 'planSlug' | 'seats'> & {
  status: string;
};

/** What each event and audit record about a subscription says of it. */
export function eventDataOf({ customerId, externalId, planId, planSlug: plan, seats, status }: InEvent) {
  return { customerId, externalId, planId, plan, seats, status };
}
