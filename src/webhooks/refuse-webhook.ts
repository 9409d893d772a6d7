import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { WebhookDelivery } from './delivery';
import type { Finding } from './find-connection';
import type { Refusals } from './refusals';

/**
 * Commits the audit of a webhook that no connection's signature stands for: with the connection that it could only be
 * for, or else with the platform's.
 *
 * @throws TollgateError webhook_signature_invalid, webhook_unverifiable, service_busy; always one of them
 */
export async function refuse(
  refusals: Refusals,
  { environment: host, provider, connectionId, bytes, ip, requestId }: WebhookDelivery,
  finding: Extract<Finding, { kind: 'refused' }>,
  at: Instant,
): Promise<never> {
  const { why, reason, connection } = finding;
  if (connection === null) {
    const detail = { why, reason, connection: connectionId?.slice(0, 100) ?? null, bytes: bytes.length };
    const operator = { operatorId: null, ip, receivedAt: at };
    await refusals.commit({
      platform: { operator, act: { action: 'webhook.refused', host, provider, detail } },
    });
  } else {
    const kind = why === 'invalid' ? 'signature' : 'unavailable';
    await refusals.commit({ connection, failure: { kind, reason, at, requestId } });
  }
  if (why === 'invalid') throw new TollgateError('webhook_signature_invalid', reason);
  const code = why === 'busy' ? 'service_busy' : 'webhook_unverifiable';
  throw new TollgateError(code, reason, { retryAfter: finding.retryAfter ?? 60 });
}
