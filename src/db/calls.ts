import type { PoolClient } from 'pg';
import type { TransactionReason, WorkspaceScope } from '../tenancy/actor';
import { RolledBackError, StatementError } from './statement-error';
import type { Database, DbTransaction } from './pools';
import { StatementGroup, type Statement, type StatementResult } from './statement-group';
import { COMMIT, noteCommitted, takeOpening } from './transaction-edges';

/** A statement and the conversion of its rows. Its name identifies its text on every connection. */
export interface Call<Result> extends Statement {
  read(rows: Record<string, unknown>[]): Result;
  /** Converts its own failure, if that is more than a database failure. */
  failed?(error: StatementError): Error;
}

/** Result types of the calls. */
export type Results<Calls extends readonly Call<unknown>[]> = {
  -readonly [Index in keyof Calls]: Calls[Index] extends Call<infer Result> ? Result : never;
};

/**
 * Sends calls of the open transaction in one round trip. Each sees the writes of those before it; after a failure the
 * rest is not run.
 *
 * @throws StatementError, or the error that the call's `failed` returns
 */
export async function together<const Calls extends readonly Call<unknown>[]>(
  trx: DbTransaction,
  calls: Calls,
): Promise<Results<Calls>> {
  if (trx.isCompleted()) throw new Error('The transaction has ended.');
  return send(await connectionOf(trx), calls);
}

/** Does the same for writes without results, followed by one read that sees them. */
export async function togetherThen<Result>(
  trx: DbTransaction,
  writes: readonly Call<unknown>[],
  read: Call<Result>,
): Promise<Result> {
  const results: unknown[] = await together(trx, [...writes, read]);
  return results.at(-1) as Result;
}

/**
 * Does the same and commits in the same round trip. The transaction accepts nothing afterwards; the caller must leave
 * it at once.
 *
 * @param calls their results must not decide anything, because they arrive after the commit
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
 * Runs calls as a transaction of their own, sent, decided and committed in one round trip.
 *
 * @throws StatementError, or the error that the call's `failed` returns; after a connection failure the transaction may
 *   have been committed
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
 * Sets the tenant's context (`workspace-transaction.ts`) for this transaction only. Its statements look rows up by key
 * and are planned once per connection.
 *
 * @param requestId identifies the request in the developer events; null if none
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
 * Makes the transaction's statements plan as look-ups by key. A plan made while a table was small is kept while it
 * grows, and a plan that joins a list of keys must not read the tenant's whole table.
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
 * Answers the transaction's commit before it is on disk. Only for work that is repeated, safely, if a crash of Postgres
 * loses it.
 */
export function lazyCommitCall(): Call<void> {
  return {
    name: 'lazy_commit',
    text: "SELECT set_config('synchronous_commit', 'off', true)",
    values: [],
    read: nothing,
  };
}

/** Types rows by what their statement selects; nothing checks that they agree. */
export function rowsAs<Row extends object>(rows: readonly object[]): Row[] {
  return rows as Row[];
}

/** Ignores the rows. */
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

/** Converts the rows of each call. */
export function resultsOf<const Calls extends readonly Call<unknown>[]>(
  calls: Calls,
  answers: readonly StatementResult[],
): Results<Calls> {
  return calls.map((call, index) => call.read(answers[index]?.rows ?? [])) as Results<Calls>;
}

/** Not declared by knex: a transaction's client always returns the transaction's one connection. */
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
