import type { Clock } from '../clock/system-clock';
import type { ConnectionRef } from '../connections/connection-ref';
import { findTargets } from '../connections/reference-store';
import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { newIdentifier } from '../identifiers/identifier';
import type { CanonicalEvent } from '../providers/canonical-event';
import type { ProviderAdapter } from '../providers/provider-adapter';
import { StaleFactsError } from '../subscriptions/at-provider/reconciler';
import type { AdmittedWebhook } from './ingress-limiter';
import { applyEvent, type VerifiedEvent } from './apply-event';
import type { WebhookDelivery } from './delivery';
import type { WorkspaceQueues } from './workspace-queues';
import { fetchCurrent, isReadAtProvider, valueOf } from './reconcile/fetch-current';
import type { CurrentFacts } from './reconcile/reconciliation';
import { referencesOf } from './reconcile/references-of-event';
import { failDelivery, keyOf, newWebhookOf } from './record-failure';
import {
  reopenVerified,
  verifyWebhook,
  type VerifiedConnection,
  type VerifierOptions,
} from './verify-webhook';
import { claimWebhook, endIncomplete, isProcessed, type NewWebhook } from './webhook-store';
import { inWebhookTransaction, retryWhenStale } from './webhook-transaction';

export interface ReceiverOptions extends VerifierOptions {
  /** The webhooks' own pool. */
  database: Database;
  /** Queues per workspace. */
  queues: WorkspaceQueues;
  clock: Clock;
}

/** The answer to a webhook, after its commit. */
export interface Received {
  received: true;
  /** Our own id: `GET /api/webhooks/{id}` shows it. */
  eventId: string;
  duplicate?: true;
}

/**
 * Receives a webhook in four steps: verifies its signature, parses it, loads the provider's current facts, and applies
 * them in one transaction of the workspace whose connection signed it. A failure is committed before it is thrown.
 *
 * @throws TollgateError webhook_signature_invalid, webhook_environment_mismatch, webhook_unverifiable,
 *   webhook_processing_failed, service_busy, service_unavailable
 */
export async function receiveWebhook(
  options: ReceiverOptions,
  delivery: WebhookDelivery,
  admitted: AdmittedWebhook,
): Promise<Received> {
  const verified = await verifyWebhook(options, delivery);
  // A signed webhook does not count against its address.
  admitted.release(true);
  const { connection } = verified;
  const process = async (): Promise<Received> => {
    let event: CanonicalEvent | undefined;
    try {
      event = parse(verified.adapter, delivery);
      const ownKey = keyOf(event);
      const opened = await reopenVerified(options, verified);
      event = await withDedupeKey(options.database, opened, event);
      const incoming: VerifiedEvent = { ...opened, event, requestId: delivery.requestId };
      const webhook = {
        ...newWebhookOf(event, delivery, options.clock.now()),
        id: newIdentifier('webhook'),
        ownKey,
      };
      return await retryWhenStale(async () => {
        const current = await loadCurrent(options.database, incoming);
        return apply(options, incoming, webhook, current);
      });
    } catch (error) {
      throw await failDelivery(options, delivery, connection, event, error);
    }
  };
  return options.queues.run(connection.scope.workspaceId, process, (busy) =>
    turnAway(options, delivery, connection, busy),
  );
}

/** Commits the audit of a verified webhook for which its workspace's queue has no place. @throws `busy` */
async function turnAway(
  { refusalAudit, clock }: ReceiverOptions,
  { requestId }: WebhookDelivery,
  connection: ConnectionRef,
  busy: TollgateError,
): Promise<never> {
  const failure = { kind: 'processing', reason: busy.detail, at: clock.now(), requestId } as const;
  await refusalAudit.commit({ connection, failure });
  throw busy;
}

/** @throws MalformedEventError; TollgateError webhook_environment_mismatch */
function parse(adapter: ProviderAdapter, { bytes, environment: host }: WebhookDelivery): CanonicalEvent {
  const event = adapter.readEvent(bytes);
  if (event.environment === null || event.environment === host) return event;
  throw new TollgateError(
    'webhook_environment_mismatch',
    `The event belongs to the provider’s ${event.environment} environment, but this is the ${host} host.`,
  );
}

/**
 * Refines the event's key. Without event ids, two events may have equal bytes; the provider's state then distinguishes
 * them.
 */
async function withDedupeKey(
  database: Database,
  { connection, adapter, access }: VerifiedConnection,
  event: CanonicalEvent,
): Promise<CanonicalEvent> {
  if (adapter.dedupeKeyNow === undefined) return event;
  const targets = await inWorkspace(database, connection.scope, 'SYSTEM', (trx) =>
    findTargets(trx, connection, referencesOf(event)),
  );
  // The provider is not asked about objects that are not ours.
  if (targets.empty) return event;
  const dedupeKey = valueOf(await adapter.dedupeKeyNow(access, event), event.dedupeKey);
  return dedupeKey === null ? event : { ...event, dedupeKey };
}

/** Loads the provider's current facts; null if the event is already processed and they would have to be read again. */
async function loadCurrent(database: Database, incoming: VerifiedEvent): Promise<CurrentFacts | null> {
  const { connection, event } = incoming;
  const known =
    isReadAtProvider(event) &&
    (await inWorkspace(database, connection.scope, 'SYSTEM', (trx) =>
      isProcessed(trx, connection, keyOf(event)),
    ));
  return known ? null : fetchCurrent({ ...incoming, database }, connection, event);
}

/**
 * @param webhook `ownKey`: its key without the provider's state
 * @throws StaleFactsError if the row changed after the provider was asked
 */
async function apply(
  { database, clock }: ReceiverOptions,
  incoming: VerifiedEvent,
  webhook: NewWebhook & { ownKey: string },
  current: CurrentFacts | null,
): Promise<Received> {
  const { connection, requestId } = incoming;
  return inWebhookTransaction(database, { scope: connection.scope, requestId }, async (trx) => {
    const { id: eventId, isDuplicate, isDone } = await claimWebhook(trx, connection, webhook);
    if (!isDone) {
      if (current === null) throw new StaleFactsError();
      await applyEvent(trx, incoming, current, eventId, clock.now());
    }
    const { ownKey, dedupeKey } = webhook;
    if (ownKey !== dedupeKey) await endIncomplete(trx, connection, ownKey, eventId, clock.now());
    return { received: true, eventId, ...(isDuplicate && { duplicate: true }) };
  });
}
