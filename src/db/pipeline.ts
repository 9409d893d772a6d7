import type { Pool, PoolClient } from 'pg';
import { resultsOf, type Call, type Results } from './calls';
import { RolledBackError, StatementError } from './statement-error';
import { StatementGroup, type Statement, type StatementResult } from './statement-group';
import type { TransactionReason, WorkspaceScope } from '../tenancy/actor';

export type { Statement } from './statement-group';

/** The tenant of a transaction, and its lock time-out. */
export interface TransactionContext {
  scope: WorkspaceScope;
  reason: TransactionReason;
  lockTimeoutMs: number;
}

/**
 * One transaction on a pipelined connection, in as few round trips as its data dependencies allow: statements passed
 * together are sent together.
 */
export class PipelinedTransaction {
  private constructor(private readonly client: PoolClient) {}

  /** Runs `work`, which must end with `commit`; otherwise it rolls back. */
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

  /** Opens the transaction in a tenant's context, together with its first statements. */
  async begin(context: TransactionContext, statements: readonly Statement[]): Promise<StatementResult[]> {
    const results = await this.send([BEGIN, contextStatement(context), ...statements]);
    return results.slice(2);
  }

  /** Sends calls together, between the first and the last statements. @throws StatementError */
  async read<const Calls extends readonly Call<unknown>[]>(calls: Calls): Promise<Results<Calls>> {
    return resultsOf(calls, await this.send(calls));
  }

  /**
   * Sends the last statements and the commit together.
   *
   * @throws the first statement's failure; RolledBackError if the commit's tag is not COMMIT
   */
  async commit(statements: readonly Statement[]): Promise<void> {
    const results = await this.send([...statements, COMMIT]);
    const tag = results.at(-1)?.command;
    if (tag !== 'COMMIT') throw new RolledBackError(`The transaction ended with ${tag ?? 'nothing'}.`);
  }

  private send(statements: readonly Statement[]): Promise<StatementResult[]> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown, statement: string): void => {
        reject(new StatementError(statement, error));
      };
      this.client.query(new StatementGroup(statements, resolve, fail));
    });
  }
}

const BEGIN: Statement = { name: 'begin', text: 'BEGIN', values: [] };
const COMMIT: Statement = { name: 'commit', text: 'COMMIT', values: [] };

/** Sets the tenant's context (src/db/workspace-transaction.ts) for this transaction only. */
function contextStatement({ scope, reason, lockTimeoutMs }: TransactionContext): Statement {
  return {
    name: 'context',
    text: `SELECT set_config('tollgate.workspace_id', $1, true), set_config('tollgate.environment', $2, true),
                  set_config('tollgate.reason', $3, true), set_config('lock_timeout', $4, true)`,
    values: [scope.workspaceId, scope.environment, reason, String(lockTimeoutMs)],
  };
}

/** @returns whether the connection can no longer be used */
async function rollBack(client: PoolClient): Promise<boolean> {
  try {
    await client.query('ROLLBACK');
    return false;
  } catch {
    return true;
  }
}
