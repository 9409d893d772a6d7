import { z } from 'zod';
import type { Instant } from '../../domain/instant';
import { timeoutOf } from '../call-timeout';
import type { ConnectionAccess } from '../connection-access';
import { hasSecretsFor } from '../secret-fields';
import { addressOf } from './address';
import { CREDENTIALS_MISSING, ProviderBFailure } from './failure';
import { readAnswer } from './read-answer';
import type { Transport } from './transport';

interface Held {
  secretVersion: number;
  address: string;
  /** Shared by callers that ask while the token is being fetched. */
  token: Promise<string>;
  usableUntil: Instant;
}

export interface TokenCache {
  /** Returns a token of this connection's own client. @throws ProviderBFailure */
  take(access: ConnectionAccess): Promise<string>;
  /** Fetches a new token, regardless of any cached one. @throws ProviderBFailure */
  renew(access: ConnectionAccess): Promise<string>;
}

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
});

/** A token is not used in its last minute, so that it does not expire in transit. */
const MARGIN_MS = 60_000;
const MAX_HELD = 10_000;

/** Creates a cache of access tokens per connection. A token is only valid for the secrets version it was issued for. */
export function createTokenCache(transport: Transport, now: () => Instant): TokenCache {
  const held = new Map<string, Held>();

  function renew(access: ConnectionAccess): Promise<string> {
    const entry: Held = {
      secretVersion: access.secretVersion,
      address: addressOf(access),
      token: Promise.resolve(''),
      usableUntil: Infinity,
    };
    entry.token = signIn(transport, access).then(
      ({ access_token, expires_in }) => {
        entry.usableUntil = now() + expires_in * 1000 - MARGIN_MS;
        return access_token;
      },
      (error: unknown) => {
        if (held.get(access.connectionId) === entry) held.delete(access.connectionId);
        throw error;
      },
    );
    held.delete(access.connectionId);
    held.set(access.connectionId, entry);
    for (const oldest of held.keys()) {
      if (held.size <= MAX_HELD) break;
      held.delete(oldest);
    }
    return entry.token;
  }

  return {
    renew,
    take: (access) => {
      const entry = held.get(access.connectionId);
      return entry?.secretVersion === access.secretVersion &&
        entry.address === addressOf(access) &&
        entry.usableUntil > now()
        ? entry.token
        : renew(access);
    },
  };
}

async function signIn(transport: Transport, access: ConnectionAccess): Promise<z.infer<typeof tokenAnswer>> {
  const { clientId = '', clientSecret = '' } = access.secrets;
  if (!hasSecretsFor('calls', 'provider_b', access)) {
    throw new ProviderBFailure(
      'refused',
      CREDENTIALS_MISSING,
      'The client id or the client secret is missing.',
    );
  }
  const answer = await transport({
    method: 'POST',
    url: `${addressOf(access)}/v1/oauth2/token`,
    timeoutMs: timeoutOf(access),
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: 'grant_type=client_credentials',
  });
  return readAnswer(access, answer, 'the sign-in', tokenAnswer);
}
