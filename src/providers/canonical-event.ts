import type { Environment } from '../domain/environment';
import type { BillingAtProvider } from '../domain/drift-types';
import type { Instant } from '../domain/instant';

/** The closed set of things that providers tell. What is not known, or says nothing new, is `ignored`. */
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

/** What a provider's identifier names. */
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

/** A webhook's event in the service's own words. It is a hint that something changed, not the latest state. */
export interface CanonicalEvent {
  type: CanonicalEventType;
  /** The provider's own name of the event. */
  eventType: string;
  /** The provider's event id, or where it has none, a hash of what the event says. */
  dedupeKey: string;
  occurredAt: Instant | null;
  /** Null when the event does not say. */
  environment: Environment | null;
  references: { kind: ReferenceKind; reference: string }[];
  /** The account at the provider that the event names; left out where it names none. */
  account?: string;
  subscription?: SubscriptionFacts;
  payment?: PaymentFacts;
  refund?: RefundFacts;
  settlement?: SettlementFacts;
  dispute?: DisputeFacts;
}

/** A subscription as the provider has it. Instants are epoch milliseconds. */
export interface SubscriptionFacts {
  reference: string;
  status: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired';
  planReference: string | null;
  quantity: number | null;
  currentPeriodStart: Instant | null;
  currentPeriodEnd: Instant | null;
  /** Whether nothing more is charged: no period follows the current one. */
  cancelAtPeriodEnd: boolean;
  /** When it ends by itself; left out by providers that name no instant. */
  cancelAt?: Instant | null;
  customerReference: string | null;
  /** What one of its plan is charged in each period, minor units as text; left out where the subscription does not say. */
  unitAmount?: string;
  /** The last payment that succeeded, minor units as text; left out where the subscription does not say. */
  lastPayment?: { amount: string; at: Instant };
  /** What else it is billed by; only where a repair has read it. */
  billing?: BillingAtProvider;
}

/** Money that moved, or did not. `amount` is in our minor units of `currency` (ISO 4217, capital letters). */
export interface PaymentFacts {
  reference: string;
  kind: ReferenceKind;
  amount: bigint;
  currency: string;
  status: 'pending' | 'succeeded' | 'failed';
  subscriptionReference: string | null;
  invoiceReference: string | null;
  occurredAt: Instant | null;
}

/** A refund of the payment that `of` names. `totalRefunded` is the payment's running total, where the provider says it. */
export interface RefundFacts {
  reference: string | null;
  of: { kind: ReferenceKind; reference: string };
  amount: bigint;
  currency: string;
  status: 'pending' | 'succeeded' | 'failed';
  totalRefunded: bigint | null;
  /** When it was made, where the provider says so. */
  createdAt?: Instant | null;
  /** Its reference was made here: told under another one, beyond what was paid, it is the same. */
  isUnnamed?: true;
}

/** A payout of the provider to the merchant: `amount` arrives, `fees` were kept. */
export interface SettlementFacts {
  reference: string;
  amount: bigint;
  currency: string;
  fees: bigint;
  periodStart: Instant | null;
  periodEnd: Instant | null;
  /** Paid, where the provider does not say. One that `failed` has come back, and its lines are paid out again. */
  status?: 'pending' | 'paid' | 'failed';
  /** All that it consists of, where the provider names it: the amounts less the fees come to `amount`. */
  lines?: SettlementLineFacts[];
}

/**
 * A line of a settlement, by a name that webhooks carry: of a payment, a refund or a dispute. `other` is what is none
 * of these (an adjustment, a fee of its own), with whatever the provider calls it.
 */
export interface SettlementLineFacts {
  kind: ReferenceKind | 'other';
  reference: string;
  /** Before fees, in the settlement's currency; below zero where money went back. */
  amount: bigint;
  fee: bigint;
}

/** A payment that its customer disputes: of the payment that `of` names, or that the event's references name. */
export interface DisputeFacts {
  reference: string;
  of: { kind: ReferenceKind; reference: string };
  amount: bigint;
  currency: string;
  /** `lost`: the money was taken. */
  status: 'open' | 'won' | 'lost';
  /** The provider's word for it. */
  reason: string | null;
  /** Whether the provider also tells of a loss by a refund of the payment: the two are one. */
  reportedAsRefund?: boolean;
}

/** A dispute as it is listed, with when it was opened and all that it is known to be of. */
export interface ListedDispute {
  dispute: DisputeFacts;
  openedAt: Instant | null;
  references: CanonicalEvent['references'];
}

/**
 * A payment that the provider has collected, or failed to, with every name that webhooks give it, and what of it went
 * back or is disputed, as far as the provider's answer says so. A payment of nothing is a period that was free.
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
