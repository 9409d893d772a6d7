import { Pool } from 'pg';
import type { Logger } from 'pino';
import { endWhenSilent } from '../db/end-when-silent';
import { logLostConnections } from '../db/log-lost-connections';
import { refuseStandby } from '../db/refuse-standby';

/** How long Postgres may send nothing while it owes an answer. */
const SILENCE_MS = 35_000;

/**
 * Opens the relay's connection pool. Its role reads and writes the queue's tables and cannot change the schema.
 *
 * @param url connection URL of tollgate_relay
 */
export function openQueuePool(url: string, max: number, log: Logger): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: 'tollgate-relay',
    max,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    verify: refuseStandby,
  });
  logLostConnections(pool, log);
  pool.on('connect', (client) => {
    endWhenSilent(client, SILENCE_MS);
  });
  return pool;
}
