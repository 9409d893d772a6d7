import type { components } from '../../api/schema';

/** Returns whether a key has expired. */
export function hasExpired({ expiresAt }: Pick<components['schemas']['ApiKey'], 'expiresAt'>): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now();
}
