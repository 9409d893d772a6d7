import { Webhook } from 'standardwebhooks';
import type { Instant } from '../domain/instant';

/**
 * The headers of Standard Webhooks, with a signature by each secret.
 *
 * @param secrets `whsec_…`, the current one first
 * @param at when the attempt is made: receivers refuse what is older than five minutes
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
