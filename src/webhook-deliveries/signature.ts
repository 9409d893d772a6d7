import { Webhook } from 'standardwebhooks';
import type { Instant } from '../domain/instant';

/**
 * Returns the headers of Standard Webhooks, with one signature per secret.
 *
 * @param secrets `whsec_…`, the current one first
 * @param at time of the attempt: receivers refuse messages older than five minutes
 */
export function signedHeaders(
  secrets: readonly string[],
  { messageId, payload }: { messageId: string; payload: string },
  at: Instant,
): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(messageId, new Date(at), payload));
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': signatures.join(' '),
  };
}
