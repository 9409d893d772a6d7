import type { Database } from '../db/pools';
import { inWorkspace } from '../db/workspace-transaction';
import type { ConnectionAccess } from '../providers/connection-access';
import type { ProviderAdapter, ProviderAdapters } from '../providers/provider-adapter';
import type { WorkspaceScope } from '../tenancy/actor';
import { openConnection, type ConnectionOpening } from './open-connection';

/** A connection opened for one use, with the adapter of its provider. */
export interface ConnectedProvider {
  adapter: ProviderAdapter;
  access: ConnectionAccess;
}

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
