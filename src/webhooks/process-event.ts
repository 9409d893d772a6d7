import type { Clock } from '../clock/clock';
import { readClockOffset } from '../clock/sandbox-clock-store';
import type { Database, DbTransaction } from '../db/pools';
import { inWorkspaceFor } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { CanonicalEvent } from '../providers/canonical-event';
import type { ConnectionAccess } from '../providers/connection-access';
import type { ConnectionRef } from '../connections/connection-ref';
import type { ProviderAdapter } from '../providers/provider-adapter';
import { fetchCurrent, referencesOf, referencesOfFacts } from './reconcile/fetch-current';
import { reconcileEvent } from './reconcile/reconcile-event';
import type { CurrentFacts } from './reconcile/reconciliation';
import { StaleFacts } from '../subscriptions/at-provider/reconciler';
import { findTargets } from '../connections/reference-store';
import { recordProcessed } from './record-processed';
import { replayUnmatched } from './replay-unmatched';
import { saveResult } from './webhook-store';
import type { WebhookResult } from './reconcile/webhook-result';

/** A verified event on its way into the database. */
export interface EventToProcess {
  connection: ConnectionRef;
  access: ConnectionAccess;
  adapter: ProviderAdapter;
  event: CanonicalEvent;
  /** Of the delivery, or of whoever asked for it again. */
  requestId: string;
}

interface Processed {
  webhookId: string;
  result: WebhookResult;
}

/** How often the provider is asked anew because the row has changed meanwhile. */
const ATTEMPTS = 8;

/**
 * Asks the provider, and then runs the event's one transaction; once more, when our row has changed in between.
 *
 * @param claim stores or locks the webhook's row first; what it answers other than an id ends the transaction
 * @param finish what else belongs into the transaction, at its end
 * @throws TollgateError webhook_unverifiable, service_busy
 */
export async function processEvent<Claimed extends { webhookId: string } | { received: true }>(
  options: { database: Database; clock: Clock },
  what: EventToProcess,
  claim: (trx: DbTransaction) => Promise<Claimed>,
  finish: (trx: DbTransaction, result: WebhookResult) => Promise<void> = () => Promise.resolve(),
): Promise<Processed | Exclude<Claimed, { webhookId: string }>> {
  const { database } = options;
  const { connection, event, requestId } = what;
  const caller = { scope: connection.scope, reason: 'SYSTEM', requestId } as const;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const current = await fetchCurrent({ ...what, database }, connection, event);
    try {
      return await inWorkspaceFor(database, caller, async (trx) => {
        const claimed = await claim(trx);
        if (!('webhookId' in claimed)) return claimed as Exclude<Claimed, { webhookId: string }>;
        const { webhookId } = claimed;
        const result = await apply(trx, what, current, webhookId, options.clock.now());
        await finish(trx, result);
        return { webhookId, result };
      });
    } catch (error) {
      if (!(error instanceof StaleFacts)) throw error;
    }
  }
  throw new TollgateError('service_busy', 'What the webhook is about keeps changing at the moment.', {
    retryAfter: 5,
  });
}

async function apply(
  trx: DbTransaction,
  { connection, adapter, event }: EventToProcess,
  current: CurrentFacts,
  webhookId: string,
  recordedAt: Instant,
): Promise<WebhookResult> {
  const { scope } = connection;
  const references = [
    ...referencesOf(event),
    ...referencesOfFacts({ ...current, refund: current.refunds[0] ?? null }),
  ];
  const work = {
    trx,
    connection,
    event,
    current,
    targets: await findTargets(trx, connection, references),
    now: recordedAt + (await readClockOffset(trx, scope)),
    recordedAt,
    changes: [],
    notes: [],
    newReferences: [],
  };
  const result = await reconcileEvent(work);
  await saveResult(trx, scope, webhookId, result, recordedAt);
  await recordProcessed(trx, connection, { webhookId, eventType: event.eventType, ...result }, recordedAt);
  // What came too early names these; it is told of here, where what it waited for has become known.
  for (const { reference } of work.newReferences) {
    await replayUnmatched(trx, connection, reference, { adapter, now: work.now, recordedAt });
  }
  return result;
}
