import type { ConnectionAccess } from './connection-access';

/** Shorter secrets could match ordinary words. */
const SHORTEST = 8;

/** Credentials of a quoted Authorization header: a token, or two secrets in Base64, which the values do not match. */
const AUTHORIZATION = /\b(Basic|Bearer)\s+[\w.~+/=-]{16,}/gi;

/**
 * Masks the connection's secrets in a provider's message, because some providers quote the request, and messages are
 * stored, shown and logged. Masks what an Authorization header carries, too.
 */
export function redactSecrets({ secrets }: Pick<ConnectionAccess, 'secrets'>, words: string): string {
  return Object.values(secrets)
    .flatMap((value) => [value, ...value.split(',')])
    .filter((value) => value.length >= SHORTEST)
    .sort((one, other) => other.length - one.length)
    .reduce((masked, value) => masked.replaceAll(value, '••••'), words)
    .replace(AUTHORIZATION, '$1 ••••');
}
