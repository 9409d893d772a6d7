import type { IncomingHttpHeaders } from 'node:http';
import type { Middleware } from 'koa';
import { TollgateError } from '../../domain/errors';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Refuses changes that another origin's page triggers in a browser with a session. Browsers state a request's origin in
 * `Origin` and `Sec-Fetch-Site`; a request with neither is not from a browser, and carries no ambient cookie.
 *
 * @throws TollgateError origin_forbidden
 */
export function refuseForeignOrigins(hostUrl: string): Middleware {
  const own = new URL(hostUrl).origin;
  return async (ctx, next) => {
    if (!SAFE_METHODS.has(ctx.method)) {
      const refusal = refusalOf(ctx.headers, own);
      if (refusal !== null) throw new TollgateError('origin_forbidden', refusal);
    }
    await next();
  };
}

function refusalOf(headers: IncomingHttpHeaders, own: string): string | null {
  const { origin, host, 'sec-fetch-site': site } = headers;
  // 'same-site' without an Origin comes from a sibling host's page, which is foreign too.
  if (site === 'cross-site' || (site === 'same-site' && origin === undefined)) {
    return `The browser reports a request from another site (Sec-Fetch-Site: ${site}).`;
  }
  if (origin === undefined || origin === own || origin === loopbackOrigin(host)) return null;
  return `The Origin header is not ${own}.`;
}

/**
 * Returns the host's loopback origin, if it was opened by one. On a local machine a host may be opened as localhost,
 * 127.0.0.1 or [::1], whatever its URL says.
 */
function loopbackOrigin(host: string | undefined): string | null {
  if (host === undefined || !LOOPBACK.has(host.replace(/:\d+$/, '').toLowerCase())) return null;
  return `http://${host.toLowerCase()}`;
}
