import { isError } from './failure';

/** The failure of one statement, with its name and the SQLSTATE, if Postgres returned one. */
export class StatementError extends Error {
  override name = 'StatementError';
  readonly code: string | undefined;

  constructor(
    readonly statement: string,
    cause: unknown,
  ) {
    super(isError(cause) ? cause.message : String(cause), { cause });
    this.code = isError(cause) && 'code' in cause ? String(cause.code) : undefined;
  }
}

/** A COMMIT that Postgres turned into a ROLLBACK because a statement before it had failed. */
export class RolledBackError extends Error {
  override name = 'RolledBackError';
}
