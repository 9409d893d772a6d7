import { classifyFailure } from '../db/failure';
import { isTollgateError, type TollgateError } from '../domain/errors';

/** Returns whether an error is a decision against the command, rather than a transient failure. */
export function isRefusal(error: unknown): error is TollgateError {
  return isTollgateError(error) && error.status < 500 && error.code !== 'idempotency_key_in_use';
}

/**
 * Wraps a TollgateError that is not a refusal in a plain Error, because activities report every TollgateError as a
 * refusal.
 */
export function toRetryableError(error: unknown): unknown {
  return isTollgateError(error) ? new Error(error.detail, { cause: error }) : error;
}

/**
 * Returns whether an error is a bug that a retry would meet again. A transient failure may arrive wrapped in a plain
 * error.
 */
export function isDefect(error: unknown): boolean {
  const isPassing = error instanceof Error && isTollgateError(error.cause);
  return !isPassing && classifyFailure(error) === 'defect';
}
