import { listAllConnections, type ConnectionRow } from '../connections/connection-store';
import { connectionNotFound } from '../connections/require-connection';
import type { DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import { findOrganization } from '../organizations/organization-store';
import type { WorkspaceScope } from '../tenancy/actor';

/**
 * Returns the connections of an environment to compare: all that are enabled, or the named one.
 *
 * @throws TollgateError organization_forbidden, connection_not_found
 */
export async function connectionsToCompare(
  trx: DbTransaction,
  scope: WorkspaceScope,
  connectionId: string | undefined,
): Promise<ConnectionRow[]> {
  const { workspaceId } = scope;
  if ((await findOrganization(trx, workspaceId)) === undefined) {
    throw new TollgateError(
      'organization_forbidden',
      `There is no organization "${workspaceId}"; name it by its id (org_…).`,
    );
  }
  const connections = await listAllConnections(trx, scope);
  if (connectionId === undefined) return connections.filter((row) => row.disabled_at === null);
  const named = connections.filter(({ id }) => id === connectionId);
  if (named.length === 0) throw connectionNotFound(connectionId);
  return named;
}
