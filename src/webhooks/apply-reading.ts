import type { DbTransaction } from '../db/pools';
import type { CanonicalEvent } from '../providers/canonical-event';
import type { ProviderReading, ReconcileContext } from '../subscriptions/at-provider/reconciler';
import type { ConnectionRef } from '../connections/connection-ref';
import type { WebhookResult } from './reconcile/webhook-result';
import { replayUnmatched } from './replay-unmatched';
import { referencesOfFacts } from './reconcile/references-of-event';
import { reconcileEvent } from './reconcile/reconcile-event';
import { READ_BACK, type Reconciliation } from './reconcile/reconciliation';
import { findTargets } from '../connections/reference-store';

/**
 * Applies facts read at a provider in the open transaction, as a webhook about them would be applied.
 *
 * @throws StaleFactsError if the subscription changed after it was read: read again
 */
export async function applyReading(
  trx: DbTransaction,
  connection: ConnectionRef,
  reading: ProviderReading,
  context: ReconcileContext,
): Promise<WebhookResult> {
  const { now, recordedAt } = context;
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
    current: { fetched: seen !== null, subscription, payment, refunds, seen },
    targets: await findTargets(trx, connection, references),
    now,
    recordedAt,
    changes: [],
    notes: [],
    newReferences: [],
  };
  const result = await reconcileEvent(work);
  await replayUnmatched(trx, connection, work.newReferences, context);
  return result;
}

function typeOf({ payment, dispute }: ProviderReading): CanonicalEvent['type'] {
  if (dispute !== undefined) return 'dispute.changed';
  return payment === null ? 'subscription.changed' : 'payment.succeeded';
}
