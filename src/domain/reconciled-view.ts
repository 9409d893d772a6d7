import type { RenewalInvoice } from './renewal-invoice';
import type { ScheduledTerms } from './change-types';
import type { Instant } from './instant';
import type { ProvidedView, ProviderFacts } from './provider-facts';
import type { ProviderWork, RequestedTerms } from './provider-work';
import type { Pricing } from './subscription-types';

/** A subscription as its provider reports it, with what it is billed for. */
export interface BilledFacts extends ProviderFacts {
  /** The provider's reference of the plan. */
  planReference: string | null;
  quantity: number | null;
  /** Amount charged per unit in each period, in minor units as text; omitted if the subscription does not report it. */
  unitAmount?: string;
  /**
   * The last payment that succeeded, in minor units as text; omitted if the subscription does not report it. `before`:
   * what the current period was charged, as recorded here; omitted if unknown.
   */
  lastPayment?: { amount: string; at: Instant; before?: string };
  /** The invoice of the last renewal; omitted if the subscription does not report it, or has a later invoice. */
  renewalInvoice?: RenewalInvoice;
}

/** The fields of a subscription that reconciliation reads and changes. A `BilledSubscription` satisfies it. */
export interface ReconciledView extends ProvidedView {
  planId: string;
  planSlug: string;
  seats: number;
  currency: string;
  unitAmount: bigint;
  pricing: Pricing;
  planUnitAmount: bigint;
  scheduled: ScheduledTerms | null;
  work: ProviderWork;
}

/**
 * A consequence of the facts. `approved`: the customer confirmed the requested change; `approved_late`: confirmed a
 * request that had been dropped; `applied`: the renewal brought the scheduled change; `unprepared`: the renewal came
 * before the provider had the change; `undone`: the renewal came, and the provider no longer shows the change that it
 * had; `withdrawn`: the subscription ended before its scheduled or requested change.
 */
export type Consequence =
  | { kind: 'approved' | 'approved_late'; terms: RequestedTerms }
  | { kind: 'applied' | 'unprepared' | 'undone'; terms: ScheduledTerms }
  | { kind: 'withdrawn'; terms: ScheduledTerms | RequestedTerms };
