import type {
  Charge,
  Customer,
  Invoice,
  Metadata,
  PaymentIntent,
  Price,
  Refund,
  Subscription,
} from './records';

export interface CheckoutSession {
  id: string;
  object: 'checkout.session';
  amount_total: number;
  cancel_url: string | null;
  client_reference_id: string | null;
  created: number;
  currency: string;
  customer: string | null;
  customer_email: string | null;
  expires_at: number;
  invoice: string | null;
  livemode: boolean;
  metadata: Metadata;
  mode: 'subscription' | 'payment';
  payment_intent: string | null;
  payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  status: 'open' | 'complete' | 'expired';
  subscription: string | null;
  success_url: string;
  ui_mode: 'hosted_page';
  /** Null once it is no longer open. */
  url: string | null;
}

export interface BalanceTransaction {
  id: string;
  object: 'balance_transaction';
  amount: number;
  available_on: number;
  created: number;
  currency: string;
  exchange_rate: null;
  fee: number;
  net: number;
  reporting_category: 'charge' | 'dispute' | 'payout' | 'refund' | 'refund_failure';
  source: string;
  status: 'pending' | 'available';
  /** A dispute takes and gives back by an `adjustment`. */
  type: 'adjustment' | 'charge' | 'payout' | 'refund' | 'refund_failure';
}

export interface Payout {
  id: string;
  object: 'payout';
  amount: number;
  arrival_date: number;
  automatic: boolean;
  balance_transaction: string | null;
  created: number;
  currency: string;
  livemode: boolean;
  metadata: Metadata;
  reconciliation_status: 'not_applicable' | 'in_progress' | 'completed';
  status: 'paid' | 'pending' | 'in_transit' | 'canceled' | 'failed';
}

export interface Dispute {
  id: string;
  object: 'dispute';
  amount: number;
  charge: string;
  created: number;
  currency: string;
  livemode: boolean;
  metadata: Metadata;
  payment_intent: string;
  reason: string;
  status: 'needs_response' | 'won' | 'lost';
}

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
  | WebhookEndpoint;
