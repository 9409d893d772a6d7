import type { Environment } from '../domain/environment';
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
  | 'payout';

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
  subscription?: SubscriptionFacts;
  payment?: PaymentFacts;
  refund?: RefundFacts;
  settlement?: SettlementFacts;
}

/** A subscription as the provider has it. Instants are epoch milliseconds. */
export interface SubscriptionFacts {
  reference: string;
  status: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired';
  planReference: string | null;
  quantity: number | null;
  currentPeriodStart: Instant | null;
  currentPeriodEnd: Instant | null;
  cancelAtPeriodEnd: boolean;
  customerReference: string | null;
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
}

/** A payout of the provider to the merchant: `amount` arrives, `fees` were kept. */
export interface SettlementFacts {
  reference: string;
  amount: bigint;
  currency: string;
  fees: bigint;
  periodStart: Instant | null;
  periodEnd: Instant | null;
}

/** The bytes are not an event of this provider. */
export class MalformedEventError extends Error {
  override readonly name = 'MalformedEventError';
}
