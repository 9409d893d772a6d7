import type { z } from 'zod';
import type { Instant } from '../../domain/instant';
import { timeoutOf } from '../call-timeout';
import type { ConnectionAccess } from '../connection-access';
import { addressOf } from './address';
import { readAnswer } from './read-answer';
import { createTokenCache } from './token-cache';
import { createTransport, type Received } from './transport';

interface PostRequest {
  /** Under which provider B does it once, and answers the same again; at most 108 characters. */
  requestId?: string;
  /** Whether the answer is to be the whole object, and not the least of it. */
  whole?: boolean;
}

/** Calls to provider B with a connection's own credentials. */
export interface ProviderBClient {
  /** @throws ProviderBFailure */
  get<T>(access: ConnectionAccess, path: string, shape: z.ZodType<T>): Promise<T>;
  /** @param json sent as it is. @throws ProviderBFailure */
  post<T>(
    access: ConnectionAccess,
    path: string,
    json: Buffer,
    shape: z.ZodType<T>,
    request?: PostRequest,
  ): Promise<T>;
  /** Proves the credentials now, whatever token is held. @throws ProviderBFailure */
  signIn(access: ConnectionAccess): Promise<void>;
}

/**
 * The client of one process; it holds connections and tokens.
 *
 * @param options.now real time, by which tokens end
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
    // A token can be revoked before its time. One new one is tried; a second 401 is the provider's word. Who comes
    // late finds the new one that another call has already fetched.
    if (answer.status !== 401) return answer;
    const current = await tokens.take(access);
    return send(current === token ? await tokens.renew(access) : current);
  }

  return {
    get: async (access, path, shape) => readAnswer(await call(access, 'GET', path), `GET ${path}`, shape),
    post: async (access, path, json, shape, request) =>
      readAnswer(await call(access, 'POST', path, json, request), `POST ${path}`, shape),
    signIn: async (access) => {
      await tokens.renew(access);
    },
  };
}
