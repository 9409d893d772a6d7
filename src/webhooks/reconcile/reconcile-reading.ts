import type { DbTransaction } from '../../db/pools';
import type { Instant } from '../../domain/instant';
import type {
  CanonicalEvent,
  DisputeFacts,
  PaymentFacts,
  RefundFacts,
  SubscriptionFacts,
} from '../../providers/canonical-event';
import type { ProviderAdapter } from '../../providers/provider-adapter';
import type { ConnectionRef } from '../../connections/connection-ref';
import type { WebhookResult } from '../webhook-store';
import { replayUnmatched } from '../replay-unmatched';
import { referencesOfFacts } from './fetch-current';
import { reconcileEvent } from './reconcile-event';
import { READ_BACK, type CurrentFacts, type Reconciliation } from './reconciliation';
import { findTargets, type Reference } from '../../connections/reference-store';

/** What was read at the provider without a webhook's asking, and what was here before it was read. */
export interface Reading {
  subscription: SubscriptionFacts | null;
  payment: PaymentFacts | null;
  refunds?: RefundFacts[];
  /** As it stood at an instant; null for now. */
  dispute?: { facts: DisputeFacts; at: Instant | null };
  /** What else names the same things: a checkout, an order. */
  references: readonly Reference[];
  seen: CurrentFacts['seen'];
}

/**
 * Writes down what was read at the provider as a webhook about it would, in the open transaction.
 *
 * @param now the workspace's time; `recordedAt` real time
 * @throws StaleFacts when the subscription has changed since it was read: read again
 */
export async function reconcileReading(
  trx: DbTransaction,
  connection: ConnectionRef,
  reading: Reading,
  { now, recordedAt }: { now: Instant; recordedAt: Instant },
  adapter: ProviderAdapter,
): Promise<WebhookResult> {
  const { subscription, payment, refunds = [], dispute, seen } = reading;
  const references = [
    ...reading.references,
    ...referencesOfFacts({ subscription, payment, dispute: dispute?.facts ?? null }),
  ];
  const work: Reconciliation = {
    trx,
    connection,
    event: {
      type: typeOf(reading),
      eventType: READ_BACK,
      dedupeKey: '',
      occurredAt: dispute?.at ?? null,
      environment: connection.scope.environment,
      references,
      ...(dispute && { dispute: dispute.facts }),
    },
    current: { asked: seen !== null, subscription, payment, refunds, seen },
    targets: await findTargets(trx, connection, references),
    now,
    recordedAt,
    changes: [],
    notes: [],
    learnt: [],
  };
  const result = await reconcileEvent(work);
  for (const { reference } of work.learnt) {
    await replayUnmatched(trx, connection, reference, { adapter, now, recordedAt });
  }
  return result;
}

function typeOf({ payment, dispute }: Reading): CanonicalEvent['type'] {
  if (dispute !== undefined) return 'dispute.changed';
  return payment === null ? 'subscription.changed' : 'payment.succeeded';
}
