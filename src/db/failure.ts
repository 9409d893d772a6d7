import { types } from 'node:util';
import { errorCode, isTollgateError, TollgateError } from '../domain/errors';
import { SQL_STATES } from './sql-state';

/** What a failed transaction means for those who wait for it. */
export type Failure =
  /** A lock or a conflict: each call may succeed when it is retried alone. */
  | 'contention'
  /**
   * The connection broke, or the database is going down or takes no writes: whether a sent commit took effect is unknown.
   */
  | 'connection'
  /** A defect in this service: a retry does not help. */
  | 'defect';

/** A unique violation too: another transaction has just inserted the row. */
const CONTENTION: ReadonlySet<string> = new Set([
  SQL_STATES.lock_not_available,
  SQL_STATES.serialization_failure,
  SQL_STATES.deadlock_detected,
  SQL_STATES.query_canceled,
  SQL_STATES.unique_violation,
]);
const CONNECTION_CLASSES = ['08', '57P', '53', SQL_STATES.read_only_sql_transaction];
const SOCKET_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
]);

/** What pg and knex say of a lost or unavailable connection, without a code. */
const LOST_CONNECTION =
  /\b(read|write|connect) E[A-Z]+|Connection terminated|is not queryable|timeout exceeded when trying to connect|Timeout acquiring a connection/;

export function classifyFailure(error: unknown): Failure {
  if (!isError(error)) return 'defect';
  // Objection wraps what the driver threw, without its code.
  if ('nativeError' in error) return classifyFailure(error.nativeError);
  const code = errorCode(error) ?? '';
  if (CONTENTION.has(code)) return 'contention';
  if (SOCKET_ERRORS.has(code) || CONNECTION_CLASSES.some((prefix) => code.startsWith(prefix)))
    return 'connection';
  if (LOST_CONNECTION.test(error.message)) return 'connection';
  return 'defect';
}

/** The error that a caller gets when its call could not be processed: what the database said, in our codes. */
export function failureError(error: unknown): Error {
  if (isTollgateError(error)) return error;
  switch (classifyFailure(error)) {
    case 'connection':
      return new TollgateError('service_unavailable', 'The database cannot be reached at the moment.', {
        retryAfter: 1,
        cause: error,
      });
    case 'contention':
      return new TollgateError(
        'service_busy',
        'A record that this request changes is locked at the moment.',
        {
          retryAfter: 1,
          cause: error,
        },
      );
    case 'defect':
      return isError(error) ? error : new Error(String(error));
  }
}

/** Also true of errors that another realm made, as a test runner's sandbox sees those of Node's own sockets. */
export function isError(error: unknown): error is Error {
  return types.isNativeError(error) || error instanceof Error;
}
