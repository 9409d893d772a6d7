import type { NamedCall } from '../core/named-call';
import type { SimulatorCore } from '../core/types';
import type { Amount } from './amounts';
import type { Signer } from './transmission';

export interface Plan {
  id: string;
  productId: string;
  name: string;
  status: 'CREATED' | 'ACTIVE' | 'INACTIVE';
  price: Amount;
  /** Former prices, the latest last, with the time at which each was replaced. */
  formerPrices?: { price: Amount; until: number }[];
  interval: { unit: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'; count: number };
  quantitySupported: boolean;
  /** 0: no limit. */
  totalCycles: number;
  /** How many payments may fail in a row before the subscription is suspended; 0: any number. */
  failureThreshold?: number | undefined;
  /** Whether the next payment also charges what earlier ones have failed to; by default it does. */
  billsOutstanding?: boolean | undefined;
  /** Charged with the first payment. */
  setupFee?: Amount | undefined;
  /** A cycle before the regular ones; its price is only displayed, not charged. */
  trial?: { days: number; price?: Amount | undefined } | undefined;
  /** A price that depends on the quantity; only displayed, because the price is charged per unit. */
  pricingModel?: 'TIERED' | 'VOLUME' | undefined;
  taxes?: { percentage: string; inclusive: boolean } | undefined;
}

export interface PurchaseUnit {
  referenceId: string;
  customId: string | undefined;
  invoiceId: string | undefined;
  description: string | undefined;
  amount: Amount;
}

/** How the payer pays: at once, by a cheque that clears days later, or with a card that is declined at the capture. */
export type Instrument = 'wallet' | 'echeck' | 'slow_echeck' | 'declined_card';

export interface Order {
  id: string;
  status: 'CREATED' | 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED';
  units: PurchaseUnit[];
  instrument: Instrument;
  payerId: string | null;
  createdAt: number;
  returnUrl: string | undefined;
  cancelUrl: string | undefined;
  hasPaymentSource: boolean;
  captures: Capture[];
}

export interface Capture {
  id: string;
  orderId: string;
  status: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'REFUNDED';
  unit: PurchaseUnit;
  fee: bigint;
  createdAt: number;
  updatedAt: number;
  refunded: bigint;
}

export interface Refund {
  id: string;
  capture: Capture;
  amount: Amount;
  totalRefunded: bigint;
  createdAt: number;
  customId: string | undefined;
  invoiceId: string | undefined;
  note: string | undefined;
}

export interface Revision {
  token: string;
  planId: string;
  quantity: number | undefined;
  returnUrl: string | undefined;
  cancelUrl: string | undefined;
}

export interface Subscription {
  id: string;
  status: 'APPROVAL_PENDING' | 'ACTIVE' | 'SUSPENDED' | 'CANCELLED' | 'EXPIRED';
  token: string;
  planId: string;
  quantity: number | undefined;
  customId: string | undefined;
  email: string | undefined;
  payerId: string | null;
  /** Whether a revision needs the payer's consent: a wallet does, a card does not. */
  funding: 'wallet' | 'card';
  createdAt: number;
  updatedAt: number;
  startTime: number;
  nextBillingTime: number | null;
  cyclesCompleted: number;
  /** Payments that failed in a row, each with all of its retries. */
  failedPayments: number;
  /** How often the payment that is due has been tried without success. */
  attempts?: number;
  /** What failed payments were for and is still unpaid, in minor units. */
  outstanding?: bigint;
  lastPayment: { amount: Amount; at: number } | null;
  lastFailure?: { amount: Amount; at: number; retryAt: number | null };
  returnUrl: string | undefined;
  cancelUrl: string | undefined;
  revision: Revision | null;
  due: { cancel(): void } | null;
}

export interface Sale {
  id: string;
  subscriptionId: string;
  amount: Amount;
  fee: bigint;
  createdAt: number;
  refunded: bigint;
  /** Absent once it is paid. */
  state?: 'pending' | 'denied';
}

export interface SaleRefund {
  id: string;
  sale: Sale;
  amount: Amount;
  totalRefunded: bigint;
  invoiceId: string | undefined;
  createdAt: number;
}

/** A payer's dispute of a subscription payment. */
export interface Dispute {
  id: string;
  sale: Sale;
  openedAt: number;
  updatedAt: number;
  outcome: 'won' | 'lost' | null;
  /** The amount returned to the payer, in minor units: the part not refunded before. Omitted unless it was lost. */
  taken?: bigint;
}

/** A line of the transactions report. */
export interface LedgerLine {
  id: string;
  /** `T1107`: refunded; `T1106`: reversed. */
  code: 'T0006' | 'T0002' | 'T1106' | 'T1107';
  referenceId: string | undefined;
  amount: Amount;
  fee: bigint;
  at: number;
  /** `P`: not cleared yet; `D`: denied; `V`: paid, and fully refunded since. */
  status: 'P' | 'D' | 'S' | 'V';
  customId: string | undefined;
  invoiceId: string | undefined;
}

export interface Webhook {
  id: string;
  url: string;
  /** `*` means all. */
  eventTypes: readonly string[];
}

/** Switches of one account, which tests and people may set at any time. */
export interface AccountSwitches {
  /** Payments of subscriptions fail from now on. */
  failPayments: boolean;
  /** Payments of subscriptions are made by cheques from now on, which are pending until the banks answer. */
  payByCheque?: boolean;
  /** Refund events also name the capture in `related_ids`; by default only their `up` link does. */
  relatedCaptureId: boolean;
}

/** One merchant's app: its client, webhooks, and everything created with it. */
export interface Account {
  clientId: string;
  clientSecret: string;
  merchantId: string;
  environment: 'sandbox' | 'live';
  switches: AccountSwitches;
  webhooks: Webhook[];
  /** Access tokens with their expiry in real time. */
  tokens: Map<string, number>;
  requests: Map<string, { fingerprint: string; until: number; render: NamedCall<unknown> }>;
  plans: Map<string, Plan>;
  orders: Map<string, Order>;
  captures: Map<string, Capture>;
  refunds: Map<string, Refund>;
  subscriptions: Map<string, Subscription>;
  sales: Map<string, Sale>;
  saleRefunds: Map<string, SaleRefund>;
  disputes: Map<string, Dispute>;
  ledger: LedgerLine[];
}

/** State shared by the routes. */
export interface Simulation {
  core: SimulatorCore;
  accounts: Map<string, Account>;
  signer: Signer;
}
