import type { ClientBase, Pool } from 'pg';
import type { Logger } from 'pino';

/**
 * Logs a lost connection in one line: its stack is the driver's own, and an outage loses all connections at once. The
 * listener also keeps the process alive if a backend is terminated while its client is checked out.
 */
export function logLostConnection(client: ClientBase, log: Logger): void {
  client.on('error', (error: Error) => {
    log.warn({ reason: error.message }, 'a database connection was lost');
  });
}

/** Does the same for each connection of a pool. */
export function logLostConnections(pool: Pool, log: Logger): void {
  pool.on('connect', (client) => {
    logLostConnection(client, log);
  });
  // An idle connection's loss is already logged by its own listener.
  pool.on('error', () => undefined);
}
