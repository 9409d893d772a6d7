import { Pool, type PoolClient } from 'pg';
import type { Logger } from 'pino';
import { checkedConnections } from '../db/checked-connections';
import { logLostConnections } from '../db/log-lost-connections';
import { PooledClient } from '../db/pooled-client';
import { sessionOptions } from '../db/session-options';
import { errorMessage } from '../domain/errors';

/** How long Postgres may send nothing while it owes an answer. */
const SILENCE_MS = 35_000;

type ConnectCallback = Parameters<Pool['connect']>[0];

/**
 * Reports a connection that could not be opened without its code. For some codes (57P03 while Postgres starts,
 * EHOSTUNREACH) graphile-worker 0.17 repeats the statement itself, with pauses of up to three minutes that neither
 * `stop` nor the return of Postgres ends, and reports nothing meanwhile.
 */
class QueuePool extends Pool {
  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    if (callback !== undefined) {
      super.connect(callback);
      return undefined;
    }
    return super.connect().catch((error: unknown) => {
      throw new Error(errorMessage(error), { cause: error });
    });
  }
}

/**
 * Opens the relay's connection pool. Its role reads and writes the queue's tables and cannot change the schema.
 *
 * @param url connection URL of tollgate_relay
 */
export function openQueuePool(url: string, max: number, log: Logger): Pool {
  const pool = new QueuePool({
    Client: PooledClient,
    ...sessionOptions(url),
    application_name: 'tollgate-relay',
    max,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    ...checkedConnections(SILENCE_MS),
  });
  logLostConnections(pool, log);
  return pool;
}
