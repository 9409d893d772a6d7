import Stripe from 'stripe';
import { timeoutOf } from '../call-timeout';
import type { ConnectionAccess } from '../connection-access';
import { createTransport } from './transport';

const httpClient = createTransport();

/** The connection lacks a secret. Thrown before anything is sent. */
export class IncompleteConnectionError extends Error {
  override readonly name = 'IncompleteConnectionError';
}

/**
 * Creates a client with the connection's own key, and its own address if it has one. The client never retries
 * automatically, because only the caller knows whether a retry is safe.
 *
 * @throws IncompleteConnectionError when the connection has no secret key
 */
export function clientFor(access: ConnectionAccess): Stripe {
  const { secretKey } = access.secrets;
  if (!secretKey) throw new IncompleteConnectionError('The connection has no secret key.');
  const options = { httpClient, maxNetworkRetries: 0, telemetry: false, timeout: timeoutOf(access) };
  if (access.baseUrl === undefined) return new Stripe(secretKey, options);
  const { hostname, port, protocol } = new URL(access.baseUrl);
  const secure = protocol === 'https:';
  return new Stripe(secretKey, {
    ...options,
    host: hostname,
    port: port === '' ? (secure ? 443 : 80) : Number(port),
    protocol: secure ? 'https' : 'http',
  });
}
