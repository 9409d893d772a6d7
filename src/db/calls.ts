import type { PoolClient } from 'pg';
import type { TransactionReason, WorkspaceScope } from '../tenancy/actor';
import { RolledBackError, StatementError } from './pipeline';
import type { Database, DbTransaction } from './pools';
import { StatementGroup, type Statement, type StatementResult } from './statement-group';
import { COMMIT, noteCommitted, takeOpening } from './transaction-edges';

/** A statement, and what its rows say. Its name stands for its text on every connection. */
export interface Call<Result> extends Statement {
  read(rows: Record<string, unknown>[]): Result;
  /** What its own failure means, where that is more than a failure of the database. */
  failed?(error: StatementError): Error;
}

/** What each of the calls answers. */
export type Results<Calls extends readonly Call<unknown>[]> = {
  -readonly [Index in keyof Calls]: Calls[Index] extends Call<infer Result> ? Result : never;
};

/**
 * Sends calls of the open transaction in one round trip. Each sees what those before it have written; after one that
 * fails, the rest is not run.
 *
 * @throws StatementError, or what the call makes of it
 */
export async function together<const Calls extends readonly Call<unknown>[]>(
  trx: DbTransaction,
  calls: Calls,
): Promise<Results<Calls>> {
  if (trx.isCompleted()) throw new Error('The transaction has ended.');
  return send(await connectionOf(trx), calls);
}

/** The same: calls whose results do not matter, and one that sees what they have done. */
export async function togetherThen<Result>(
  trx: DbTransaction,
  writes: readonly Call<unknown>[],
  read: Call<Result>,
): Promise<Result> {
  const results: unknown[] = await together(trx, [...writes, read]);
  return results.at(-1) as Result;
}

/**
 * The same, and commits in that round trip. The open transaction takes nothing afterwards, and is to be left at once.
 *
 * @param calls what they answer decides nothing: by then it is committed
 */
export async function togetherAndCommit<const Calls extends readonly Call<unknown>[]>(
  trx: DbTransaction,
  calls: Calls,
): Promise<Results<Calls>> {
  if (trx.isCompleted()) throw new Error('The transaction has ended.');
  const connection = await connectionOf(trx);
  const answers = await answersOf(connection, calls, [...takeOpening(connection), ...calls, COMMIT]);
  const tag = answers.at(-1)?.command;
  if (tag !== 'COMMIT') throw new RolledBackError(`The transaction ended with ${tag ?? 'nothing'}.`);
  noteCommitted(connection);
  return resultsOf(calls, answers.slice(-calls.length - 1));
}

/**
 * Runs calls as a transaction of their own, which is sent, decided and committed in one round trip.
 *
 * @throws StatementError, or what the call makes of it; when its failure is one of the connection, the transaction may
 *   be committed
 */
export async function inOneRoundTrip<const Calls extends readonly Call<unknown>[]>(
  database: Database,
  calls: Calls,
): Promise<Results<Calls>> {
  const connection = await connectionOf(database);
  try {
    return await send(connection, calls);
  } finally {
    await poolOf(database).releaseConnection(connection);
  }
}

/**
 * The tenant's context (`workspace-transaction.ts`), for this transaction only, whose statements look rows up by key and
 * are planned once for a connection.
 *
 * @param requestId names the request in the developer events; null where there is none
 */
export function contextCall(
  { workspaceId, environment }: WorkspaceScope,
  reason: TransactionReason,
  requestId: string | null,
): Call<void> {
  return {
    name: 'workspace_context',
    text: `SELECT set_config('tollgate.workspace_id', $1, true), set_config('tollgate.environment', $2, true),
                  set_config('tollgate.reason', $3, true), set_config('tollgate.request_id', $4, true),
                  set_config('plan_cache_mode', 'force_generic_plan', true)`,
    values: [workspaceId, environment, reason, requestId ?? ''],
    read: nothing,
  };
}

/**
 * Has the transaction's statements planned as look-ups by key: a plan made while a table was small is kept while it grows,
 * and one that joins a list of keys must not read the tenant's whole table.
 */
export function keyLookupsCall(): Call<void> {
  return {
    name: 'key_lookups',
    text: `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
                  set_config('enable_mergejoin', 'off', true)`,
    values: [],
    read: nothing,
  };
}

/**
 * Lets the transaction's commit be answered before it is on disk: only for what is done again, and may be, where a crash
 * of Postgres takes it back.
 */
export function lazyCommitCall(): Call<void> {
  return {
    name: 'lazy_commit',
    text: "SELECT set_config('synchronous_commit', 'off', true)",
    values: [],
    read: nothing,
  };
}

/** The rows say nothing. */
export function nothing(): void {
  return undefined;
}

async function send<const Calls extends readonly Call<unknown>[]>(
  connection: PoolClient,
  calls: Calls,
): Promise<Results<Calls>> {
  const opening = takeOpening(connection);
  const answers = await answersOf(connection, calls, [...opening, ...calls]);
  return resultsOf(calls, answers.slice(opening.length));
}

function answersOf(
  connection: PoolClient,
  calls: readonly Call<unknown>[],
  statements: readonly Statement[],
): Promise<StatementResult[]> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown, name: string): void => {
      const failure = new StatementError(name, error);
      reject(calls.find((call) => call.name === name)?.failed?.(failure) ?? failure);
    };
    connection.query(new StatementGroup(statements, resolve, fail));
  });
}

function resultsOf<const Calls extends readonly Call<unknown>[]>(
  calls: Calls,
  answers: readonly StatementResult[],
): Results<Calls> {
  return calls.map((call, index) => call.read(answers[index]?.rows ?? [])) as Results<Calls>;
}

/** What knex does not declare: a transaction's client always answers the transaction's one connection. */
interface ConnectionPool {
  acquireConnection(): Promise<PoolClient>;
  releaseConnection(connection: PoolClient): Promise<void>;
}

function poolOf(database: Database | DbTransaction): ConnectionPool {
  return database.client as ConnectionPool;
}

function connectionOf(database: Database | DbTransaction): Promise<PoolClient> {
  return poolOf(database).acquireConnection();
}
