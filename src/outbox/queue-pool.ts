import { Pool } from 'pg';
import type { Logger } from 'pino';

/**
 * The relay's connections. They work as the job queue's owner, of which the relay's login is a member: the queue's
 * tables have row-level security, and whatever the queue makes belongs to that role.
 *
 * @param url the address of tollgate_relay
 */
export function openQueuePool(url: string, max: number, log: Logger): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: 'tollgate-relay',
    max,
    connectionTimeoutMillis: 5_000,
    options: '-c role=tollgate_outbox',
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
