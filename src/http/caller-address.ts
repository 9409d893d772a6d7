import type { IncomingMessage } from 'node:http';

/**
 * The address that a request came from. Proxies that are trusted name it in X-Forwarded-For, each adding the one before
 * it at the end; what stands further left than they are many is the caller's own word.
 */
export function callerAddress(request: IncomingMessage, trustedProxies: number): string {
  const forwarded = trustedProxies > 0 ? request.headers['x-forwarded-for'] : undefined;
  const named = typeof forwarded === 'string' ? forwarded.split(',').slice(-trustedProxies)[0]?.trim() : '';
  return named === undefined || named === '' ? (request.socket.remoteAddress ?? '') : named;
}
