import type { Environment } from './environment';

/** Whether this is an origin as browsers write it, with https, or with http on loopback. */
export function isReturnOrigin(written: string): boolean {
  const { origin, protocol } = new URL(written);
  return origin === written && (protocol === 'https:' || isLoopback(written));
}

/** Whether an address is http on this machine, as in development. */
export function isLoopback(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  if (protocol !== 'http:') return false;
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Whether a checkout may redirect its customer to an address.
 *
 * @param origins those that the settings allow; an empty list allows any in a sandbox, and none in production
 */
export function mayReturnTo(address: string, origins: readonly string[], environment: Environment): boolean {
  if (origins.length === 0) return environment === 'sandbox';
  return origins.includes(new URL(address).origin);
}
