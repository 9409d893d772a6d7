import type { IncomingMessage } from 'node:http';

/** An address in the form some proxies use: with the port, and an IPv6 address in brackets. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/**
 * Returns the address that a request came from. Trusted proxies name it in X-Forwarded-For, where each appends the
 * address before it; entries further left than the number of trusted proxies are unverified claims of the caller. The
 * port that some proxies add is dropped, because each connection has a different one.
 */
export function callerAddress(request: IncomingMessage, trustedProxies: number): string {
  const forwarded = trustedProxies > 0 ? request.headers['x-forwarded-for'] : undefined;
  const named = typeof forwarded === 'string' ? forwarded.split(',').slice(-trustedProxies)[0]?.trim() : '';
  if (named === undefined || named === '') return request.socket.remoteAddress ?? '';
  const [, six, four] = WITH_PORT.exec(named) ?? [];
  return six ?? four ?? named;
}
