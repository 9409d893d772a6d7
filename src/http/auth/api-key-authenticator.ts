import type { ApiKeyAuthentication } from '../../api-keys/authenticate-api-key';
import type { Environment } from '../../domain/environment';
import { TollgateError } from '../../domain/errors';
import type { ActorFactory } from '../../clock/actors';
import type { KeyLimiter } from '../../rate-limits/key-limiter';
import type { Incoming } from '../incoming';
import type { ApiKeyPrincipal } from '../principals';
import type { Route } from '../route';
import { requireScope } from './require-scope';

/** Creates the `apiKey` access of one API host. */
export function createApiKeyAuthenticator(
  host: Environment,
  authenticate: ApiKeyAuthentication,
  actorFor: ActorFactory,
  limiter: KeyLimiter,
) {
  return async (incoming: Incoming, { operationId, scopes }: Route): Promise<ApiKeyPrincipal> => {
    const key = await authenticate(bearerToken(incoming.headers), host);
    // A request that is authenticated again counts once.
    if (incoming.answer.release === undefined) {
      const admission = await limiter.admit(key.apiKeyId, key.limits);
      incoming.answer.headers = admission.headers;
      if (admission.refusal !== null) throw admission.refusal;
      incoming.answer.release = admission.release;
    }
    // A route without a scope is a programming error, and is never served.
    if (scopes === undefined) throw new Error(`${operationId} declares no scope.`);
    requireScope(key.scopes, scopes);
    return {
      kind: 'api_key',
      apiKeyId: key.apiKeyId,
      scopes: key.scopes,
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

function bearerToken({ authorization }: Incoming['headers']): string {
  const header = typeof authorization === 'string' ? authorization : '';
  const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (token === undefined) {
    throw new TollgateError('api_key_missing', 'The Authorization header is not "Bearer <API key>".');
  }
  return token;
}
