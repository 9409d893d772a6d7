import type { Clock } from '../clock/clock';
import type { Database } from '../db/pools';
import type { Environment } from '../domain/environment';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/scope';
import { environmentOfApiKey, hashApiKey } from './api-key';
import { findApiKeyByHash, type FoundApiKey } from './api-key-store';

export interface AuthenticatedKey {
  apiKeyId: string;
  scope: WorkspaceScope;
}

export type ApiKeyAuthentication = (authorization: string | undefined, host: Environment) => Promise<AuthenticatedKey>;

/** A revocation takes effect within this time in every process; the promise is five seconds. */
const CACHE_MS = 3_000;
/** Keys are bounded by what integrators hold; guesses never enter the cache. */
const CACHE_SIZE = 10_000;

/**
 * Proves an integrator's key on the host of one environment.
 *
 * @param publicUrls where each environment's API is, to name the right host to a key that came to the other
 */
export function createApiKeyAuthentication(options: {
  database: Database;
  pepper: string;
  clock: Clock;
  publicUrls: Record<Environment, string>;
}): ApiKeyAuthentication {
  const cache = new Map<string, { found: FoundApiKey; until: Instant }>();

  async function find(token: string): Promise<FoundApiKey | undefined> {
    const hash = hashApiKey(token, options.pepper);
    const cacheKey = hash.toString('latin1');
    const now = options.clock.now();
    const cached = cache.get(cacheKey);
    if (cached !== undefined && now < cached.until && now >= cached.until - CACHE_MS) return cached.found;
    const found = await findApiKeyByHash(options.database, hash);
    cache.delete(cacheKey);
    if (found === undefined) return undefined;
    if (cache.size >= CACHE_SIZE) cache.delete(cache.keys().next().value ?? '');
    cache.set(cacheKey, { found, until: now + CACHE_MS });
    return found;
  }

  return async (authorization, host) => {
    const token = bearerToken(authorization);
    const environment = environmentOfApiKey(token);
    if (environment === null) {
      throw new TollgateError('api_key_invalid', 'This is not an API key, or a character of it is wrong (the checksum does not match).');
    }
    if (environment !== host) {
      throw new TollgateError(
        'api_key_wrong_environment',
        `This is a ${environment} key, and this is the ${host} host. Use ${options.publicUrls[environment]} with it.`,
      );
    }
    const found = await find(token);
    if (found?.environment !== host) throw new TollgateError('api_key_invalid', 'There is no such API key.');
    if (found.revokedAt !== null) throw new TollgateError('api_key_revoked', 'This API key was revoked.');
    if (found.expiresAt !== null && found.expiresAt <= options.clock.now()) {
      throw new TollgateError('api_key_expired', 'This API key has expired.');
    }
    return { apiKeyId: found.id, scope: { workspaceId: found.workspaceId, environment: found.environment } };
  };
}

function bearerToken(authorization: string | undefined): string {
  const match = /^Bearer +(\S+) *$/i.exec(authorization ?? '');
  if (match?.[1] === undefined) {
    throw new TollgateError('api_key_missing', 'The Authorization header is not "Bearer <API key>".');
  }
  return match[1];
}
