import knex, { type Knex } from 'knex';
import { Pool, types, type Client, type PoolClient } from 'pg';
import type { Logger } from 'pino';
import { checkConnection, checkedConnections } from './checked-connections';
import { mayServeAgain } from './end-when-read-only';
import type { Peers } from './end-when-silent';
import { logLostConnection, logLostConnections } from './log-lost-connections';
import { PooledClient } from './pooled-client';
import { repeatedStatements } from './repeated-statements';
import { sessionOptions } from './session-options';
import { takeTurns } from './turns';
import { holdBackTransactionEdges } from './transaction-edges';
import { MINUTE_MS } from '../domain/instant';

export type Database = Knex;
export type DbTransaction = Knex.Transaction;

/** Postgres int8 and numeric stay text, because a double would round them. timestamptz becomes epoch milliseconds. */
types.setTypeParser(types.builtins.TIMESTAMPTZ, (text) => Date.parse(text));

/**
 * A new connection costs Postgres more than ten commands: authentication, empty caches, every statement planned again.
 */
const IDLE_MS = 5 * MINUTE_MS;
/**
 * How long knex's pool waits for a new connection. The driver must give it up then as well: it would otherwise keep one
 * more socket open for each attempt while something accepts connections and does not answer.
 */
const CREATE_MS = 30_000;

/**
 * Application name of `npm run verify`: its transactions read everything, however long that takes, and write nothing.
 */
export const VERIFIER = 'tollgate-verify';

/** Statement time-outs of the pool behind knex and of the hot path. */
const STATEMENT_MS = 30_000;
const HOT_STATEMENT_MS = 10_000;
/** Extra time to wait for Postgres's own time-out error. */
const SILENCE_MS = 5_000;

interface PoolOptions {
  max: number;
  applicationName: string;
  log: Logger;
  /** How long Postgres may send nothing while it owes an answer (milliseconds); null waits for the kernel. */
  silenceMs?: number | null;
}

/** Opens the pool behind knex, used for everything but the hot path. */
export function openDatabase(url: string, options: PoolOptions): Database {
  const { silenceMs = STATEMENT_MS + SILENCE_MS } = options;
  const prepareRepeated = repeatedStatements();
  const peers: Peers = new Set();
  const database = knex({
    client: 'pg',
    // Error texts are logged: they show the statement as written, never its bound values.
    compileSqlOnError: false,
    connection: {
      ...sessionOptions(url),
      application_name: options.applicationName,
      keepAlive: true,
      connectionTimeoutMillis: CREATE_MS,
      // A statement that its caller has given up on must not hold its locks indefinitely.
      statement_timeout: STATEMENT_MS,
      idle_in_transaction_session_timeout: 30_000,
    } as Knex.PgConnectionConfig,
    log: {
      warn: (message: unknown) => {
        const detail = firstLine(message);
        options.log[KNOWN.test(detail) ? 'debug' : 'warn']({ detail }, 'the query builder warns');
      },
      error: (message: unknown) => {
        options.log.warn({ detail: firstLine(message) }, 'the query builder reports an error');
      },
    },
    pool: {
      min: 0,
      max: options.max,
      acquireTimeoutMillis: 5_000,
      createTimeoutMillis: CREATE_MS,
      idleTimeoutMillis: IDLE_MS,
      validate: mayServeAgain,
      afterCreate: (
        connection: PoolClient & Client,
        done: (error: unknown, connection: PoolClient) => void,
      ) => {
        logLostConnection(connection, options.log);
        checkConnection(connection, silenceMs, peers).then(
          () => {
            prepareRepeated(connection);
            holdBackTransactionEdges(connection);
            done(null, connection);
          },
          (error: unknown) => {
            // The pool does not track a connection that failed here.
            connection.end(() => undefined);
            done(error, connection);
          },
        );
      },
    },
  });
  takeTurns(database, options.max);
  return database;
}

/**
 * Warnings of knex that repeat others: the caller that got no connection logs the reason with its request, and a lost
 * connection is logged by its own listener.
 */
const KNOWN = /^(?:Acquire connection error|Connection Error): /;

/** Returns the first line of knex's error; the stack frames are knex's own, and would fill the log in an outage. */
function firstLine(message: unknown): string {
  return String(message).split('\n', 1)[0] ?? '';
}

/**
 * Planner settings for the hot path, whose statements only look rows up by key. Plans are generic, because planning the
 * context query costs more than running it. Plans that read a whole tenant are disabled, because a plan made while a
 * table was small is kept while it grows.
 */
const KEY_LOOKUPS_ONLY = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
  statement_timeout: String(HOT_STATEMENT_MS),
  idle_in_transaction_session_timeout: '10000',
};

/** Opens the hot path's own pool, in `pg`'s pipeline mode: independent statements are sent together. */
export function openPipelinedPool(url: string, options: PoolOptions): Pool {
  const { silenceMs = HOT_STATEMENT_MS + SILENCE_MS } = options;
  const pool = new Pool({
    Client: PooledClient,
    ...sessionOptions(url, KEY_LOOKUPS_ONLY),
    application_name: options.applicationName,
    max: options.max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    pipeline: true,
    keepAlive: true,
    ...checkedConnections(silenceMs),
  });
  logLostConnections(pool, options.log);
  return pool;
}
