import type { ScheduledTerms } from './change-types';
import type { Instant } from './instant';
import type { ProvidedView, ProviderFacts } from './provider-facts';
import type { ProviderWork, RequestedTerms } from './provider-work';
import type { Pricing } from './subscription-types';

/** A subscription as its provider has it, with what it is billed for. */
export interface BilledFacts extends ProviderFacts {
  /** The provider's name of the plan. */
  planReference: string | null;
  quantity: number | null;
  /** What is charged for one of them in each period, minor units as text; left out where the subscription does not say. */
  unitAmount?: string;
  /**
   * The last payment that succeeded, minor units as text; left out where the subscription does not say. `before`: what
   * the period of now was charged, as recorded here; left out where that is not known.
   */
  lastPayment?: { amount: string; at: Instant; before?: string };
}

/** What reconciliation reads and changes of a subscription; a `BilledSubscription` is one. */
export interface ReconciledView extends ProvidedView {
  planId: string;
  planSlug: string;
  seats: number;
  unitAmount: bigint;
  pricing: Pricing;
  planUnitAmount: bigint;
  scheduled: ScheduledTerms | null;
  work: ProviderWork;
}

/**
 * A consequence of the facts. `approved`: the customer confirmed the requested change; `approved_late`: confirmed one
 * that had been dropped; `applied`: the renewal brought the scheduled change; `unprepared`: the renewal came before the
 * provider had the change; `undone`: the renewal came, and the provider no longer shows the confirmed change.
 */
export type Consequence =
  | { kind: 'approved' | 'approved_late'; terms: RequestedTerms }
  | { kind: 'applied' | 'unprepared' | 'undone'; terms: ScheduledTerms };
