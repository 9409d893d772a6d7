import type { ClientBase } from 'pg';
import { driverConnection } from './driver-connection';
import { hasSqlState } from './sql-state';

/** A younger connection is kept. Otherwise each statement during an outage would open a new one. */
const KEPT_MS = 5_000;

/** Connections whose sessions refuse writes by default, with the time at which they were opened. */
const readOnlySince = new WeakMap<ClientBase, number>();

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

/**
 * Notes from now on whether a connection's session is read-only. Postgres reports a change with the answer to the next
 * statement.
 *
 * @param client connected
 * @param isReadOnly whether it is now
 */
export function noteReadOnly(client: ClientBase, isReadOnly: boolean): void {
  const openedAt = performance.now();
  const note = (value: boolean): void => {
    if (value) readOnlySince.set(client, openedAt);
    else readOnlySince.delete(client);
  };
  note(isReadOnly);
  driverConnection(client).on('parameterStatus', (message) => {
    if (isStatusOf(message, 'default_transaction_read_only')) note(message.parameterValue === 'on');
  });
}

/**
 * Returns whether a pool may give this connection to a caller. A process that only reads for a while would otherwise
 * stay at a former primary that is read-only, and find nothing there to write.
 */
export function mayServeAgain(client: ClientBase): boolean {
  const openedAt = readOnlySince.get(client);
  return openedAt === undefined || performance.now() - openedAt < KEPT_MS;
}

function isStatusOf(message: unknown, name: string): message is { parameterValue: unknown } {
  return typeof message === 'object' && message !== null && Reflect.get(message, 'parameterName') === name;
}

function isOutsideTransaction(readyForQuery: unknown): boolean {
  return (
    typeof readyForQuery === 'object' &&
    readyForQuery !== null &&
    Reflect.get(readyForQuery, 'status') === 'I'
  );
}
