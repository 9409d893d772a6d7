import { isTollgateError, type TollgateError } from '../domain/errors';

/** A decision against the command, rather than trouble of the moment. */
export function isRefusal(error: unknown): error is TollgateError {
  return isTollgateError(error) && error.status < 500 && error.code !== 'idempotency_key_in_use';
}

/** Trouble of the moment must not look like a decision to whoever tells them apart by their type. */
export function toRetryableError(error: unknown): unknown {
  return isTollgateError(error) ? new Error(error.detail, { cause: error }) : error;
}
