import type { Environment } from './environment';

/**
 * A fully written address, without anything that a parser would drop or replace. The browser's parser reads a backslash
 * as a slash, others as a part of the host: in `https://app.example.com\@attacker.test/`, they see different hosts.
 */
const WRITTEN_IN_FULL = /^https?:\/\/(?!\/)[^\s\\\p{Cc}]+$/iu;

/**
 * Returns why an address must not be one to return to, as a clause; null if it may. A user name or a password would be
 * stored and sent on as clear text, and may disguise the host (RFC 9110, section 4.2.4; RFC 3986, section 3.2.1).
 */
export function whyReturnUrlIsRefused(address: string): string | null {
  const isWhole = WRITTEN_IN_FULL.test(address) && URL.canParse(address);
  if (!isWhole || !(isSecure(address) || isLoopback(address)))
    return 'is not an https address, and not http on loopback';
  const { username, password } = new URL(address);
  return username === '' && password === '' ? null : 'has a user name or a password';
}

/** Whether an address is secure enough for an environment: production needs https. */
export function isSecureEnough(address: string, environment: Environment): boolean {
  return environment === 'sandbox' || isSecure(address);
}

/**
 * Returns where a payment provider sends a customer back to unless a request says otherwise: the connection's setting
 * `returnUrl` or, if it is not set or may not be used, the page of this service.
 */
export function returnUrlOfConnection(
  { returnUrl }: { readonly returnUrl?: unknown },
  environment: Environment,
  returnPage: string,
): string {
  const isUsable =
    typeof returnUrl === 'string' &&
    whyReturnUrlIsRefused(returnUrl) === null &&
    isSecureEnough(returnUrl, environment);
  return isUsable ? returnUrl : returnPage;
}

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

function isSecure(address: string): boolean {
  return new URL(address).protocol === 'https:';
}
