import type { Claim, StoredAnswer } from '../idempotency/idempotency-store';
import { operationSchema } from '../operations/operation-resource';
import type { ApiKeyPrincipal, OperatorPrincipal } from './principals';
import type { Reply } from './route';
import type { SubmitResult } from '../operations/submit-result';

/**
 * Returns the claim on a route that requires an Idempotency-Key; the route layer has already refused requests without
 * one.
 */
export function requiredClaim(idempotency: Claim | null): Claim {
  if (idempotency === null) throw new Error('This route does not declare idempotencyKey: required.');
  return idempotency;
}

/** Builds the reply of an answer that is stored once and then replayed byte for byte. */
export function replayableReply(answer: StoredAnswer): Reply {
  return {
    status: answer.status,
    body: answer.body,
    headers: answer.replayed ? { 'Idempotency-Replayed': 'true' } : {},
  };
}

/** The 202 response of every command route. */
export const pendingOperation = {
  description: 'Accepted and still in progress; poll the address in `Location`.',
  schema: operationSchema,
  location: true as const,
};

/**
 * Builds the reply of a command: its answer, or 202 with a `Location` while it is in progress.
 *
 * @param caller its kind selects the `Location`, which is on the caller's own host
 */
export function commandReply(
  submitted: SubmitResult,
  { kind }: Pick<OperatorPrincipal | ApiKeyPrincipal, 'kind'>,
): Reply {
  if (submitted.kind === 'answered') return replayableReply(submitted.answer);
  const { operation } = submitted;
  const operations = kind === 'api_key' ? '/v1/operations' : '/api/billing/operations';
  return {
    status: 202,
    body: operation,
    headers: { Location: `${operations}/${operation.id}` },
  };
}
