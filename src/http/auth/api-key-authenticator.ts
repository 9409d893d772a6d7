import type { ApiKeyAuthentication } from '../../api-keys/authenticate-api-key';
import type { Environment } from '../../domain/environment';
import type { ActorFactory } from '../../clock/actors';
import { TollgateError } from '../../domain/errors';
import { allowsScope } from '../../domain/key-scopes';
import type { Incoming } from '../incoming';
import type { ApiKeyPrincipal } from '../principals';
import type { Route } from '../route';

/** The `apiKey` access of one API host. */
export function createApiKeyAuthenticator(
  host: Environment,
  authenticate: ApiKeyAuthentication,
  actorFor: ActorFactory,
) {
  return async (incoming: Incoming, { operationId, scopes }: Route): Promise<ApiKeyPrincipal> => {
    const authorization = incoming.headers['authorization'];
    const key = await authenticate(typeof authorization === 'string' ? authorization : undefined, host);
    // A route without a scope is a programming error, and is never served.
    if (scopes === undefined) throw new Error(`${operationId} declares no scope.`);
    if (!allowsScope(key.scopes, scopes)) {
      const [scope] = scopes.anyOf;
      throw new TollgateError('scope_missing', `This key lacks the scope "${scope}".`, { extra: { scope } });
    }
    return {
      kind: 'api_key',
      apiKeyId: key.apiKeyId,
      scope: key.scope,
      actor: () =>
        actorFor({
          scope: key.scope,
          reason: 'API_KEY',
          operatorId: null,
          apiKeyId: key.apiKeyId,
          ip: incoming.ip,
          requestId: incoming.requestId,
        }),
    };
  };
}
