import { classifyFailure } from '../db/failure';
import { isTollgateError, type TollgateError } from '../domain/errors';

/** Whether an error is a decision against the command, as opposed to a transient failure. */
export function isRefusal(error: unknown): error is TollgateError {
  return isTollgateError(error) && error.status < 500 && error.code !== 'idempotency_key_in_use';
}

/** Wraps a TollgateError that is no refusal in a plain Error, because activities report every TollgateError as a refusal. */
export function toRetryableError(error: unknown): unknown {
  return isTollgateError(error) ? new Error(error.detail, { cause: error }) : error;
}

/** Whether an error is a fault of ours, which a retry meets again. Trouble of the moment may arrive inside a plain error. */
export function isDefect(error: unknown): boolean {
  const isPassing = error instanceof Error && isTollgateError(error.cause);
  return !isPassing && classifyFailure(error) === 'defect';
}
