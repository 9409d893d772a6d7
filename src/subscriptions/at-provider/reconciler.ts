import type { Clock } from '../../clock/system-clock';
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

/** A subscription here and the version of its row, read before its provider was asked. */
export interface SeenSubscription {
  subscriptionId: string;
  version: bigint;
}

/** What was read at a provider without a webhook, and what stood here before. */
export interface ProviderReading {
  subscription: SubscriptionFacts | null;
  payment: PaymentFacts | null;
  refunds?: RefundFacts[];
  /** As it stood at an instant; null for now. */
  dispute?: { facts: DisputeFacts; at: Instant | null };
  /** Further references of the same objects: a checkout, an order. */
  references: readonly Reference[];
  seen: SeenSubscription | null;
}

/** The row changed after the provider was asked, so that its answer may be older than the row: ask again. */
export class StaleFacts extends Error {}

export interface ReconcileTimes {
  /** The workspace's time. */
  now: Instant;
  /** Real time. */
  recordedAt: Instant;
}

export interface ImportContext {
  database: Database;
  clock: Clock;
  adapter: ProviderAdapter;
  /** Of the request that asked for the import; null when none did. */
  requestId: string | null;
}

/** `known`: it was recorded before as it was read; `unattributed`: its customer is not known here. */
export type ImportResult = 'imported' | 'known' | 'unattributed';

/** Applies what a provider says in the way its webhooks are applied. `src/webhooks` implements it. */
export interface Reconciler {
  /**
   * Applies a reading in the open transaction.
   *
   * @throws StaleFacts when the subscription changed after it was read
   */
  applyReading(
    trx: DbTransaction,
    connection: ConnectionRef,
    reading: ProviderReading,
    times: ReconcileTimes,
    adapter: ProviderAdapter,
  ): Promise<unknown>;
  /** Applies, in the open transaction, the kept webhooks that name references which have just become known. */
  replayUnmatched(
    trx: DbTransaction,
    connection: ConnectionRef,
    newReferences: readonly Reference[],
    replaying: ReconcileTimes & { adapter: ProviderAdapter },
  ): Promise<unknown>;
  /** Records a payment with its refunds and disputes in a transaction of its own. Idempotent. */
  importPayment(
    context: ImportContext,
    connection: ConnectionRef,
    collected: CollectedPayment,
  ): Promise<ImportResult>;
  /** Records a dispute in a transaction of its own; `unattributed` when its payment is not known here. Idempotent. */
  importDispute(
    context: ImportContext,
    connection: ConnectionRef,
    listed: ListedDispute,
  ): Promise<ImportResult>;
}
