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

/** A subscription with the details of its billing. */
export interface BilledSubscriptionFacts {
  facts: SubscriptionFacts;
  billing: BillingAtProvider;
}

/** One result of "Test connection", in words that an operator can act on. */
export interface ConnectionCheck {
  check: 'authentication' | 'permissions' | 'webhook' | 'plan_references' | 'mode';
  ok: boolean;
  message: string;
}

/**
 * Result of verifying a webhook. `unavailable`: the provider could not be asked, which fails closed. `incomplete`: the
 * connection lacks what verification needs, and no call was made.
 */
export type WebhookVerdict = 'valid' | 'invalid' | 'unavailable' | 'incomplete';

/** A webhook as it was received. */
export interface ReceivedWebhook {
  /** The raw body. */
  bytes: Buffer;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values alternating: a repeated header shows only here. */
  rawHeaders: readonly string[];
  /** Real time. */
  receivedAt: Instant;
}

/** The interface that providers A, B and C implement. */
export interface ProviderAdapter extends ProviderOperations {
  readonly provider: PaymentProvider;
  /** Checks authentication, the webhook registration, whether plan references resolve, and whether the mode matches. */
  testConnection(access: ConnectionAccess): Promise<ConnectionCheck[]>;
  /** Verifies that a webhook came from the provider for this connection. Works on bytes, before any parsing. */
  verifyWebhook(access: ConnectionAccess, webhook: ReceivedWebhook): Promise<WebhookVerdict>;
  /**
   * Translates the bytes into the service's terms. Pure and total: an unknown event is `ignored`. Before the signature
   * is verified, its references only serve to find the connection and are never trusted.
   *
   * @throws MalformedEventError when the bytes are not an event
   */
  readEvent(raw: Buffer): CanonicalEvent;
  fetchSubscription(access: ConnectionAccess, reference: string): Promise<Outcome<SubscriptionFacts>>;
  /** Fetches a subscription with its billing details, which only comparisons and repairs need. */
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
  /**
   * Fetches a settlement. Absent if the provider's events carry complete settlements, or if settlements are fetched as
   * a list.
   */
  fetchSettlement?(access: ConnectionAccess, reference: string): Promise<Outcome<SettlementFacts>>;
  /**
   * Returns the key to store a verified event under, where the provider's events have no ids. Usually that is the
   * event's own key; where two events can be byte-identical, the provider is asked for the state of the object the
   * event names.
   */
  dedupeKeyNow?(access: ConnectionAccess, event: CanonicalEvent): Promise<Outcome<string>>;
  /**
   * Fetches all refunds of a payment, each of which must be applied. For providers whose refund events do not name the
   * refund. Takes a reference of the kind `payment`.
   */
  fetchRefundsOf?(access: ConnectionAccess, paymentReference: string): Promise<Outcome<RefundFacts[]>>;
  /**
   * Lists the charges of a subscription since an instant (the provider's time), earliest first, including failed ones
   * and those of zero. Absent if payments are read by webhooks alone.
   */
  listPayments?(
    access: ConnectionAccess,
    subscription: string,
    since: Instant,
  ): Promise<Outcome<CollectedPayment[]>>;
  /**
   * Returns the page where the customer pays the open amount of a subscription; null if nothing is open. Absent if the
   * provider has no such page.
   */
  fetchPaymentPage?(access: ConnectionAccess, subscription: string): Promise<Outcome<string | null>>;
  /** Fetches the payment that a settlement line names, or whose refund or dispute it names. */
  fetchCollected?(access: ConnectionAccess, named: ProviderReference): Promise<Outcome<CollectedPayment>>;
  /**
   * Lists the refunds made since an instant (the provider's time), earliest first. Absent if the provider's settlements
   * or its report name every refund.
   */
  listRefunds?(access: ConnectionAccess, since: Instant): Promise<Outcome<RefundFacts[]>>;
  /** Lists the disputes opened since an instant (the provider's time) in their current state, earliest first. */
  listDisputes?(access: ConnectionAccess, since: Instant): Promise<Outcome<ListedDispute[]>>;
  /** Fetches one dispute. Absent if the list has all disputes, of any age. */
  fetchDispute?(access: ConnectionAccess, reference: string): Promise<Outcome<ListedDispute>>;
}

/** The adapter of each payment provider. */
export type ProviderAdapters = Readonly<Record<PaymentProvider, ProviderAdapter>>;
