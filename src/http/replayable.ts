import type { Claim, StoredAnswer } from '../idempotency/idempotency-store';
import type { Reply } from './route';

/** The claim of a route that requires an Idempotency-Key; the route layer has refused the request without one. */
export function requiredClaim(idempotency: Claim | null): Claim {
  if (idempotency === null) throw new Error('This route does not declare idempotencyKey: required.');
  return idempotency;
}

/** The reply of an answer that is given once and then replayed, byte for byte. */
export function replayableReply(answer: StoredAnswer): Reply {
  return {
    status: answer.status,
    body: answer.body,
    headers: answer.replayed ? { 'Idempotency-Replayed': 'true' } : {},
  };
}
