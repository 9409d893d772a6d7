import { listAllConnections, type ConnectionRow } from '../connections/connection-store';
import { requireConnection } from '../connections/require-connection';
import type { DbTransaction } from '../db/pools';
import { TollgateError } from '../domain/errors';
import type { Provider } from '../domain/subscription-types';
import { readSettings } from '../settings/settings-store';
import type { WorkspaceScope } from '../tenancy/scope';

/**
 * Who collects what a checkout asks for: the connection that is named, or the one of the provider that is named, or of
 * the workspace's own choice. Null is local billing.
 *
 * @throws TollgateError connection_not_found, connection_disabled, connection_ambiguous (with `connectionIds`),
 *   validation_failed (`/connectionId`) for a connection of another provider
 */
export async function chooseBilling(
  trx: DbTransaction,
  scope: WorkspaceScope,
  asked: { provider?: Provider | undefined; connectionId?: string | undefined },
): Promise<ConnectionRow | null> {
  const { provider, connectionId } = asked;
  if (connectionId !== undefined) {
    const connection = await requireConnection(trx, scope, connectionId);
    if (provider !== undefined && provider !== connection.provider)
      throw ofAnotherProvider(connection, provider);
    return connection;
  }
  const chosen = provider ?? (await readSettings(trx, scope)).defaultProvider;
  if (chosen === 'internal') return null;
  const all = await listAllConnections(trx, scope);
  const [only, ...others] = all.filter((one) => one.provider === chosen && one.disabled_at === null);
  if (only === undefined) {
    const who = `an enabled connection of ${chosen}`;
    throw new TollgateError('connection_not_found', `This environment does not have ${who}.`);
  }
  if (others.length > 0) {
    const connectionIds = [only, ...others].map(({ id }) => id);
    const which = connectionIds.join(', ');
    throw new TollgateError('connection_ambiguous', `${chosen} has several connections: ${which}.`, {
      extra: { connectionIds },
    });
  }
  return only;
}

function ofAnotherProvider(connection: ConnectionRow, provider: Provider): TollgateError {
  const message = `is a connection of ${connection.provider}, not of ${provider}`;
  return new TollgateError('validation_failed', `/connectionId: ${message}`, {
    errors: [
      { pointer: '/connectionId', message, fix: 'Leave out `provider`, or name one of its connections.' },
    ],
  });
}
