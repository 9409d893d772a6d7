import { errorCode } from '../domain/errors';

/** Postgres SQLSTATEs that the service handles. */
export const SQL_STATES = {
  check_violation: '23514',
  deadlock_detected: '40P01',
  disk_full: '53100',
  foreign_key_violation: '23503',
  insufficient_privilege: '42501',
  /** `pg_hba.conf` or the role allows no login. */
  invalid_authorization_specification: '28000',
  idle_in_transaction_session_timeout: '25P03',
  /** The database does not exist. */
  invalid_catalog_name: '3D000',
  /** At the start of a session: of the role that it asks for, or of another setting. */
  invalid_parameter_value: '22023',
  invalid_password: '28P01',
  invalid_schema_name: '3F000',
  /** The lock time-out expired. */
  lock_not_available: '55P03',
  /** Also after a statement time-out. */
  query_canceled: '57014',
  /**
   * The database accepts no writes: a standby, or one set read-only by its operator, for example because its disk is
   * full.
   */
  read_only_sql_transaction: '25006',
  serialization_failure: '40001',
  too_many_connections: '53300',
  /** The transaction took longer than the operator allows; Postgres has closed its connection. */
  transaction_timeout: '25P04',
  undefined_column: '42703',
  undefined_function: '42883',
  /** At the start of a session: it asks for a setting that does not exist. */
  undefined_object: '42704',
  undefined_table: '42P01',
  unique_violation: '23505',
} as const;

/** Returns whether this is a Postgres error with this state, as thrown by the driver or wrapped by Objection. */
export function hasSqlState(error: unknown, state: keyof typeof SQL_STATES): boolean {
  if (typeof error === 'object' && error !== null && 'nativeError' in error)
    return hasSqlState(error.nativeError, state);
  return errorCode(error) === SQL_STATES[state];
}

/** Returns whether a statement names an object that a migration would have created. */
export function isSchemaMissing(error: unknown): boolean {
  const states = [
    'invalid_schema_name',
    'undefined_table',
    'undefined_column',
    'undefined_function',
  ] as const;
  return states.some((state) => hasSqlState(error, state));
}
