import type { Database, DbTransaction } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import { isTollgateError } from '../domain/errors';
import type { ConnectionAccess } from '../providers/connection-access';
import type { ProviderAdapter, ProviderAdapters } from '../providers/provider-adapter';
import type { WorkspaceScope } from '../tenancy/actor';
import { openConnection, type ConnectionOpening } from './open-connection';

/** A connection opened for one use, with the adapter of its provider. */
export interface ConnectedProvider {
  adapter: ProviderAdapter;
  access: ConnectionAccess;
}

/** A connected provider, or why its connection cannot be opened. */
export type ConnectedOrRefused = ConnectedProvider | { refusal: string };

/** Opens connections by id. */
export interface ConnectedProviders {
  /** @throws TollgateError connection_not_found, connection_disabled, key_unavailable, credential_corrupt */
  open(scope: WorkspaceScope, connectionId: string): Promise<ConnectedProvider>;
}

export function createConnectedProviders(
  options: ConnectionOpening & {
    database: Database;
    adapters: ProviderAdapters;
  },
): ConnectedProviders {
  const { database, adapters, ...opening } = options;
  return {
    open: async (scope, connectionId) => {
      const { provider, access } = await inWorkspace(database, scope, 'SYSTEM', (trx) =>
        openConnection(trx, opening, scope, connectionId),
      );
      return { adapter: adapters[provider], access };
    },
  };
}

/**
 * Opens a connection, or returns why that is not possible.
 *
 * @param trx an open transaction of the workspace
 */
export async function connectOrRefuse(
  trx: DbTransaction,
  dependencies: ConnectionOpening & { providerAdapters: ProviderAdapters },
  scope: WorkspaceScope,
  connectionId: string,
): Promise<ConnectedOrRefused> {
  try {
    const { provider, access } = await openConnection(trx, dependencies, scope, connectionId);
    return { adapter: dependencies.providerAdapters[provider], access };
  } catch (error) {
    if (!isTollgateError(error)) throw error;
    return { refusal: error.detail };
  }
}
