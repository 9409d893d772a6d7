import type { Config } from './read-config';

const ADDRESSES = ['TOLLGATE_CONSOLE_URL', 'TOLLGATE_SANDBOX_URL', 'TOLLGATE_PRODUCTION_URL'] as const;

/**
 * The public addresses that are not the root of a host. Calls of the API work under a path that a proxy takes away; the
 * pages do not, because they load their parts, and call their API, from the root.
 */
export function addressesWithPath(config: Config<(typeof ADDRESSES)[number]>): string[] {
  return ADDRESSES.filter((name) => new URL(config[name]).pathname !== '/');
}
