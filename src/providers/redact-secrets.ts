import type { ConnectionAccess } from './connection-access';

/** Shorter secrets could match ordinary words. */
const SHORTEST = 8;

/**
 * Masks the connection's secrets in a provider's message, because some providers quote the request, and messages are
 * stored, shown and logged.
 */
export function redactSecrets({ secrets }: Pick<ConnectionAccess, 'secrets'>, words: string): string {
  return Object.values(secrets)
    .flatMap((value) => [value, ...value.split(',')])
    .filter((value) => value.length >= SHORTEST)
    .sort((one, other) => other.length - one.length)
    .reduce((masked, value) => masked.replaceAll(value, '••••'), words);
}
