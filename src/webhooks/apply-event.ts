import { workspaceTime } from '../clock/sandbox-clock-store';
import { findTargets } from '../connections/reference-store';
import type { DbTransaction } from '../db/pools';
import type { Instant } from '../domain/instant';
import type { CanonicalEvent } from '../providers/canonical-event';
import { StaleFactsError } from '../subscriptions/at-provider/reconciler';
import { referencesOf, referencesOfFacts } from './reconcile/references-of-event';
import { reconcileEvent } from './reconcile/reconcile-event';
import type { CurrentFacts } from './reconcile/reconciliation';
import type { WebhookResult } from './reconcile/webhook-result';
import { recordProcessed } from './record-processed';
import { replayUnmatched } from './replay-unmatched';
import { keepUnmatched } from './reconcile/reference-lock-store';
import type { VerifiedConnection } from './verify-webhook';

/** A verified event that is not applied yet. */
export interface VerifiedEvent extends VerifiedConnection {
  event: CanonicalEvent;
  /** Id of the delivery's request, or of the request for a replay. */
  requestId: string;
}

/**
 * Applies an event in the open transaction: reconciles the objects it concerns, records the result, and replays stored
 * webhooks that name a reference which has just become known.
 *
 * @param current the provider's current facts
 * @param recordedAt real time
 * @throws StaleFactsError if the row changed after the provider was asked, or if a reference of the event has just
 *   become known
 */
export async function applyEvent(
  trx: DbTransaction,
  { connection, adapter, event }: VerifiedEvent,
  current: CurrentFacts,
  webhookId: string,
  recordedAt: Instant,
): Promise<WebhookResult> {
  const references = [
    ...referencesOf(event),
    ...referencesOfFacts({ ...current, refund: current.refunds[0] ?? null }),
  ];
  const targets = await findTargets(trx, connection, references);
  if (current.unknown === true && !targets.empty) throw new StaleFactsError();
  const work = {
    trx,
    connection,
    event,
    current,
    targets,
    now: await workspaceTime(trx, connection.scope, recordedAt),
    recordedAt,
    changes: [],
    notes: [],
    newReferences: [],
  };
  const result = await reconcileEvent(work);
  await recordProcessed(work, webhookId, references, result);
  const context = { adapter, now: work.now, recordedAt };
  const own = await replayUnmatched(trx, connection, work.newReferences, context);
  if (result.status === 'unmatched') {
    await keepUnmatched(trx, connection, references, { before: targets, own });
  }
  return result;
}
