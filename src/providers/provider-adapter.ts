import type { BillingAtProvider } from '../domain/drift-types';
import type { Instant } from '../domain/instant';
import type { PaymentProvider } from '../domain/provider';
import type {
  CanonicalEvent,
  CollectedPayment,
  ListedDispute,
  PaymentFacts,
  ReferenceKind,
  RefundFacts,
  SettlementFacts,
  SubscriptionFacts,
} from './canonical-event';
import type { ConnectionAccess } from './connection-access';
import type { Outcome } from './outcome';
import type { ProviderOperations, ProviderReference } from './provider-operations';

/** A subscription, and what it is billed by. */
export interface BilledSubscriptionFacts {
  facts: SubscriptionFacts;
  billing: BillingAtProvider;
}

/** One result of "Test connection", in words an operator can act on. */
export interface ConnectionCheck {
  check: 'authentication' | 'webhook' | 'plan_references' | 'mode';
  ok: boolean;
  message: string;
}

/**
 * `unavailable`: the provider could not be asked, which fails closed. `incomplete`: the connection lacks what
 * verification needs, and no call was made.
 */
export type WebhookVerdict = 'valid' | 'invalid' | 'unavailable' | 'incomplete';

/** What each of the providers A, B and C implements. */
export interface ProviderAdapter extends ProviderOperations {
  readonly provider: PaymentProvider;
  /** Authentication, the webhook's registration, whether plan references resolve, and whether the mode matches. */
  testConnection(access: ConnectionAccess): Promise<ConnectionCheck[]>;
  /**
   * Whether these bytes came from the provider for this connection. Works on bytes, before any parsing.
   *
   * @param rawHeaders names and values by turns, as they came: a doubled header shows only here
   * @param now real time
   */
  verifyWebhook(
    access: ConnectionAccess,
    raw: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
    rawHeaders: readonly string[],
    now: Instant,
  ): Promise<WebhookVerdict>;
  /**
   * What the bytes say, in the service's words. Pure and total: what is not known is `ignored`. Before the signature
   * is verified its references serve to find the connection, and are never trusted.
   *
   * @throws MalformedEventError when the bytes are no event
   */
  readEvent(raw: Buffer): CanonicalEvent;
  fetchSubscription(access: ConnectionAccess, reference: string): Promise<Outcome<SubscriptionFacts>>;
  /** A subscription with what it is billed by, which only comparisons and repairs need. */
  fetchBilledSubscription(
    access: ConnectionAccess,
    reference: string,
  ): Promise<Outcome<BilledSubscriptionFacts>>;
  fetchPayment(
    access: ConnectionAccess,
    kind: ReferenceKind,
    reference: string,
  ): Promise<Outcome<PaymentFacts>>;
  fetchRefund(access: ConnectionAccess, reference: string): Promise<Outcome<RefundFacts>>;
  /** Absent where the provider's events carry all of a settlement, or where settlements are asked for as a list. */
  fetchSettlement?(access: ConnectionAccess, reference: string): Promise<Outcome<SettlementFacts>>;
  /**
   * Where the provider's events have no ids: the key to store a verified event under. For most it is the event's own;
   * where two events can be equal to the byte, the provider is asked for the state of what the event names.
   */
  dedupeKeyNow?(access: ConnectionAccess, event: CanonicalEvent): Promise<Outcome<string>>;
  /**
   * Where a refund's event does not name the refund: all refunds of the payment, each of which is to be applied. Takes
   * a reference of the kind `payment`.
   */
  fetchRefundsOf?(access: ConnectionAccess, paymentReference: string): Promise<Outcome<RefundFacts[]>>;
  /**
   * What was charged for a subscription since an instant (the provider's time), the earliest first: also what has
   * failed, and what came to nothing. Absent where payments are read by webhooks alone.
   */
  listPayments?(
    access: ConnectionAccess,
    subscription: string,
    since: Instant,
  ): Promise<Outcome<CollectedPayment[]>>;
  /**
   * Where the customer pays what is open of a subscription; null where nothing is. Absent where the provider has no such
   * page and collects by itself.
   */
  fetchPaymentPage?(access: ConnectionAccess, subscription: string): Promise<Outcome<string | null>>;
  /** The payment that a settlement's line names, or whose refund or dispute it names. */
  fetchCollected?(access: ConnectionAccess, named: ProviderReference): Promise<Outcome<CollectedPayment>>;
  /** The disputes that were opened since an instant (the provider's time), the earliest first, as they stand. */
  listDisputes?(access: ConnectionAccess, since: Instant): Promise<Outcome<ListedDispute[]>>;
}

/** The adapters that are there. */
export type ProviderAdapters = Readonly<Partial<Record<PaymentProvider, ProviderAdapter>>>;
