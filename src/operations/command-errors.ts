import { isTollgateError, type TollgateError } from '../domain/errors';

/** Whether an error is a decision against the command, as opposed to a transient failure. */
export function isRefusal(error: unknown): error is TollgateError {
  return isTollgateError(error) && error.status < 500 && error.code !== 'idempotency_key_in_use';
}

/** Wraps a TollgateError that is no refusal in a plain Error, because activities report every TollgateError as a refusal. */
export function toRetryableError(error: unknown): unknown {
  return isTollgateError(error) ? new Error(error.detail, { cause: error }) : error;
}
