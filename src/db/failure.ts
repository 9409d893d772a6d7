import { types } from 'node:util';
import { errorCode, isTollgateError, TollgateError } from '../domain/errors';
import { SQL_STATES } from './sql-state';
import { NoTurnError } from './turns';

/** What a failed transaction means to its callers. */
export type Failure =
  /** A lock or a conflict: each call may succeed when retried alone. */
  | 'contention'
  /**
   * The connection broke or was refused, or the database is shutting down or accepts no writes: whether a sent commit
   * took effect is unknown.
   */
  | 'connection'
  /** A defect in this service: a retry does not help. */
  | 'defect';

/** Includes unique violations: another transaction has just inserted the row. */
const CONTENTION: ReadonlySet<string> = new Set([
  SQL_STATES.lock_not_available,
  SQL_STATES.serialization_failure,
  SQL_STATES.deadlock_detected,
  SQL_STATES.query_canceled,
  SQL_STATES.unique_violation,
]);
/** Postgres refuses a login (28) only of a new connection: its password may just have been changed. */
const CONNECTION_CLASSES = [
  '08',
  '28',
  SQL_STATES.invalid_catalog_name,
  '57P',
  '53',
  SQL_STATES.idle_in_transaction_session_timeout,
  SQL_STATES.transaction_timeout,
  SQL_STATES.read_only_sql_transaction,
];
const SOCKET_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** Node refuses the server's certificate, so nothing was sent. */
const CERTIFICATE_ERRORS = new Set([
  'CERT_CHAIN_TOO_LONG',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  // The authority was replaced by another one of the same name.
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
/**
 * OpenSSL's codes for a certificate or key of ours that it cannot use (perhaps both are just being renewed), or that
 * Postgres refuses.
 */
const TLS_ERROR = /^ERR_(?:OSSL|SSL)_/;

/** Messages of pg and knex about a lost or unavailable connection, which have no code. */
const LOST_CONNECTION =
  /\b(read|write|connect|getaddrinfo) E[A-Z]+|Connection terminated|is not queryable|timeout exceeded when trying to connect|timeout expired|Timeout acquiring a connection/;

export function classifyFailure(error: unknown): Failure {
  if (!isError(error)) return 'defect';
  if (error instanceof NoTurnError) return 'connection';
  // Objection wraps the driver's error without its code.
  if ('nativeError' in error) return classifyFailure(error.nativeError);
  const code = errorCode(error) ?? '';
  if (CONTENTION.has(code)) return 'contention';
  if (
    isSessionEnded(error) ||
    SOCKET_ERRORS.has(code) ||
    isCertificateRefused(error) ||
    isTlsFailed(error) ||
    isFileUnreadable(error) ||
    CONNECTION_CLASSES.some((prefix) => code.startsWith(prefix))
  )
    return 'connection';
  if (LOST_CONNECTION.test(error.message)) return 'connection';
  return 'defect';
}

/**
 * Returns whether Postgres ended the session by this error, or refused to begin one, whatever its code says: the database
 * may accept no connections while its operator works on it (55000), or the role may not connect to it (42501). False if
 * `lc_messages` translates the severity.
 */
export function isSessionEnded(error: Error): boolean {
  const severity: unknown = Reflect.get(error, 'severity');
  return severity === 'FATAL' || severity === 'PANIC';
}

/** Returns whether the certificate of Postgres is invalid or has expired. */
export function isCertificateRefused(error: Error): boolean {
  return CERTIFICATE_ERRORS.has(errorCode(error) ?? '');
}

/** Returns whether OpenSSL or Postgres has refused a certificate or key of this process. */
export function isTlsFailed(error: Error): boolean {
  return TLS_ERROR.test(errorCode(error) ?? '');
}

/**
 * Returns whether a file cannot be read: to connect, the driver reads the certificates and the key that an address
 * names.
 */
export function isFileUnreadable(error: Error): boolean {
  const syscall: unknown = Reflect.get(error, 'syscall');
  return syscall === 'open' || (syscall === 'read' && errorCode(error) === 'EISDIR');
}

/**
 * Returns whether Postgres has rolled back the transaction in which this failed: after an ERROR nothing is kept, even
 * if the COMMIT failed. A FATAL or PANIC, or a connection that breaks, may follow the commit: older versions of
 * PgBouncer report that as an ERROR of class 08. Also false if `lc_messages` translates the severity.
 */
export function isRolledBack(error: unknown): boolean {
  if (!isError(error)) return false;
  const isErrorOfPostgres =
    Reflect.get(error, 'severity') === 'ERROR' && errorCode(error)?.startsWith('08') !== true;
  return isErrorOfPostgres || isRolledBack(error.cause);
}

/** Converts a failure to the error for the caller, with our codes instead of the database's. */
export function failureError(error: unknown): Error {
  if (isTollgateError(error)) return error;
  switch (classifyFailure(error)) {
    case 'connection':
      return new TollgateError(
        'service_unavailable',
        error instanceof NoTurnError ? error.message : 'The database cannot be reached at the moment.',
        { retryAfter: 1, cause: error },
      );
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

/**
 * Returns whether this is an error, including one from another realm, such as those of Node's own sockets in a test
 * runner's sandbox.
 */
export function isError(error: unknown): error is Error {
  return types.isNativeError(error) || error instanceof Error;
}
