import type { Pool, PoolClient, QueryResult } from 'pg';
import { isError } from './failure';
import type { TransactionReason, WorkspaceScope } from '../tenancy/scope';

/** A named (prepared) statement with its values. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** The tenant of a transaction, and how long it waits for locks. */
export interface TransactionContext {
  scope: WorkspaceScope;
  reason: TransactionReason;
  lockTimeoutMs: number;
}

/** What follows the first failure in a transaction: "current transaction is aborted". */
const ABORTED = '25P02';

/** The failure of one statement: its name, and the SQLSTATE where Postgres gave one. */
export class StatementError extends Error {
  override name = 'StatementError';
  readonly code: string | undefined;

  constructor(
    readonly statement: string,
    cause: unknown,
  ) {
    super(isError(cause) ? cause.message : String(cause), { cause });
    this.code = isError(cause) && 'code' in cause ? String(cause.code) : undefined;
  }
}

/** A COMMIT that Postgres turned into a ROLLBACK because a statement before it had failed. */
class RolledBackError extends Error {
  override name = 'RolledBackError';
}

/**
 * One transaction on a pipelined connection, in as few round trips as its data needs: statements handed over
 * together travel together.
 */
export class PipelinedTransaction {
  private constructor(private readonly client: PoolClient) {}

  /** Runs `work`, which must end with `commit`; anything else rolls back. */
  static async run<Result>(
    pool: Pool,
    work: (transaction: PipelinedTransaction) => Promise<Result>,
  ): Promise<Result> {
    const client = await pool.connect();
    let broken: Error | boolean = true;
    try {
      const result = await work(new PipelinedTransaction(client));
      broken = false;
      return result;
    } catch (error) {
      broken = await rollBack(client);
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Opens the transaction in a tenant's context, and sends its first statements with it. */
  async begin(context: TransactionContext, statements: readonly Statement[]): Promise<QueryResult[]> {
    const results = await this.send([beginText(this.client, context), ...statements]);
    return results.slice(1);
  }

  /**
   * Sends the last statements and the commit together.
   *
   * @throws the first statement's failure; RolledBackError when the commit's tag is not COMMIT
   */
  async commit(statements: readonly Statement[]): Promise<void> {
    const results = await this.send([...statements, 'COMMIT']);
    const tag = results.at(-1)?.command;
    if (tag !== 'COMMIT') throw new RolledBackError(`The transaction ended with ${tag ?? 'nothing'}.`);
  }

  /** Waits for every answer: a connection with answers still under way cannot be used again. */
  private async send(statements: readonly (string | Statement)[]): Promise<QueryResult[]> {
    const { stream } = this.client.connection;
    // pg flushes after each statement; held back, all of them leave in one system call.
    stream.cork();
    const queries = statements.map((statement) => this.client.query(statement as Statement));
    stream.uncork();
    const settled = await Promise.allSettled(queries);
    const failures = settled.flatMap((one, index) => {
      const statement = statements[index];
      const name = typeof statement === 'object' ? statement.name : '';
      return one.status === 'rejected' ? [new StatementError(name, one.reason)] : [];
    });
    const failure = failures.find((one) => one.code !== ABORTED) ?? failures[0];
    if (failure !== undefined) throw failure;
    return settled.map((one) => (one as PromiseFulfilledResult<QueryResult>).value);
  }
}

/** BEGIN and the context (src/db/workspace-transaction.ts) in one message, with its values as escaped literals. */
function beginText(client: PoolClient, { scope, reason, lockTimeoutMs }: TransactionContext): string {
  const literal = (text: string): string => client.escapeLiteral(text);
  return `BEGIN; SELECT set_config('tollgate.workspace_id', ${literal(scope.workspaceId)}, true),
    set_config('tollgate.environment', ${literal(scope.environment)}, true),
    set_config('tollgate.reason', ${literal(reason)}, true), set_config('lock_timeout', ${literal(String(lockTimeoutMs))}, true)`;
}

/** @returns whether the connection is of no more use */
async function rollBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return false;
  } catch {
    return true;
  }
}
