/** The objects of provider A in its API's format: amounts in its minor units, times in whole seconds. */
export type Metadata = Record<string, string>;

/**
 * How a customer's card behaves when it is charged; `pends`: it is a bank account, and the bank answers days later;
 * `is_removed`: there is none.
 */
export type Card =
  | 'pays'
  | 'declines'
  | 'has_insufficient_funds'
  | 'requires_authentication'
  | 'pends'
  | 'is_removed';

export interface Price {
  id: string;
  object: 'price';
  active: boolean;
  billing_scheme?: 'per_unit' | 'tiered';
  created: number;
  currency: string;
  /** Amounts in further currencies. Only returned if requested with `expand`. */
  currency_options?: Record<string, { unit_amount: number }> | undefined;
  livemode: boolean;
  lookup_key?: string | null;
  metadata: Metadata;
  nickname?: string | null;
  product: string;
  recurring: {
    interval: 'day' | 'week' | 'month' | 'year';
    interval_count: number;
    meter?: string | null;
    usage_type: 'licensed' | 'metered';
  } | null;
  tax_behavior?: 'inclusive' | 'exclusive' | 'unspecified';
  /** Only returned if requested with `expand`. */
  tiers?: { flat_amount: number | null; unit_amount: number | null; up_to: number | null }[];
  tiers_mode?: 'graduated' | 'volume' | null;
  transform_quantity?: { divide_by: number; round: 'up' | 'down' } | null;
  type: 'recurring' | 'one_time';
  /** Null if the price is a fraction of a unit, or tiered. */
  unit_amount: number | null;
  unit_amount_decimal?: string | null;
}

export interface Customer {
  id: string;
  object: 'customer';
  balance: number;
  created: number;
  /** Set once it was deleted; then nothing else is shown of it. */
  deleted?: true;
  email: string | null;
  livemode: boolean;
  metadata: Metadata;
  name?: string | null;
  phone?: string | null;
}

export interface SubscriptionItem {
  id: string;
  object: 'subscription_item';
  created: number;
  current_period_start: number;
  current_period_end: number;
  metadata: Metadata;
  price: Price;
  quantity: number;
  subscription: string;
}

/** Whether an invoice is charged to the card, or sent to the customer to be paid until its due date. */
export type CollectionMethod = 'charge_automatically' | 'send_invoice';

interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

export interface Subscription {
  id: string;
  object: 'subscription';
  billing_cycle_anchor: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  cancellation_details: { comment: string | null; feedback: string | null };
  collection_method: CollectionMethod;
  created: number;
  currency: string;
  customer: string;
  /** Of an invoice that is sent to be paid. */
  days_until_due?: number | null;
  /** The ids of discounts. */
  discounts?: string[];
  ended_at: number | null;
  items: List<SubscriptionItem>;
  latest_invoice: string | null;
  livemode: boolean;
  metadata: Metadata;
  pause_collection?: {
    behavior: 'keep_as_draft' | 'mark_uncollectible' | 'void';
    resumes_at: number | null;
  } | null;
  pending_update: null;
  /** The schedule that manages it. */
  schedule?: string | null;
  start_date: number;
  status:
    | 'incomplete'
    | 'incomplete_expired'
    | 'trialing'
    | 'active'
    | 'past_due'
    | 'canceled'
    | 'unpaid'
    | 'paused';
  /** Why it is paused, since API version 2026-09-30. */
  status_details?: {
    paused: {
      subscription: { type: 'pause_requested' | 'trial_end_without_payment_method' };
      transitioned_at: number;
      type: 'subscription';
    };
  };
  trial_end: number | null;
  /** What happens at the end of its trial if there is no card by then; omitted: an invoice, which is not paid. */
  trial_settings?: TrialSettings | undefined;
  trial_start: number | null;
}

interface TrialSettings {
  end_behavior: { missing_payment_method: 'cancel' | 'create_invoice' | 'pause' };
}

export interface InvoiceLine {
  id: string;
  object: 'line_item';
  amount: number;
  currency: string;
  description: string;
  period: { start: number; end: number };
  proration: boolean;
  quantity: number;
}

interface InvoicePayment {
  id: string;
  object: 'invoice_payment';
  amount_paid: number | null;
  amount_requested: number;
  currency: string;
  invoice: string;
  is_default: boolean;
  livemode: boolean;
  payment: { type: 'payment_intent'; payment_intent: string };
  status: 'open' | 'paid' | 'canceled';
  status_transitions: StatusTransitions;
}

interface StatusTransitions {
  paid_at: number | null;
}

export type BillingReason = 'subscription_create' | 'subscription_cycle' | 'subscription_update';

export interface Invoice {
  id: string;
  object: 'invoice';
  amount_due: number;
  amount_paid: number;
  amount_remaining: number;
  attempt_count: number;
  attempted: boolean;
  /** Omitted by invoices that were never drafts. */
  auto_advance?: boolean;
  automatically_finalizes_at?: number | null;
  billing_reason: BillingReason;
  collection_method?: CollectionMethod;
  created: number;
  currency: string;
  customer: string;
  /** Of an invoice that is sent to be paid. */
  due_date?: number | null;
  lines: List<InvoiceLine>;
  livemode: boolean;
  metadata: Metadata;
  next_payment_attempt: number | null;
  parent: {
    type: 'subscription_details';
    subscription_details: { metadata: Metadata; subscription: string };
  };
  /** Only returned if requested with `expand`. */
  payments: List<InvoicePayment>;
  period_start: number;
  period_end: number;
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  /** Why it is uncollectible, since API version 2026-09-30. */
  status_details?: {
    uncollectible: { reason: 'max_payment_attempts' | 'subscription_paused' | 'user_forgiven' };
  };
  status_transitions: StatusTransitions;
  total: number;
}
