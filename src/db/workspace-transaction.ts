import type { Knex } from 'knex';
import type { TransactionReason, WorkspaceScope } from '../tenancy/actor';
import { contextCall, inOneRoundTrip, nothing, together, type Call, type Results } from './calls';
import type { Database, DbTransaction } from './pools';
import { inTurn } from './turns';

/**
 * Runs `work` in one transaction that row-level security confines to `scope`. This is the only access to a tenant's
 * rows outside the hot path (which sends the same statement itself). Workspaces take turns at the pool's connections.
 *
 * @throws NoTurnError if no connection becomes free in time
 */
export async function inWorkspace<Result>(
  database: Database,
  scope: WorkspaceScope,
  reason: TransactionReason,
  work: (trx: DbTransaction) => Promise<Result>,
): Promise<Result> {
  return transactionInTurn(database, scope, async (trx) => {
    await setContext(trx, scope.workspaceId, scope.environment, reason);
    return work(trx);
  });
}

/** Does the same read-only: all reads see one snapshot. */
export async function inWorkspaceSnapshot<Result>(
  database: Database,
  scope: WorkspaceScope,
  reason: TransactionReason,
  work: (trx: DbTransaction) => Promise<Result>,
): Promise<Result> {
  return transactionInTurn(
    database,
    scope,
    async (trx) => {
      await setContext(trx, scope.workspaceId, scope.environment, reason);
      return work(trx);
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}

/** Does the same as `inWorkspace`, with calls sent together with the context. */
export async function inWorkspaceWith<const Calls extends readonly Call<unknown>[], Result>(
  database: Database,
  scope: WorkspaceScope,
  reason: TransactionReason,
  calls: Calls,
  work: (trx: DbTransaction, results: Results<Calls>) => Promise<Result>,
): Promise<Result> {
  return transactionInTurn(database, scope, async (trx) => {
    const [, ...results] = await together(trx, [contextCall(scope, reason, null), ...calls]);
    return work(trx, results);
  });
}

/**
 * Runs calls as a transaction of their own, sent, decided and committed in one round trip.
 *
 * @throws StatementError, or the error that the call's `failed` returns; after a connection failure the transaction may
 *   have been committed
 */
export async function inWorkspaceAtOnce<const Calls extends readonly Call<unknown>[]>(
  database: Database,
  scope: WorkspaceScope,
  reason: TransactionReason,
  calls: Calls,
): Promise<Results<Calls>> {
  return inTurn(database, scope, async () => {
    const [, ...results] = await inOneRoundTrip(database, [contextCall(scope, reason, null), ...calls]);
    return results;
  });
}

/**
 * Does the same for a request: the developer events that `work` writes name it.
 *
 * @param caller.requestId null if no request asked for the work
 */
export async function inWorkspaceFor<Result>(
  database: Database,
  caller: { scope: WorkspaceScope; reason: TransactionReason; requestId: string | null },
  work: (trx: DbTransaction) => Promise<Result>,
): Promise<Result> {
  const { scope, reason, requestId } = caller;
  const { workspaceId, environment } = scope;
  return transactionInTurn(database, scope, async (trx) => {
    const context = tenantCall(workspaceId, environment, reason);
    await together(trx, requestId === null ? [context] : [context, requestCall(requestId)]);
    return work(trx);
  });
}

/** Runs a transaction on tables of an organization as a whole (members, invitations), which have no environment. */
export async function inOrganization<Result>(
  database: Database,
  workspaceId: string,
  reason: TransactionReason,
  work: (trx: DbTransaction) => Promise<Result>,
): Promise<Result> {
  return transactionInTurn(database, { workspaceId, environment: '' }, async (trx) => {
    await setContext(trx, workspaceId, '', reason);
    return work(trx);
  });
}

function transactionInTurn<Result>(
  database: Database,
  scope: { workspaceId: string; environment: string },
  work: (trx: DbTransaction) => Promise<Result>,
  config?: Knex.TransactionConfig,
): Promise<Result> {
  return inTurn(database, scope, () => database.transaction(work, config));
}

/**
 * Switches an open transaction to another workspace or environment, for an action that spans both environments of an
 * organization.
 */
export async function setContext(
  trx: DbTransaction,
  workspaceId: string,
  environment: string,
  reason: TransactionReason,
): Promise<void> {
  await together(trx, [tenantCall(workspaceId, environment, reason)]);
}

/** Sets the request that the open transaction works for; the developer events that it writes name it. */
export async function setRequest(trx: DbTransaction, requestId: string): Promise<void> {
  await together(trx, [requestCall(requestId)]);
}

/** Restores the request that the open transaction works for, once `work`, which may set another one, is done. */
export async function keepingRequest<Result>(
  trx: DbTransaction,
  work: () => Promise<Result>,
): Promise<Result> {
  const [own] = await together(trx, [currentRequestCall]);
  const result = await work();
  await setRequest(trx, own);
  return result;
}

const currentRequestCall: Call<string> = {
  name: 'current_request',
  text: `SELECT coalesce(current_setting('tollgate.request_id', true), '') AS "requestId"`,
  values: [],
  read: ([row]) => (row as { requestId: string }).requestId,
};

function tenantCall(workspaceId: string, environment: string, reason: TransactionReason): Call<void> {
  return {
    name: 'tenant',
    text: `SELECT set_config('tollgate.workspace_id', $1, true), set_config('tollgate.environment', $2, true),
                  set_config('tollgate.reason', $3, true)`,
    values: [workspaceId, environment, reason],
    read: nothing,
  };
}

function requestCall(requestId: string): Call<void> {
  return {
    name: 'request',
    text: "SELECT set_config('tollgate.request_id', $1, true)",
    values: [requestId],
    read: nothing,
  };
}
