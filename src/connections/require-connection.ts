import type { DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import type { WorkspaceScope } from '../tenancy/actor';
import { findConnection, type SealedConnectionRow } from './connection-store';

/** Returns a connection that may be used. @throws TollgateError connection_not_found, connection_disabled */
export async function requireConnection(
  trx: DbTransaction,
  scope: WorkspaceScope,
  id: string,
): Promise<SealedConnectionRow> {
  const connection = await findConnection(trx, scope, id);
  if (connection === undefined) throw connectionNotFound(id);
  if (connection.disabled_at === null) return connection;
  throw new TollgateError('connection_disabled', `The connection "${id}" is disabled.`);
}

export function connectionNotFound(id: string): TollgateError {
  return new TollgateError(
    'connection_not_found',
    `There is no provider connection "${id}" in this environment.`,
  );
}
