import { Pool } from 'pg';
import type { Logger } from 'pino';

/**
 * The relay's connection pool. Its role reads and writes the queue's tables and cannot change the schema.
 *
 * @param url connection URL of tollgate_relay
 */
export function openQueuePool(url: string, max: number, log: Logger): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: 'tollgate-relay',
    max,
    connectionTimeoutMillis: 5_000,
  });
  pool.on('error', (error) => {
    log.warn({ err: error }, 'an idle database connection was lost');
  });
  pool.on('connect', (client) => {
    client.on('error', (error) => {
      log.warn({ err: error }, 'a database connection was lost');
    });
  });
  return pool;
}
