import type { Clock } from '../clock/system-clock';
import { createLookups } from '../db/batch';
import type { Database } from '../db/pools';
import type { Environment } from '../domain/environment';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { KeyLimits } from '../domain/key-limits';
import type { KeyScope } from '../domain/key-scopes';
import type { WorkspaceScope } from '../tenancy/actor';
import { environmentOfApiKey, flawOfApiKey, hashApiKey } from './api-key';
import type { ApiKeyCache } from './api-key-cache';
import { findApiKeysByHash, type FoundApiKey } from './api-key-store';
import type { LastUsed } from './last-used';

interface AuthenticatedKey {
  apiKeyId: string;
  scope: WorkspaceScope;
  /** null for a key created before keys had scopes. */
  scopes: readonly KeyScope[] | null;
  limits: KeyLimits;
}

export type ApiKeyAuthentication = (token: string, host: Environment) => Promise<AuthenticatedKey>;

/**
 * Authenticates an integrator's key on the host of one environment.
 *
 * @param publicUrls API URL of each environment, to name the right host for a key sent to the wrong one
 */
export function createApiKeyAuthentication(options: {
  database: Database;
  pepper: string;
  clock: Clock;
  publicUrls: Record<Environment, string>;
  /** Shared with the code that revokes keys in this process. */
  cache: ApiKeyCache;
  /** Records each use. */
  lastUsed: Pick<LastUsed, 'note'>;
}): ApiKeyAuthentication {
  const { clock, lastUsed, cache, database, pepper } = options;
  const lookUp = createLookups((hashes: readonly Buffer[]) => findApiKeysByHash(database, hashes));

  async function load(token: string, now: Instant): Promise<FoundApiKey | undefined> {
    return cache.load(token, now, () => lookUp(hashApiKey(token, pepper)));
  }

  return async (token, host) => {
    const known = cache.get(token, clock.now());
    const environment = known?.environment ?? environmentOfApiKey(token);
    if (environment === null) {
      throw new TollgateError('api_key_invalid', `This is not a valid API key: ${flawOfApiKey(token)}`);
    }
    if (environment !== host) {
      throw new TollgateError(
        'api_key_wrong_environment',
        `This is a ${environment} key, and this is the ${host} host. Use ${options.publicUrls[environment]} with it.`,
      );
    }
    const found = known ?? (await load(token, clock.now()));
    if (found?.environment !== host) throw new TollgateError('api_key_invalid', 'There is no such API key.');
    if (found.revokedAt !== null) throw new TollgateError('api_key_revoked', 'This API key was revoked.');
    const now = clock.now();
    if (found.expiresAt !== null && found.expiresAt <= now) {
      throw new TollgateError('api_key_expired', 'This API key has expired.');
    }
    const scope = { workspaceId: found.workspaceId, environment: found.environment };
    lastUsed.note(scope, found.id, now);
    const { id: apiKeyId, scopes, limits } = found;
    return { apiKeyId, scope, scopes, limits };
  };
}
