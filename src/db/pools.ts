import knex, { type Knex } from 'knex';
import { Pool, types, type Client, type PoolClient } from 'pg';
import type { Logger } from 'pino';
import { endWhenSilent } from './end-when-silent';
import { logLostConnection, logLostConnections } from './log-lost-connections';
import { refuseStandby } from './refuse-standby';
import { repeatedStatements } from './repeated-statements';
import { holdBackTransactionEdges } from './transaction-edges';

export type Database = Knex;
export type DbTransaction = Knex.Transaction;

/** Postgres int8 and numeric stay text: a double would round them. timestamptz becomes epoch milliseconds. */
types.setTypeParser(types.builtins.TIMESTAMPTZ, (text) => Date.parse(text));

/** A new connection costs Postgres more than ten commands do: authentication, empty caches, every statement planned again. */
const IDLE_MS = 5 * 60_000;

/** Postgres ends statements of the pool behind knex after this time, and those of the hot path after the other. */
const STATEMENT_MS = 30_000;
const HOT_STATEMENT_MS = 10_000;
/** How much longer its own word is waited for. */
const SILENCE_MS = 5_000;

interface PoolOptions {
  max: number;
  applicationName: string;
  log: Logger;
  /** How long Postgres may send nothing while it owes an answer (milliseconds); null waits for the kernel. */
  silenceMs?: number | null;
}

/** The pool behind knex, for everything but the hot path. */
export function openDatabase(url: string, options: PoolOptions): Database {
  const { silenceMs = STATEMENT_MS + SILENCE_MS } = options;
  const prepareRepeated = repeatedStatements();
  return knex({
    client: 'pg',
    // An error's text goes to the log: the statement as it was written, and never the values bound to it.
    compileSqlOnError: false,
    connection: {
      connectionString: url,
      application_name: options.applicationName,
      keepAlive: true,
      // A statement that a caller has given up on must not hold its locks for ever.
      statement_timeout: STATEMENT_MS,
      idle_in_transaction_session_timeout: 30_000,
    } as Knex.PgConnectionConfig,
    log: {
      warn: (message: unknown) => {
        options.log.warn({ detail: firstLine(message) }, 'the query builder warns');
      },
      error: (message: unknown) => {
        options.log.warn({ detail: firstLine(message) }, 'the query builder reports an error');
      },
    },
    pool: {
      min: 0,
      max: options.max,
      acquireTimeoutMillis: 5_000,
      idleTimeoutMillis: IDLE_MS,
      afterCreate: (
        connection: PoolClient & Client,
        done: (error: Error | null, connection: PoolClient) => void,
      ) => {
        logLostConnection(connection, options.log);
        if (silenceMs !== null) endWhenSilent(connection, silenceMs);
        refuseStandby(connection, (error) => {
          if (error === undefined) {
            prepareRepeated(connection);
            holdBackTransactionEdges(connection);
          } else {
            // The pool knows no connection that was refused it.
            connection.end(() => undefined);
          }
          done(error ?? null, connection);
        });
      },
    },
  });
}

/** What knex says of an error; the frames of its stack are knex's own, and fill the log in an outage. */
function firstLine(message: unknown): string {
  return String(message).split('\n', 1)[0] ?? '';
}

/**
 * The planner's settings for the hot path, whose statements look rows up by key and nothing else. Generic plans,
 * because planning the context query costs more than running it; and no plan that reads a whole tenant, because
 * a plan made while a table was small is kept while it grows.
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

/**
 * The hot path's own pool, in `pg`'s pipeline mode: statements that do not depend on each other travel
 * together.
 */
export function openPipelinedPool(url: string, options: PoolOptions): Pool {
  const { silenceMs = HOT_STATEMENT_MS + SILENCE_MS } = options;
  const pool = new Pool({
    connectionString: url,
    application_name: options.applicationName,
    max: options.max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    pipeline: true,
    keepAlive: true,
    verify: refuseStandby,
    options: Object.entries(KEY_LOOKUPS_ONLY)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  });
  logLostConnections(pool, options.log);
  if (silenceMs !== null)
    pool.on('connect', (client) => {
      endWhenSilent(client, silenceMs);
    });
  return pool;
}
