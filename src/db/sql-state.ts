import { errorCode } from '../domain/errors';

/** The SQLSTATEs of Postgres that the service acts on. */
export const SQL_STATES = {
  check_violation: '23514',
  deadlock_detected: '40P01',
  foreign_key_violation: '23503',
  /** There is no such database. */
  invalid_catalog_name: '3D000',
  invalid_password: '28P01',
  invalid_schema_name: '3F000',
  /** The lock time-out ran out. */
  lock_not_available: '55P03',
  /** Also of a statement time-out. */
  query_canceled: '57014',
  /** The database takes no writes: a standby, or one that its operator has set so, as where its disk is full. */
  read_only_sql_transaction: '25006',
  serialization_failure: '40001',
  undefined_column: '42703',
  undefined_function: '42883',
  undefined_table: '42P01',
  unique_violation: '23505',
} as const;

/** True for an error of Postgres in this state, as the driver threw it or as Objection wraps it. */
export function hasSqlState(error: unknown, state: keyof typeof SQL_STATES): boolean {
  if (typeof error === 'object' && error !== null && 'nativeError' in error)
    return hasSqlState(error.nativeError, state);
  return errorCode(error) === SQL_STATES[state];
}

/** True where a statement names what a migration would have made. */
export function isSchemaMissing(error: unknown): boolean {
  const states = [
    'invalid_schema_name',
    'undefined_table',
    'undefined_column',
    'undefined_function',
  ] as const;
  return states.some((state) => hasSqlState(error, state));
}
