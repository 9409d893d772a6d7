import type { ApiKeyAuthentication } from '../../api-keys/authenticate-api-key';
import type { Environment } from '../../domain/environment';
import type { ActorFactory } from '../../clock/actors';
import type { Incoming } from '../incoming';
import type { ApiKeyPrincipal } from '../principals';

/** The `apiKey` access of one API host. */
export function createApiKeyAuthenticator(
  host: Environment,
  authenticate: ApiKeyAuthentication,
  actorFor: ActorFactory,
) {
  return async (incoming: Incoming): Promise<ApiKeyPrincipal> => {
    const authorization = incoming.headers['authorization'];
    const key = await authenticate(typeof authorization === 'string' ? authorization : undefined, host);
    return {
      kind: 'api_key',
      apiKeyId: key.apiKeyId,
      scope: key.scope,
      actor: () =>
        actorFor({
          scope: key.scope,
          reason: 'API_KEY',
          operatorId: null,
          ip: incoming.ip,
          requestId: incoming.requestId,
        }),
    };
  };
}
