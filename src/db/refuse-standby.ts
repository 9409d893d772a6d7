import type { ClientBase } from 'pg';
import { SQL_STATES } from './sql-state';

/** Fails a connection the way a write on it would fail. */
class StandbyError extends Error {
  readonly code = SQL_STATES.read_only_sql_transaction;

  constructor() {
    super('it is a standby');
  }
}

/**
 * Keeps connections to a standby out of a pool. After a failover the database's name may resolve to the former primary
 * for a while; a connection opened then would refuse every write for as long as it is kept. This is libpq's
 * `target_session_attrs=primary`, which the driver lacks.
 *
 * @param client connected
 * @returns whether the session refuses writes by default
 * @throws StandbyError, which counts as a failed connection (`classifyFailure`), or the error of the query
 */
export async function refuseStandby(client: ClientBase): Promise<{ isReadOnly: boolean }> {
  const { rows } = await client.query<{ standby: boolean; isReadOnly: boolean }>(
    `SELECT pg_is_in_recovery() AS standby, current_setting('default_transaction_read_only') = 'on' AS "isReadOnly"`,
  );
  if (rows[0]?.standby === true) throw new StandbyError();
  return { isReadOnly: rows[0]?.isReadOnly === true };
}
