import type { DbTransaction } from '../../db/pools';
import type { Instant } from '../../domain/instant';
import type {
  CanonicalEvent,
  PaymentFacts,
  RefundFacts,
  SettlementFacts,
  SubscriptionFacts,
} from '../../providers/canonical-event';
import type { ConnectionRef } from '../../connections/connection-ref';
import type { SeenSubscription } from '../../subscriptions/at-provider/reconciler';
import type { WebhookChange } from './webhook-result';
import type { Reference, Targets } from '../../connections/reference-store';

/** What the provider says now of what an event is about, and what was here when it was asked. */
export interface CurrentFacts {
  /** Whether the provider was asked: an event alone may be old. */
  asked: boolean;
  /** Nothing that the event names was known here, so the provider was not asked. */
  unknown?: true;
  subscription: SubscriptionFacts | null;
  payment: PaymentFacts | null;
  /** Those that the event is about; or all of a payment, where the provider's events do not say which. */
  refunds: RefundFacts[];
  /** The payout that the event is about, where the provider was asked for it. */
  settlement?: SettlementFacts | null;
  /** The subscription concerned, as it was before the provider was asked. */
  seen: SeenSubscription | null;
}

/** A reconciliation under way, in one open transaction. */
export interface Reconciliation {
  trx: DbTransaction;
  connection: ConnectionRef;
  event: CanonicalEvent;
  current: CurrentFacts;
  targets: Targets;
  /** The workspace's time. */
  now: Instant;
  /** Real time. */
  recordedAt: Instant;
  changes: WebhookChange[];
  /** What was not done, and why; sentences. */
  notes: string[];
  /** References that are known from now on. */
  newReferences: Reference[];
}

/** What a reading is called in place of an event's type. */
export const READ_BACK = 'read_back';
