import { TollgateError } from '../domain/errors';

/**
 * The command had been given up when it was to be carried out: nothing was done, and it is not tried again. Whoever
 * waited for it may send it again with its key.
 */
export class OperationAbandonedError extends Error {
  override name = 'OperationAbandoned';
  constructor(readonly operationId: string) {
    super(`The operation ${operationId} was given up before it was begun.`);
  }
}

/** What the caller of a command is told that was given up. */
export function abandonedError(): TollgateError {
  return new TollgateError(
    'temporal_unavailable',
    'The command was given up before it was begun, and nothing was done.',
    { retryAfter: 1 },
  );
}

/** What the caller is told when the database broke as a decision was committed: it may stand, or not. */
export function unknownOutcomeError(cause: unknown): TollgateError {
  return new TollgateError(
    'internal_error',
    'It is not known whether the command was taken. The same request with the same Idempotency-Key is carried out once, and says.',
    { cause },
  );
}
