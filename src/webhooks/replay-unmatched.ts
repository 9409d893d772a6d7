import type { DbTransaction } from '../db/pools';
import { MalformedEventError, type CanonicalEvent } from '../providers/canonical-event';
import type { ConnectionRef } from '../connections/connection-ref';
import type { ProviderAdapter } from '../providers/provider-adapter';
import type { ReconcileContext } from '../subscriptions/at-provider/reconciler';
import { referencesOf } from './reconcile/references-of-event';
import { reconcileEvent } from './reconcile/reconcile-event';
import type { CurrentFacts, Reconciliation } from './reconcile/reconciliation';
import { findTargets, type Reference } from '../connections/reference-store';
import { findConcernedSubscription } from './reconcile/find-concerned-subscription';
import { signalSubscription } from './reconcile/reconcile-subscription';
import { recordProcessed } from './record-processed';
import { lockReferences } from './reconcile/reference-lock-store';
import { findUnmatched, type StoredWebhook } from './webhook-list-store';

/** Only a few events of one object wait for the same reference. */
const MOST = 100;

/**
 * Applies, in the open transaction, a connection's webhooks that arrived before one of their references was known,
 * oldest first, and then those that wait for references they in turn make known. The provider is not asked, so only
 * facts that cannot be outdated are applied: payments and refunds, which only move forward. The caller has just read
 * the subscription's current state, and signals its workflow.
 *
 * @param newReferences made known in this transaction; locked until it ends
 * @returns these, and those that became known with the replayed webhooks
 */
export async function replayUnmatched(
  trx: DbTransaction,
  connection: ConnectionRef,
  newReferences: readonly Reference[],
  context: ReconcileContext,
): Promise<Reference[]> {
  if (newReferences.length === 0) return [];
  await lockReferences(trx, connection, newReferences);
  const further: Reference[] = [];
  for (const { reference } of newReferences) {
    further.push(...(await replayNaming(trx, connection, reference, context)));
  }
  return [...newReferences, ...(await replayUnmatched(trx, connection, further, context))];
}

/** @returns the references that became known */
async function replayNaming(
  trx: DbTransaction,
  connection: ConnectionRef,
  reference: string,
  { adapter, now, recordedAt }: ReconcileContext,
): Promise<Reference[]> {
  const newReferences: Reference[] = [];
  for (const webhook of await findUnmatched(trx, connection, reference, MOST)) {
    const event = read(adapter, webhook);
    if (event === null || !referencesOf(event).some((one) => one.reference === reference)) continue;
    const references = referencesOf(event);
    const targets = await findTargets(trx, connection, references);
    const seen = await findConcernedSubscription(trx, connection, references, targets);
    const current: CurrentFacts = {
      fetched: false,
      subscription: null,
      payment: event.payment ?? null,
      refunds: event.refund === undefined ? [] : [event.refund],
      seen,
    };
    const work: Reconciliation = {
      trx,
      connection,
      event,
      current,
      targets,
      now,
      recordedAt,
      changes: [],
      notes: [],
      newReferences,
    };
    const result = await reconcileEvent(work);
    if (result.status === 'unmatched') continue;
    if (seen !== null) await signalSubscription(work, seen.subscriptionId);
    await recordProcessed(work, webhook.id, references, result);
  }
  return newReferences;
}

function read(adapter: ProviderAdapter, { body }: StoredWebhook): CanonicalEvent | null {
  try {
    return adapter.readEvent(body);
  } catch (error) {
    if (error instanceof MalformedEventError) return null;
    throw error;
  }
}
