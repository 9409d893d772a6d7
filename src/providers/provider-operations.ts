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

/** What makes one sending of an operation the same as another. */
export interface Sending {
  /** At most 64 characters of `[A-Za-z0-9_-]`, and the same at every sending of one operation: it has one effect. */
  key: string;
  /**
   * Whether it may have been sent before. Then what is so already is answered as `done`; where the provider has no
   * keys of its own, it is asked what is so before anything is sent again.
   */
  repeated: boolean;
}

/** A provider's name of one thing. */
export interface ProviderReference {
  kind: ReferenceKind;
  reference: string;
}

/** What a customer is offered at the provider's page. Money in minor units of our tables. */
export interface CheckoutRequest extends Sending {
  /** Our id of it, which the provider hands back with what it tells. */
  checkoutId: string;
  customer: {
    /** Ours. */
    customerId: string;
    /** The provider's, where it is known. */
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
        /** The price of one period, for providers that ask for an amount besides the plan. */
        amount: bigint;
        currency: string;
        /** Days of trial before the first charge; left out and 0 without one. */
        trialDays?: number;
      }
    | { kind: 'payment'; amount: bigint; currency: string; description: string };
  /** Where the provider sends the customer afterwards; https or loopback. */
  successUrl: string;
  cancelUrl: string;
  /** The provider's time, for providers whose pages expire. */
  expiresAt: Instant;
}

/** Where the customer goes, and every name by which the provider will speak of it. */
export interface CheckoutCreated {
  url: string;
  /** The first one is what `fetchCheckout` takes. */
  references: [ProviderReference, ...ProviderReference[]];
}

/**
 * A checkout as the provider has it. `approved`: the customer has agreed, and the money is ours to capture.
 * References name what came of it, the subscription and the payment included.
 */
export interface CheckoutFacts {
  status: 'open' | 'approved' | 'complete' | 'expired';
  references: ProviderReference[];
  subscriptionReference: string | null;
  customerReference: string | null;
  payment: PaymentFacts | null;
}

/** Another plan or quantity. `quantity` and `planReference` are what is to be, whatever was before. */
export interface ChangeRequest extends Sending {
  /** The provider's subscription. */
  reference: string;
  planReference: string;
  quantity: number;
  /** `invoice_now`: the rest of the period is charged at once, or nothing changes. `none`: the price of the next period. */
  proration: 'invoice_now' | 'none';
  /**
   * The plan stays, and only its quantity changes: a price that is no plan of the connection any more, but is what the
   * subscription is billed by, is left as it is. B and C charge nothing before the next period, and do not read it.
   */
  keepsPrice?: boolean | undefined;
  /** Where a customer who has to approve is sent afterwards. */
  returnUrl: string;
  cancelUrl: string;
}

/** Stops or resumes a subscription's renewal, or ends the subscription, as the provider supports it. */
export interface SubscriptionRequest extends Sending {
  reference: string;
  /** For the provider's records, at most 128 characters. */
  reason: string;
}

/** Money that goes back, of the payment that `payment` names. */
export interface RefundRequest extends Sending {
  payment: ProviderReference;
  /** Minor units. */
  amount: bigint;
  currency: string;
  /** Our refund's id, which the provider keeps with it. */
  refundId: string;
}

/** Settlements whose payout lies in `[from, to)`. */
export interface SettlementRange {
  from: Instant;
  to: Instant;
}

/**
 * What a provider is asked to do. Nothing here throws for what a provider may answer: a refusal is `declined` with a
 * reason that a customer may read, what the provider has no way to do is `unsupported`, and `unknown` is what may have
 * happened and is asked again with `repeated`. `customer_action` leaves everything as it is until the customer acts.
 */
export interface ProviderOperations {
  createCheckout(access: ConnectionAccess, request: CheckoutRequest): Promise<Outcome<CheckoutCreated>>;
  /** The price under a plan's name at the provider. */
  fetchPlanPrice(access: ConnectionAccess, planReference: string): Promise<Outcome<PriceAtProvider>>;
  /** Takes the first reference of `CheckoutCreated`. */
  fetchCheckout(access: ConnectionAccess, reference: ProviderReference): Promise<Outcome<CheckoutFacts>>;
  /**
   * Ends an unpaid checkout, where the provider can: B and C leave the page as it is, so that it may still be paid.
   * `done` also where it was over already; `declined` with `checkout_complete` where it is paid.
   */
  expireCheckout(
    access: ConnectionAccess,
    reference: ProviderReference,
    sending: Sending,
  ): Promise<Outcome<null>>;
  /** Takes the money of a checkout that is `approved`. */
  captureCheckout(
    access: ConnectionAccess,
    reference: ProviderReference,
    sending: Sending,
  ): Promise<Outcome<CheckoutFacts>>;
  /**
   * `done` with the subscription after the change. `pending`: the provider has taken it and its subscription does not
   * show it yet. `customer_action`: unchanged until the customer has approved at `approvalUrl`.
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
  /** `unsupported` where the provider's webhooks tell of each settlement. */
  listSettlements(access: ConnectionAccess, range: SettlementRange): Promise<Outcome<SettlementFacts[]>>;
}
