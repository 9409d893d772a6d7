import type { DbTransaction } from '../../db/pools';
import type { Times } from '../../clock/times';
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

/** The provider's current facts about the objects of an event, and our row when they were read. */
export interface CurrentFacts {
  /** Whether the facts were read from the provider; an event alone may be old. */
  fetched: boolean;
  /** No reference of the event was known here, so nothing was read from the provider. */
  unknown?: true;
  subscription: SubscriptionFacts | null;
  payment: PaymentFacts | null;
  /** The refunds that the event concerns, or all of a payment's if the provider's events do not say which. */
  refunds: RefundFacts[];
  /** The event's payout, if the provider was asked for it. */
  settlement?: SettlementFacts | null;
  /** The subscription concerned, as it was before the provider was asked. */
  seen: SeenSubscription | null;
}

/** A reconciliation in progress, in one open transaction. */
export interface Reconciliation extends Times {
  trx: DbTransaction;
  connection: ConnectionRef;
  event: CanonicalEvent;
  current: CurrentFacts;
  targets: Targets;
  changes: WebhookChange[];
  /** What was not done and why; sentences. */
  notes: string[];
  /** References that became known with this event. */
  newReferences: Reference[];
}

/** The event type of a reading. */
export const READ_BACK = 'read_back';
