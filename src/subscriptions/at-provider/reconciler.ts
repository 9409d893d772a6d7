import type { Clock } from '../../clock/system-clock';
import type { Times } from '../../clock/times';
import type { ConnectionRef } from '../../connections/connection-ref';
import type { Reference } from '../../connections/reference-store';
import type { Database, DbTransaction } from '../../db/pools';
import type { Instant } from '../../domain/instant';
import type {
  CollectedPayment,
  DisputeFacts,
  ListedDispute,
  PaymentFacts,
  RefundFacts,
  SubscriptionFacts,
} from '../../providers/canonical-event';
import type { ProviderAdapter } from '../../providers/provider-adapter';
import type { BilledSubscription } from '../billed-subscription';

/** A subscription and the version of its row, read before its provider was asked. */
export interface SeenSubscription {
  subscriptionId: string;
  version: bigint;
}

/** A reading at a provider without a webhook, and the local row seen before it. */
export interface ProviderReading {
  subscription: SubscriptionFacts | null;
  payment: PaymentFacts | null;
  refunds?: RefundFacts[];
  /** The dispute as of an instant; null means now. */
  dispute?: { facts: DisputeFacts; at: Instant | null };
  /** Further references of the same objects: a checkout, an order. */
  references: readonly Reference[];
  seen: SeenSubscription | null;
}

/** The row changed after the provider was asked, so the answer may be older than the row. Ask again. */
export class StaleFactsError extends Error {}

export interface ReconcileContext extends Times {
  adapter: ProviderAdapter;
}

export interface ImportContext {
  database: Database;
  clock: Clock;
  adapter: ProviderAdapter;
  /** Id of the request that asked for the import; null if none did. */
  requestId: string | null;
}

/** `known`: already recorded with the same content; `unattributed`: the customer is not known here. */
export type ImportResult = 'imported' | 'known' | 'unattributed';

/** Applies a provider's facts the way its webhooks are applied. Implemented by `src/webhooks`. */
export interface Reconciler {
  /**
   * Applies a reading in the open transaction.
   *
   * @throws StaleFactsError when the subscription changed after it was read
   */
  applyReading(
    trx: DbTransaction,
    connection: ConnectionRef,
    reading: ProviderReading,
    context: ReconcileContext,
  ): Promise<unknown>;
  /** Records, in the open transaction, the renewal that a command came upon, if the rows differ by one. */
  recordRenewal(
    occasion: Times & { trx: DbTransaction; connection: ConnectionRef },
    before: BilledSubscription,
    after: BilledSubscription,
  ): Promise<void>;
  /** Applies, in the open transaction, the stored webhooks that name references which have just become known. */
  replayUnmatched(
    trx: DbTransaction,
    connection: ConnectionRef,
    newReferences: readonly Reference[],
    context: ReconcileContext,
  ): Promise<unknown>;
  /** Records a payment with its refunds and disputes in a transaction of its own. Idempotent. */
  importPayment(
    context: ImportContext,
    connection: ConnectionRef,
    collected: CollectedPayment,
  ): Promise<ImportResult>;
  /** Records a refund in its own transaction; returns `unattributed` if its payment is not known here. Idempotent. */
  importRefund(context: ImportContext, connection: ConnectionRef, refund: RefundFacts): Promise<ImportResult>;
  /** Records a dispute in its own transaction; returns `unattributed` if its payment is not known here. Idempotent. */
  importDispute(
    context: ImportContext,
    connection: ConnectionRef,
    listed: ListedDispute,
  ): Promise<ImportResult>;
}
