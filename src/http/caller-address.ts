import type { IncomingMessage } from 'node:http';

/** As some proxies name an address: with the port, and an IPv6 address in brackets. */
const WITH_PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/**
 * The address that a request came from. Proxies that are trusted name it in X-Forwarded-For, each adding the one before
 * it at the end; what stands further left than they are many is the caller's own word. The port that some of them add
 * says nothing: each connection has another.
 */
export function callerAddress(request: IncomingMessage, trustedProxies: number): string {
  const forwarded = trustedProxies > 0 ? request.headers['x-forwarded-for'] : undefined;
  const named = typeof forwarded === 'string' ? forwarded.split(',').slice(-trustedProxies)[0]?.trim() : '';
  if (named === undefined || named === '') return request.socket.remoteAddress ?? '';
  const [, six, four] = WITH_PORT.exec(named) ?? [];
  return six ?? four ?? named;
}
