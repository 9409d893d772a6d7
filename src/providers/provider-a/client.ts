import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import Stripe from 'stripe';
import type { ConnectionAccess } from '../connection-access';

const TIMEOUT_MS = 20_000;

/** Shared, so that a client, which lives for one use, does not leave a connection behind each time. */
const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

/** Thrown before anything is sent. */
export class IncompleteConnectionError extends Error {
  override readonly name = 'IncompleteConnectionError';
}

/**
 * A client with the connection's own key, and its own address where it has one. It tries nothing again by itself: the
 * caller knows whether that is safe.
 *
 * @throws IncompleteConnectionError when the connection has no secret key
 */
export function clientFor(access: ConnectionAccess): Stripe {
  const { secretKey } = access.secrets;
  if (!secretKey) throw new IncompleteConnectionError('The connection has no secret key.');
  const options = { maxNetworkRetries: 0, telemetry: false, timeout: TIMEOUT_MS };
  if (access.baseUrl === undefined) return new Stripe(secretKey, { ...options, httpAgent: agents.https });
  const { hostname, port, protocol } = new URL(access.baseUrl);
  const secure = protocol === 'https:';
  return new Stripe(secretKey, {
    ...options,
    host: hostname,
    port: port === '' ? (secure ? 443 : 80) : Number(port),
    protocol: secure ? 'https' : 'http',
    httpAgent: secure ? agents.https : agents.http,
  });
}
