import type { ClientBase } from 'pg';
import { driverConnection } from './driver-connection';
import { hasSqlState } from './sql-state';

/** A younger connection is kept. Otherwise each write during an outage would open a new one. */
const KEPT_MS = 5_000;

/**
 * Ends a connection after Postgres has refused a write on it, once its transaction is over. A session keeps the
 * `default_transaction_read_only` that its database or role had when it began: it would refuse every write for as long
 * as it is kept, also after the database accepts them again.
 *
 * @param client connected
 */
export function endWhenReadOnly(client: ClientBase): void {
  const { stream, on } = driverConnection(client);
  const openedAt = performance.now();
  let isRefused = false;
  on('errorMessage', (error) => {
    if (hasSqlState(error, 'read_only_sql_transaction')) isRefused = true;
  });
  on('readyForQuery', (message) => {
    if (!isRefused || !isOutsideTransaction(message)) return;
    if (performance.now() - openedAt >= KEPT_MS)
      stream.destroy(new Error('Connection terminated: Postgres accepted no writes on it.'));
    // A younger one ends with the first refusal after that age.
    isRefused = false;
  });
}

function isOutsideTransaction(readyForQuery: unknown): boolean {
  return (
    typeof readyForQuery === 'object' &&
    readyForQuery !== null &&
    Reflect.get(readyForQuery, 'status') === 'I'
  );
}
