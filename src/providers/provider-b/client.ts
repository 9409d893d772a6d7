import type { z } from 'zod';
import type { Instant } from '../../domain/instant';
import { timeoutOf } from '../call-timeout';
import type { ConnectionAccess } from '../connection-access';
import { addressOf } from './address';
import { readAnswer } from './read-answer';
import { createTokenCache } from './token-cache';
import { createTransport, type Received } from './transport';

interface PostRequest {
  /** Idempotency key: provider B performs the request once and repeats the answer; at most 108 characters. */
  requestId?: string;
  /** Whether the answer should be the whole object instead of the minimal one. */
  whole?: boolean;
}

/** Calls to provider B with a connection's own credentials. */
export interface ProviderBClient {
  /** @throws ProviderBFailure */
  get<T>(access: ConnectionAccess, path: string, shape: z.ZodType<T>): Promise<T>;
  /**
   * @param json sent unchanged. @throws ProviderBFailure
   */
  post<T>(
    access: ConnectionAccess,
    path: string,
    json: Buffer,
    shape: z.ZodType<T>,
    request?: PostRequest,
  ): Promise<T>;
  /** Proves the credentials now, regardless of any cached token. @throws ProviderBFailure */
  signIn(access: ConnectionAccess): Promise<void>;
}

/**
 * Creates the client of one process; it holds connections and tokens.
 *
 * @param options.now real time, used to expire tokens
 */
export function createProviderBClient(options: { now: () => Instant }): ProviderBClient {
  const transport = createTransport();
  const tokens = createTokenCache(transport, options.now);

  async function call(
    access: ConnectionAccess,
    method: 'GET' | 'POST',
    path: string,
    body?: Buffer,
    { requestId, whole = false }: PostRequest = {},
  ): Promise<Received> {
    const send = (token: string): Promise<Received> =>
      transport({
        method,
        url: addressOf(access) + path,
        timeoutMs: timeoutOf(access),
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(requestId === undefined ? {} : { 'paypal-request-id': requestId }),
          ...(whole ? { prefer: 'return=representation' } : {}),
        },
        ...(body === undefined ? {} : { body }),
      });
    const token = await tokens.take(access);
    const answer = await send(token);
    // A token can be revoked early. One new token is tried; a second 401 is final. A later caller finds the new token
    // that another call has already fetched.
    if (answer.status !== 401) return answer;
    const current = await tokens.take(access);
    return send(current === token ? await tokens.renew(access) : current);
  }

  return {
    get: async (access, path, shape) =>
      readAnswer(access, await call(access, 'GET', path), `GET ${path}`, shape),
    post: async (access, path, json, shape, request) =>
      readAnswer(access, await call(access, 'POST', path, json, request), `POST ${path}`, shape),
    signIn: async (access) => {
      await tokens.renew(access);
    },
  };
}
