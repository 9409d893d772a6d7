import type { Clock } from '../clock/system-clock';
import type { ConnectionRef } from '../connections/connection-ref';
import { isTollgateError, TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { ConnectionAccess } from '../providers/connection-access';
import type { ProviderAdapter, ProviderAdapters } from '../providers/provider-adapter';
import type { WorkspaceScope } from '../tenancy/actor';
import type { RateLimitedLog } from '../telemetry/rate-limited-log';
import type { CandidateRateLimit } from './candidate-rate-limit';
import type { Candidates } from './candidates';
import type { WebhookDelivery } from './delivery';
import { findSigningConnection, type Finding } from './find-signing-connection';
import type { RefusalAudit } from './refusal-audit';

/** Opens a connection's credentials for one use. @throws if they cannot be read */
export type OpenAccess = (scope: WorkspaceScope, connectionId: string) => Promise<ConnectionAccess>;

export interface VerifierOptions {
  adapters: ProviderAdapters;
  openConnection: OpenAccess;
  candidates: Candidates;
  rateLimit: CandidateRateLimit;
  refusalAudit: RefusalAudit;
  clock: Clock;
  limitedLog: RateLimitedLog;
}

/** A connection that signed a webhook. */
export interface VerifiedConnection {
  connection: ConnectionRef;
  access: ConnectionAccess;
  adapter: ProviderAdapter;
}

/**
 * Verifies a webhook's signature. Fails closed; a refusal is committed to an audit before it is thrown.
 *
 * @throws TollgateError webhook_signature_invalid, webhook_unverifiable, service_busy
 */
export async function verifyWebhook(
  options: VerifierOptions,
  delivery: WebhookDelivery,
): Promise<VerifiedConnection> {
  const now = options.clock.now();
  const adapter = options.adapters[delivery.provider];
  const finding = await find(options, adapter, delivery, now);
  if (finding.kind === 'refused') return refuse(options.refusalAudit, delivery, finding, now);
  const { connection, access } = finding;
  return { connection, access, adapter };
}

/**
 * Opens a verified connection for processing, if it is unchanged since its verification.
 *
 * @throws TollgateError webhook_unverifiable if it was disabled or its secrets were replaced since
 */
export async function reopenVerified(
  { openConnection }: Pick<VerifierOptions, 'openConnection'>,
  verified: VerifiedConnection,
): Promise<VerifiedConnection> {
  const { scope, id } = verified.connection;
  let access: ConnectionAccess;
  try {
    access = await openConnection(scope, id);
  } catch (error) {
    throw isTollgateError(error) ? changedMeanwhile() : error;
  }
  if (access.secretVersion !== verified.access.secretVersion) throw changedMeanwhile();
  return { ...verified, access };
}

/** Builds the error after which the provider resends the webhook. */
function changedMeanwhile(): TollgateError {
  return new TollgateError('webhook_unverifiable', 'Its connection was changed by another request.', {
    retryAfter: 1,
  });
}

type Refused = Extract<Finding, { kind: 'refused' }>;

/** Finds the signing connection; a failed look-up is a refusal too. */
async function find(
  options: VerifierOptions,
  adapter: ProviderAdapter,
  delivery: WebhookDelivery,
  now: Instant,
): Promise<Finding> {
  try {
    return await findSigningConnection(options, adapter, delivery, now);
  } catch (error) {
    options.limitedLog.warn('look-up', { err: error }, 'the connection of a webhook could not be looked up');
    const reason = 'Its connection could not be looked up at the moment.';
    return { kind: 'refused', why: 'unavailable', reason, connection: null };
  }
}

/** Commits the audit of a refused webhook: for the only connection it can be for, or else in the platform's audit. */
async function refuse(
  audit: RefusalAudit,
  { environment: host, provider, connectionId, bytes, ip, requestId }: WebhookDelivery,
  finding: Refused,
  at: Instant,
): Promise<never> {
  const { why, reason, connection } = finding;
  if (connection === null) {
    const detail = { why, reason, connection: connectionId?.slice(0, 100) ?? null, bytes: bytes.length };
    const operator = { operatorId: null, ip, receivedAt: at };
    await audit.commit({
      platform: { operator, act: { action: 'webhook.refused', host, provider, detail } },
    });
  } else {
    const kind = why === 'invalid' ? 'signature' : 'unavailable';
    await audit.commit({ connection, failure: { kind, reason, at, requestId } });
  }
  if (why === 'invalid') throw new TollgateError('webhook_signature_invalid', reason);
  const code = why === 'busy' ? 'service_busy' : 'webhook_unverifiable';
  throw new TollgateError(code, reason, { retryAfter: finding.retryAfter ?? 60 });
}
