import type { ClientBase, Pool } from 'pg';
import type { Logger } from 'pino';

/**
 * Logs that a connection was lost, in one line: its stack is the driver's own, and an outage loses all of them at once.
 * The listener is also what keeps the process alive when a backend is terminated while its client is checked out.
 */
export function logLostConnection(client: ClientBase, log: Logger): void {
  client.on('error', (error: Error) => {
    log.warn({ reason: error.message }, 'a database connection was lost');
  });
}

/** The same for each connection of a pool. */
export function logLostConnections(pool: Pool, log: Logger): void {
  pool.on('connect', (client) => {
    logLostConnection(client, log);
  });
  // Of an idle one, which its own listener has logged.
  pool.on('error', () => undefined);
}
