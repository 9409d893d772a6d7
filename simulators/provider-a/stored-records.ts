import type { Customer, Invoice, Metadata, Price, Subscription } from './billing-records';
import type {
  Charge,
  PaymentIntent,
  Refund,
  CheckoutSession,
  BalanceTransaction,
  Payout,
  Dispute,
} from './payment-records';

export interface Coupon {
  id: string;
  object: 'coupon';
  amount_off: number | null;
  created: number;
  currency: string | null;
  duration: 'forever' | 'once' | 'repeating';
  livemode: boolean;
  name: string | null;
  percent_off: number | null;
  valid: boolean;
}

interface Discount {
  id: string;
  object: 'discount';
  coupon: Coupon;
  end: number | null;
  start: number;
}

export interface WebhookEndpoint {
  id: string;
  object: 'webhook_endpoint';
  api_version: string | null;
  created: number;
  enabled_events: string[];
  livemode: boolean;
  metadata: Metadata;
  status: 'enabled' | 'disabled';
  url: string;
}

/** A schedule of a merchant that manages a subscription, as one that is made in the dashboard. */
export interface SubscriptionSchedule {
  id: string;
  object: 'subscription_schedule';
  created: number;
  customer: string;
  end_behavior: 'cancel' | 'release';
  livemode: boolean;
  released_subscription: string | null;
  status: 'active' | 'released';
  subscription: string | null;
}

export interface StoredEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: unknown; previous_attributes?: Record<string, unknown> };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null } | null;
  type: string;
}

export type Stored =
  | BalanceTransaction
  | Charge
  | CheckoutSession
  | Coupon
  | Customer
  | Discount
  | Dispute
  | Invoice
  | PaymentIntent
  | Payout
  | Price
  | Refund
  | Subscription
  | SubscriptionSchedule
  | WebhookEndpoint;
