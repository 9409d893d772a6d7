import type { Environment } from '../domain/environment';
import type { BillingAtProvider } from '../domain/drift-types';
import type { Instant } from '../domain/instant';
import type { RenewalInvoice } from '../domain/renewal-invoice';
import type { DisputeStatus } from '../domain/dispute';
import type { PaymentStatus } from '../domain/payment';
import type { RefundNeed, RefundStatus } from '../domain/refund';
import type { SubscriptionStatus } from '../domain/subscription-types';

/** The closed set of events that providers report. Unknown events, and events that say nothing new, are `ignored`. */
export type CanonicalEventType =
  | 'subscription.changed'
  | 'subscription.not_renewing'
  | 'subscription.ended'
  | 'invoice.paid'
  | 'invoice.failed'
  | 'payment.succeeded'
  | 'payment.failed'
  | 'refund.changed'
  | 'settlement.ready'
  | 'checkout.completed'
  | 'checkout.expired'
  | 'dispute.changed'
  | 'ignored';

/** The kind of object that a provider's identifier names. */
export type ReferenceKind =
  | 'subscription'
  | 'customer'
  | 'checkout'
  | 'order'
  | 'capture'
  | 'payment'
  | 'charge'
  | 'invoice'
  | 'refund'
  | 'payout'
  | 'dispute';

/** A webhook event in the service's own terms. It is a hint that something changed, not the latest state. */
export interface CanonicalEvent {
  type: CanonicalEventType;
  /** The provider's own name for the event. */
  eventType: string;
  /** The provider's event id, or a hash of the event's content where the provider has no event ids. */
  dedupeKey: string;
  occurredAt: Instant | null;
  /** Null when the event does not say. */
  environment: Environment | null;
  references: { kind: ReferenceKind; reference: string }[];
  /** The account at the provider that the event names; omitted if it names none. */
  account?: string;
  subscription?: SubscriptionFacts;
  payment?: PaymentFacts;
  refund?: RefundFacts;
  settlement?: SettlementFacts;
  dispute?: DisputeFacts;
}

/** A subscription in its state at the provider. Instants are epoch milliseconds. */
export interface SubscriptionFacts {
  reference: string;
  status: SubscriptionStatus;
  planReference: string | null;
  quantity: number | null;
  /** Present if it has several items and more than one, or none, is a plan of ours, so that it cannot be changed. */
  isAmbiguous?: true;
  currentPeriodStart: Instant | null;
  currentPeriodEnd: Instant | null;
  /** With `past_due`: payments were suspended, and none has failed. */
  isSuspended?: true;
  /** With `past_due`: it is paused, because a trial ended without a card or on request, so that no period has begun. */
  isPaused?: true;
  /** When the last payment failed, if it is no longer owed although nothing was paid. */
  forgivenAt?: Instant;
  /** With `cancelled`: the last of a limited number of periods was paid. It may still be running. */
  isCompleted?: true;
  /** Whether no period follows the current one, so that nothing more is charged. */
  cancelAtPeriodEnd: boolean;
  /** When it ends automatically; omitted by providers that name no instant. */
  cancelAt?: Instant | null;
  /** When it began; omitted by providers that report the start of every period. */
  beganAt?: Instant;
  customerReference: string | null;
  /** The charge per unit of its plan and period, minor units as text; omitted if the subscription does not say. */
  unitAmount?: string;
  /** The last payment that succeeded, minor units as text; omitted if the subscription does not say. */
  lastPayment?: { amount: string; at: Instant };
  /** The invoice of its last renewal; omitted if the subscription does not say, or has a later invoice. */
  renewalInvoice?: RenewalInvoice;
  /** What else it is billed by; present only when a repair has read it. */
  billing?: BillingAtProvider;
}

/** A payment, successful or not. `amount` is in our minor units of `currency` (ISO 4217, capital letters). */
export interface PaymentFacts {
  reference: string;
  kind: ReferenceKind;
  amount: bigint;
  currency: string;
  status: PaymentStatus;
  subscriptionReference: string | null;
  invoiceReference: string | null;
  /** When it was made, possibly before it was paid. */
  occurredAt: Instant | null;
  /** When it was paid; omitted if that is `occurredAt`, or unknown. */
  paidAt?: Instant;
  /** The workspace whose checkout it paid; omitted if the provider's payment does not say. */
  workspaceId?: string;
  /** The provider's plan that it is for; omitted if the provider's payment does not say. */
  planReference?: string;
  /** Our id of the one-time checkout that it paid, if the provider's payment carries it. */
  checkoutId?: string;
}

/** A refund of the payment that `of` names. `totalRefunded` is the payment's running total, if reported. */
export interface RefundFacts {
  reference: string | null;
  of: { kind: ReferenceKind; reference: string };
  amount: bigint;
  currency: string;
  status: RefundStatus;
  /** With `pending`: what has to be done before the provider continues. */
  needs?: RefundNeed;
  totalRefunded: bigint | null;
  /** When it was made, if the provider says so. */
  createdAt?: Instant | null;
  /** Our id of the refund, if the provider's carries it. */
  refundId?: string;
  /** The reference was generated here. A refund beyond what was paid was already reported under another reference. */
  isUnnamed?: true;
}

/** A payout of the provider to the merchant: `amount` arrives, `fees` were kept. */
export interface SettlementFacts {
  reference: string;
  /**
   * Set if `reference` is built here from day and currency, so that two accounts may share it: the same with the
   * account's number, for when another account's settlement has `reference`. Null if the number is unknown.
   */
  accountReference?: string | null;
  amount: bigint;
  currency: string;
  fees: bigint;
  periodStart: Instant | null;
  periodEnd: Instant | null;
  /** `paid` if the provider does not say. A `failed` settlement was returned, and its lines are paid out again. */
  status?: 'pending' | 'paid' | 'failed';
  /** All of its lines, if the provider names them: the amounts less the fees add up to `amount`. */
  lines?: SettlementLineFacts[];
}

/**
 * A line of a settlement, under a name that webhooks carry: a payment, a refund or a dispute. `other` is anything else
 * (an adjustment, a separate fee), under the provider's own name for it.
 */
export interface SettlementLineFacts {
  kind: ReferenceKind | 'other';
  reference: string;
  /** Before fees, in the settlement's currency; negative if money went back. */
  amount: bigint;
  fee: bigint;
}

/** A customer's dispute of the payment that `of` names, or that the event's references name. */
export interface DisputeFacts {
  reference: string;
  of: { kind: ReferenceKind; reference: string };
  amount: bigint;
  currency: string;
  /** `lost`: the money was taken. */
  status: DisputeStatus;
  /** When it was opened; null if the provider does not say. The report of its opening may be lost. */
  openedAt: Instant | null;
  /** The provider's own reason code. */
  reason: string | null;
  /** Whether the provider also reports a loss as a refund of the payment; the two are the same. */
  reportedAsRefund?: boolean;
}

/** A dispute from the provider's list, with every known reference to what it disputes. */
export interface ListedDispute {
  dispute: DisputeFacts;
  references: CanonicalEvent['references'];
}

/**
 * A payment that the provider has collected or failed to collect, with every name that webhooks give it. Includes its
 * refunds and disputes, as far as the provider's answer contains them. A payment of zero is a free period.
 */
export interface CollectedPayment {
  payment: PaymentFacts;
  references: CanonicalEvent['references'];
  refunds: RefundFacts[];
  disputes: ListedDispute[];
}

/** The bytes are not an event of this provider. */
export class MalformedEventError extends Error {
  override readonly name = 'MalformedEventError';
}
