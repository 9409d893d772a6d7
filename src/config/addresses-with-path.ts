import type { Config } from './read-config';

const ADDRESSES = ['TOLLGATE_CONSOLE_URL', 'TOLLGATE_SANDBOX_URL', 'TOLLGATE_PRODUCTION_URL'] as const;

/**
 * Returns the public URLs that are not the root of a host. API calls work under a path that a proxy strips. The pages
 * do not, because they load their assets, and call their API, from the root.
 */
export function addressesWithPath(config: Config<(typeof ADDRESSES)[number]>): string[] {
  return ADDRESSES.filter((name) => new URL(config[name]).pathname !== '/');
}
