import type { TollgateError } from '../domain/errors';

const SCHEME = 'Bearer realm="Tollgate"';

/**
 * Returns the `WWW-Authenticate` value of a refusal (RFC 6750, section 3); undefined for one that is not about a secret
 * key. Sessions are cookies, for which HTTP has no authentication scheme.
 */
export function challengeOf({ code, status, extra }: TollgateError): string | undefined {
  // A request without a key gets no error: it may not know yet that one is needed.
  if (code === 'api_key_missing') return SCHEME;
  if (code === 'scope_missing')
    return `${SCHEME}, error="insufficient_scope", scope="${String(extra?.['scope'])}"`;
  return status === 401 && code.startsWith('api_key_') ? `${SCHEME}, error="invalid_token"` : undefined;
}
