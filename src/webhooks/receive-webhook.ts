import type { Database, DbTransaction } from '../db/pools';
import { failureError } from '../db/failure';
import { inWorkspace } from '../db/workspace-transaction';
import type { Clock } from '../clock/clock';
import { isTollgateError, TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';
import type { CanonicalEvent } from '../providers/canonical-event';
import type { ConnectionAccess } from '../providers/connection-access';
import type { SeldomLog } from '../telemetry/seldom-log';
import type { Admitted } from './admission';
import type { CandidateLimits } from './candidate-limits';
import type { Candidates } from './candidates';
import type { ConnectionRef, OpenConnection, WebhookAdapters } from '../connections/connection-ref';
import type { ProviderAdapter } from '../providers/provider-adapter';
import type { WebhookDelivery } from './delivery';
import type { FairGate } from './fair-gate';
import type { WebhookFailure } from './failure-store';
import { findSigningConnection, type Finding } from './find-connection';
import { processEvent } from './process-event';
import { findTargets } from '../connections/reference-store';
import { referencesOf, valueOf } from './reconcile/fetch-current';
import { keyOf, newWebhookOf, recordFailure } from './record-failure';
import type { Refusals } from './refusals';
import { refuse } from './refuse-webhook';
import { countDelivery, findDelivered, insertWebhook } from './webhook-store';
import type { WebhookStatus } from './reconcile/webhook-result';

export interface ReceiverOptions {
  /** The webhooks' own pool. */
  database: Database;
  adapters: WebhookAdapters;
  openConnection: OpenConnection;
  candidates: Candidates;
  limits: CandidateLimits;
  refusals: Refusals;
  /** By workspace. */
  gate: FairGate;
  clock: Clock;
  seldom: SeldomLog;
}

type Claimed = { webhookId: string } | Received;

/** The answer to a webhook, after its commit. */
export interface Received {
  received: true;
  /** Ours: `GET /api/webhooks/{id}` shows it. */
  eventId: string;
  duplicate?: true;
}

/**
 * Takes a webhook in: verified before anything else, then compared with the provider, then applied in one transaction
 * of the one workspace whose connection signed it. Each failure is committed before it is thrown.
 *
 * @throws TollgateError webhook_signature_invalid, webhook_environment_mismatch, webhook_unverifiable,
 *   webhook_processing_failed, service_busy, service_unavailable
 */
export async function receiveWebhook(
  options: ReceiverOptions,
  delivery: WebhookDelivery,
  admitted: Admitted,
): Promise<Received> {
  const adapter = options.adapters[delivery.provider];
  const now = options.clock.now();
  const finding = adapter === undefined ? NO_ADAPTER : await find(options, adapter, delivery, now);
  if (finding.kind === 'refused') return refuse(options.refusals, delivery, finding, now);
  if (adapter === undefined) throw new Error('A webhook was verified by no adapter.');
  // What is signed is nobody's flood, whatever comes from the same address.
  admitted.leave(true);
  return options.gate.pass(finding.connection.scope.workspaceId, () =>
    takeIn(options, adapter, delivery, finding),
  );
}

const NO_ADAPTER: Finding = {
  kind: 'refused',
  why: 'unavailable',
  reason: 'This installation does not speak with the provider.',
  connection: null,
};

/** Fails closed, and audited, also where the look-up itself fails. */
async function find(
  options: ReceiverOptions,
  adapter: ProviderAdapter,
  delivery: WebhookDelivery,
  now: Instant,
): Promise<Finding> {
  try {
    return await findSigningConnection(options, adapter, delivery, now);
  } catch (error) {
    options.seldom.warn('look-up', { err: error }, 'the connection of a webhook could not be looked up');
    const reason = 'Its connection could not be looked up at the moment.';
    return { kind: 'refused', why: 'unavailable', reason, connection: null };
  }
}

async function takeIn(
  options: ReceiverOptions,
  adapter: ProviderAdapter,
  delivery: WebhookDelivery,
  { connection, access: verified }: Extract<Finding, { kind: 'verified' }>,
): Promise<Received> {
  let event: CanonicalEvent | undefined;
  try {
    event = adapter.readEvent(delivery.bytes);
    if (event.environment !== null && event.environment !== delivery.environment) {
      throw new TollgateError(
        'webhook_environment_mismatch',
        `The event is of the provider’s ${event.environment} environment, and this is the ${delivery.environment} host.`,
      );
    }
    const access = await reopened(options, connection, verified);
    const keyed = await withKey(options.database, adapter, access, connection, event);
    event = keyed;
    return await process(options, adapter, delivery, { connection, access, event: keyed });
  } catch (error) {
    throw await failed(options, delivery, connection, event, error);
  }
}

/** Without event ids, two events may be equal to the byte; the provider's state then tells them apart. */
async function withKey(
  database: Database,
  adapter: ProviderAdapter,
  access: ConnectionAccess,
  connection: ConnectionRef,
  event: CanonicalEvent,
): Promise<CanonicalEvent> {
  if (adapter.dedupeKeyNow === undefined) return event;
  const targets = await inWorkspace(database, connection.scope, 'SYSTEM', (trx) =>
    findTargets(trx, connection, referencesOf(event)),
  );
  // Of what is not ours nothing is asked.
  if (targets.empty) return event;
  const dedupeKey = valueOf(await adapter.dedupeKeyNow(access, event), event.dedupeKey);
  return dedupeKey === null ? event : { ...event, dedupeKey };
}

async function process(
  { database, clock }: ReceiverOptions,
  adapter: ProviderAdapter,
  delivery: WebhookDelivery,
  what: { connection: ConnectionRef; access: ConnectionAccess; event: CanonicalEvent },
): Promise<Received> {
  const { connection, event } = what;
  const duplicateOf = async (trx: DbTransaction): Promise<Received> => {
    const { id } = await countDelivery(trx, connection, keyOf(event));
    return { received: true, eventId: id, duplicate: true };
  };
  // One that is done asks nothing of the provider again.
  const early = await inWorkspace(database, connection.scope, 'SYSTEM', async (trx) => {
    const before = await findDelivered(trx, connection, keyOf(event));
    return before !== undefined && isDone(before.status) ? duplicateOf(trx) : undefined;
  });
  if (early !== undefined) return early;
  const webhook = { ...newWebhookOf(event, delivery, clock.now()), id: newIdentifier('webhook') };
  const claim = async (trx: DbTransaction): Promise<Claimed> => {
    if (await insertWebhook(trx, connection, webhook)) return { webhookId: webhook.id };
    const before = await countDelivery(trx, connection, webhook.dedupeKey);
    if (isDone(before.status)) return { received: true, eventId: before.id, duplicate: true };
    return { webhookId: before.id };
  };
  const processed = await processEvent(
    { database, clock },
    { ...what, adapter, requestId: delivery.requestId },
    claim,
  );
  if ('received' in processed) return processed;
  const { webhookId } = processed;
  const received = { received: true, eventId: webhookId } as const;
  return webhookId === webhook.id ? received : { ...received, duplicate: true };
}

/** What failed, or named nothing known, is tried again when it comes again. */
function isDone(status: WebhookStatus): boolean {
  return status === 'applied' || status === 'ignored';
}

/** Commits the audit of a verified webhook that failed. @returns what to answer */
async function failed(
  { database, clock, seldom }: ReceiverOptions,
  delivery: WebhookDelivery,
  connection: ConnectionRef,
  event: CanonicalEvent | undefined,
  error: unknown,
): Promise<Error> {
  const known = failureError(error);
  const mismatch = isTollgateError(known) && known.code === 'webhook_environment_mismatch';
  const kind: WebhookFailure['kind'] = mismatch ? 'signature' : 'processing';
  const verified = event === undefined || mismatch ? undefined : { event, delivery };
  const fields = { err: error, connectionId: connection.id };
  seldom.warn(`process ${connection.id}`, fields, 'a webhook could not be processed');
  const failure = { kind, reason: reasonOf(known), at: clock.now(), requestId: delivery.requestId };
  await recordFailure(database, connection, failure, verified);
  if (isTollgateError(known)) return known;
  const detail =
    event === undefined
      ? 'It is no event that the provider is known to send.'
      : 'It is kept, and can be replayed.';
  return new TollgateError('webhook_processing_failed', detail, { cause: error });
}

/** The connection for its processing. What it was verified by must still be what the connection is. */
async function reopened(
  { openConnection }: ReceiverOptions,
  { scope, id }: ConnectionRef,
  verified: ConnectionAccess,
): Promise<ConnectionAccess> {
  let access: ConnectionAccess;
  try {
    access = await openConnection(scope, id);
  } catch (error) {
    throw isTollgateError(error) ? changedMeanwhile() : error;
  }
  if (access.secretVersion !== verified.secretVersion) throw changedMeanwhile();
  return access;
}

/** It was disabled, or its secrets were replaced, between the look-up and now; it comes again. */
function changedMeanwhile(): TollgateError {
  return new TollgateError('webhook_unverifiable', 'Its connection was changed at the same moment.', {
    retryAfter: 1,
  });
}

/** The database's own words never leave. */
function reasonOf(error: Error): string {
  if ('code' in error && !isTollgateError(error)) return 'The database refused what it would have written.';
  return error.message;
}
