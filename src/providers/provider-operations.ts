import type { Instant } from '../domain/instant';
import type { PriceAtProvider } from '../domain/plan-price-comparison';
import type {
  PaymentFacts,
  ReferenceKind,
  RefundFacts,
  SettlementFacts,
  SubscriptionFacts,
} from './canonical-event';
import type { ConnectionAccess } from './connection-access';
import type { Outcome } from './outcome';

/** Identity of one sending of an operation. */
export interface Sending {
  /** At most 64 characters of `[A-Za-z0-9_-]`, and the same at every sending of an operation, to have one effect. */
  key: string;
  /**
   * Whether it may have been sent before. If so, a target state that already exists is answered as `done`. A provider
   * without keys of its own is asked for the current state before anything is sent again.
   */
  repeated: boolean;
}

/** A provider's name for one object. */
export interface ProviderReference {
  kind: ReferenceKind;
  reference: string;
}

/** The offer made to a customer on the provider's page. Money is in our minor units. */
export interface CheckoutRequest extends Sending {
  /** Our id of the checkout, which the provider returns in its events. */
  checkoutId: string;
  /** The checkout's, for a provider whose account may be shared: its customers are those of every workspace. */
  workspaceId: string;
  customer: {
    /** Our id. */
    customerId: string;
    /** The provider's, if known. */
    reference: string | null;
    email: string | null;
    name: string | null;
  };
  offer:
    | {
        kind: 'subscription';
        subscriptionId: string;
        planReference: string;
        quantity: number;
        /** The price of one period, for providers that need an amount in addition to the plan. */
        amount: bigint;
        currency: string;
        /** Days of trial before the first charge; omitted or 0 without a trial. */
        trialDays?: number;
      }
    | { kind: 'payment'; amount: bigint; currency: string; description: string };
  /** Where the provider sends the customer afterwards; https or loopback. */
  successUrl: string;
  cancelUrl: string;
  /** The provider's time, for providers whose pages expire. */
  expiresAt: Instant;
}

/** The page for the customer, and every name by which the provider will refer to the checkout. */
export interface CheckoutCreated {
  url: string;
  /** The first one is passed to `fetchCheckout`. */
  references: [ProviderReference, ...ProviderReference[]];
}

/**
 * A checkout in its state at the provider. `approved`: the customer has agreed, and the money is ours to capture.
 * References name its results, including the subscription and the payment.
 */
export interface CheckoutFacts {
  status: 'open' | 'approved' | 'complete' | 'expired';
  references: ProviderReference[];
  subscriptionReference: string | null;
  customerReference: string | null;
  payment: PaymentFacts | null;
}

/** A change of plan or quantity. `quantity` and `planReference` are the target state, not a difference. */
export interface ChangeRequest extends Sending {
  /** The provider's subscription. */
  reference: string;
  planReference: string;
  quantity: number;
  /** `invoice_now`: the rest of the period is charged at once, or nothing changes. `none`: charged next period. */
  proration: 'invoice_now' | 'none';
  /**
   * Only the quantity changes, so A keeps the price that it bills if that price is no plan's of the connection, or has
   * `unitAmount`. B and C charge nothing before the next period and ignore this.
   */
  keepsPrice?: boolean | undefined;
  /** The price that the subscription has here, in minor units as text. */
  unitAmount?: string | undefined;
  /**
   * Keys of earlier changes whose outcome is unknown: if A receives them later, they change nothing. Others
   * ignore this.
   */
  supersedes?: readonly string[] | undefined;
  /** Whether one of those keys that was used otherwise already is left as it is: a later change may have taken it. */
  yields?: boolean | undefined;
  /** Where a customer that has to approve is sent afterwards. */
  returnUrl: string;
  cancelUrl: string;
}

/** Stops or resumes a subscription's renewal, or ends the subscription, as the provider supports it. */
export interface SubscriptionRequest extends Sending {
  reference: string;
  /** For the provider's records, at most 128 characters. */
  reason: string;
}

/** A refund of the payment that `payment` names. */
export interface RefundRequest extends Sending {
  payment: ProviderReference;
  /** Minor units. */
  amount: bigint;
  currency: string;
  /** Our refund's id, which the provider stores with the refund. */
  refundId: string;
}

/** Settlements whose payout is in `[from, to)`. */
export interface SettlementRange {
  from: Instant;
  to: Instant;
}

/**
 * The operations of a provider. None of them throws for an answer of the provider. A refusal is `declined` with a
 * reason that a customer may read. An operation that the provider lacks is `unsupported`. `unknown` may have taken
 * effect and is asked again with `repeated`. `customer_action` changes nothing until the customer acts.
 */
export interface ProviderOperations {
  createCheckout(access: ConnectionAccess, request: CheckoutRequest): Promise<Outcome<CheckoutCreated>>;
  /** Fetches the price of a plan reference at the provider. */
  fetchPlanPrice(access: ConnectionAccess, planReference: string): Promise<Outcome<PriceAtProvider>>;
  /** Takes the first reference of `CheckoutCreated`. */
  fetchCheckout(access: ConnectionAccess, reference: ProviderReference): Promise<Outcome<CheckoutFacts>>;
  /**
   * Ends an unpaid checkout if the provider can; B and C leave the page open, so that it may still be paid. Also `done`
   * if it had already ended; `declined` with `checkout_complete` if it is paid. Repeating it has no further
   * effect, so it takes no key.
   */
  expireCheckout(access: ConnectionAccess, reference: ProviderReference): Promise<Outcome<null>>;
  /** Captures the money of a checkout that is `approved`. */
  captureCheckout(
    access: ConnectionAccess,
    reference: ProviderReference,
    sending: Sending,
  ): Promise<Outcome<CheckoutFacts>>;
  /**
   * Changes a subscription. `done`: returns the subscription after the change. `pending`: the provider has accepted the
   * change, but its subscription does not show it yet. `customer_action`: unchanged until the customer approves at
   * `approvalUrl`.
   */
  changeSubscription(access: ConnectionAccess, request: ChangeRequest): Promise<Outcome<SubscriptionFacts>>;
  cancelSubscription(
    access: ConnectionAccess,
    request: SubscriptionRequest,
  ): Promise<Outcome<SubscriptionFacts>>;
  reactivateSubscription(
    access: ConnectionAccess,
    request: SubscriptionRequest,
  ): Promise<Outcome<SubscriptionFacts>>;
  refundPayment(access: ConnectionAccess, request: RefundRequest): Promise<Outcome<RefundFacts>>;
  /** Lists the settlements in a range; `unsupported` if the provider's webhooks report each settlement. */
  listSettlements(access: ConnectionAccess, range: SettlementRange): Promise<Outcome<SettlementFacts[]>>;
}
