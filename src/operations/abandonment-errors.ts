import { TollgateError } from '../domain/errors';

/**
 * The operation was abandoned before it ran: nothing was done, and it is not retried. Its caller may send it again with
 * the same key.
 */
export class OperationAbandonedError extends Error {
  override name = 'OperationAbandonedError';
  constructor(readonly operationId: string) {
    super(`The operation ${operationId} was abandoned before it started.`);
  }
}

/** Builds the 503 for an abandoned command. */
export function abandonedError(): TollgateError {
  return new TollgateError(
    'temporal_unavailable',
    'The command was abandoned before it started. Nothing was changed.',
    { retryAfter: 1 },
  );
}

/** Builds the error for a commit whose result was lost, so that the command may or may not have been accepted. */
export function unknownOutcomeError(cause: unknown): TollgateError {
  return new TollgateError(
    'internal_error',
    'The command may or may not have been accepted. Send the same request with the same Idempotency-Key again; it runs only once.',
    { cause },
  );
}
