import type { ClientBase } from 'pg';
import { SQL_STATES } from './sql-state';

/** Fails a connection as a write on it would fail. */
class StandbyError extends Error {
  readonly code = SQL_STATES.read_only_sql_transaction;

  constructor() {
    super('it is a standby');
  }
}

/**
 * Lets no pool keep a connection to a standby. After a failover the database's name may lead to the former primary for
 * a while; a connection of that while would refuse each write for as long as it is kept. This is libpq's
 * `target_session_attrs=primary`, which the driver does not have.
 *
 * @param client connected
 * @param done called without an error where it may be used, as pg-pool's `verify` wants it; else with a StandbyError, which
 * counts as a failed connection (`classifyFailure`), or with why it could not be asked
 */
export function refuseStandby(client: ClientBase, done: (error?: Error) => void): void {
  client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby').then(({ rows: [row] }) => {
    done(row?.standby === true ? new StandbyError() : undefined);
  }, done);
}
