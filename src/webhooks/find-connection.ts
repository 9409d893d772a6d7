import type { Logger } from 'pino';
import type { Database } from '../db/pools';
import type { Instant } from '../domain/instant';
import { MalformedEventError, type CanonicalEvent } from '../providers/canonical-event';
import type { ConnectionAccess } from '../providers/connection-access';
import type { ProviderAdapter, WebhookVerdict } from '../providers/provider-adapter';
import { MOST_CANDIDATES, type CandidateLimits } from './candidate-limits';
import type { ConnectionRef, OpenConnection } from './connection-ref';
import type { WebhookDelivery } from './delivery';
import { findCandidateConnections, findConnectionsOfReferences, findNamedConnection } from './lookup-store';

/** The connection whose signature a webhook bears, or why there is none. */
export type Finding =
  | { kind: 'verified'; connection: ConnectionRef; access: ConnectionAccess }
  | {
      kind: 'refused';
      why: 'invalid' | 'unavailable' | 'busy';
      reason: string;
      /** The one that it could only be for. */
      connection: ConnectionRef | null;
      /** Seconds. */
      retryAfter?: number;
    };

interface FinderOptions {
  database: Database;
  openConnection: OpenConnection;
  limits: CandidateLimits;
  log: Logger;
}

/** B's signature is in five headers; without each of them nothing is asked of the provider. */
const HEADERS_OF_B = ['id', 'time', 'sig'].map((name) => `paypal-transmission-${name}`);
HEADERS_OF_B.push('paypal-cert-url', 'paypal-auth-algo');

/**
 * Finds the connection that a webhook was signed for: the one that its address names and no other; else those that
 * its references belong to; else the candidates of the host's environment, within bounds. What the body says serves
 * to look, never to decide: the signature does.
 */
export async function findSigningConnection(
  options: FinderOptions,
  adapter: ProviderAdapter,
  delivery: WebhookDelivery,
  now: Instant,
): Promise<Finding> {
  const { database } = options;
  const { connectionId, provider } = delivery;
  if (connectionId !== null) {
    const named = await findNamedConnection(database, delivery, connectionId);
    if (named.length === 0) {
      return refused('invalid', 'Its address names no connection of this provider and environment.', null);
    }
    return tryEach(options, adapter, delivery, named, now);
  }
  const most = MOST_CANDIDATES[provider];
  const referred = await findConnectionsOfReferences(
    database,
    delivery,
    referencesOf(adapter, delivery),
    most,
  );
  if (referred.length > 0) return tryEach(options, adapter, delivery, referred, now);
  if (
    provider === 'provider_b' &&
    !HEADERS_OF_B.every((name) => typeof delivery.headers[name] === 'string')
  ) {
    return refused('invalid', 'It lacks headers of the provider’s signature, and names no connection.', null);
  }
  const candidates = await findCandidateConnections(database, delivery, most);
  const wait = await options.limits.take(delivery.environment, provider, Math.max(1, candidates.length));
  if (wait !== null) {
    const reason = 'Too many webhooks come in that name no connection.';
    return { ...refused('busy', reason, null), retryAfter: wait };
  }
  return tryEach(options, adapter, delivery, candidates, now);
}

/** Nothing, for bytes that are no event: they may still be signed, and then they are somebody's. */
function referencesOf(adapter: ProviderAdapter, { bytes }: WebhookDelivery): CanonicalEvent['references'] {
  try {
    return adapter.readEvent(bytes).references.filter(({ reference }) => !reference.includes('\0'));
  } catch (error) {
    // Nested beyond what a reader's recursion takes: anybody can send that, and it names nothing.
    if (error instanceof MalformedEventError || error instanceof RangeError) return [];
    throw error;
  }
}

type Trial = { connection: ConnectionRef; access: ConnectionAccess | null; verdict: WebhookVerdict };

async function tryEach(
  options: FinderOptions,
  adapter: ProviderAdapter,
  delivery: WebhookDelivery,
  candidates: readonly ConnectionRef[],
  now: Instant,
): Promise<Finding> {
  const trials: Trial[] = [];
  for (const connection of candidates) {
    trials.push(await tryOne(options, adapter, delivery, connection, now));
  }
  const only = candidates.length === 1 ? (candidates[0] ?? null) : null;
  const signed = trials.filter((trial) => trial.verdict === 'valid' && trial.access !== null);
  if (new Set(signed.map(({ connection }) => connection.scope.workspaceId)).size > 1) {
    const reason = 'Connections of several workspaces have its signing secret, and its address names none.';
    return refused('invalid', reason, null);
  }
  const [first] = signed;
  if (first?.access) return { kind: 'verified', connection: first.connection, access: first.access };
  if (trials.some(({ verdict }) => verdict === 'unavailable')) {
    return refused('unavailable', 'Its signature could not be verified at the moment.', only);
  }
  if (trials.some(({ verdict }) => verdict === 'incomplete')) {
    return refused('unavailable', 'The connection lacks credentials that its verification needs.', only);
  }
  return refused('invalid', 'Its signature is not valid.', only);
}

async function tryOne(
  { openConnection, log }: FinderOptions,
  adapter: ProviderAdapter,
  { bytes, headers, rawHeaders }: WebhookDelivery,
  connection: ConnectionRef,
  now: Instant,
): Promise<Trial> {
  try {
    const access = await openConnection(connection.scope, connection.id);
    return {
      connection,
      access,
      verdict: await adapter.verifyWebhook(access, bytes, headers, rawHeaders, now),
    };
  } catch (error) {
    log.warn({ err: error, connectionId: connection.id }, 'a webhook could not be verified');
    // Credentials that cannot be opened must not hide another candidate's; without one, the webhook comes again.
    return { connection, access: null, verdict: 'unavailable' };
  }
}

function refused(
  why: 'invalid' | 'unavailable' | 'busy',
  reason: string,
  connection: ConnectionRef | null,
): Extract<Finding, { kind: 'refused' }> {
  return { kind: 'refused', why, reason, connection };
}
