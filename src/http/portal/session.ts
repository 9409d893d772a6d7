import { z } from 'zod';
import type { Environment } from '../../domain/environment';
import { isTollgateError } from '../../domain/errors';
import { line } from '../../schemas/text';
import type { Services } from '../../service/services';
import type { SessionCookie } from '../auth/session-cookie';
import { route, type Route } from '../route';

const tag = 'Customer’s page';

/** Routes to open a session with a link, and to end it. */
export function portalSessionRoutes(
  { portal: { sessions, throttle } }: Pick<Services, 'portal'>,
  environment: Environment,
  cookie: SessionCookie,
): Route[] {
  return [
    route({
      method: 'post',
      path: '/portal/api/session',
      operationId: 'openPortalSession',
      summary: 'Open a link, once',
      tag,
      access: 'public',
      compress: false,
      admission: ({ ip }) => throttle.admit(ip),
      // In the body, because an address would appear in logs.
      body: z.strictObject({ token: line({ min: 1, max: 100 }) }),
      responses: { 204: { description: 'Opened; the cookie is set.' } },
      errors: ['portal_link_invalid', 'rate_limited'],
      handle: async ({ body, headers, ip, requestId, charge }) => {
        const from = { environment, requestId, replaces: cookie.read(headers) };
        const session = await sessions.open(body.token, from).catch((error: unknown) => {
          if (isTollgateError(error) && error.code === 'portal_link_invalid') throttle.miss(ip);
          throw error;
        });
        await charge?.refund();
        return { status: 204, headers: { 'Set-Cookie': cookie.set(session) } };
      },
    }),
    route({
      method: 'delete',
      path: '/portal/api/session',
      operationId: 'endPortalSession',
      summary: 'Leave the page',
      tag,
      access: 'portal',
      responses: { 204: { description: 'Ended; the cookie is cleared.' } },
      handle: async ({ principal }) => {
        await sessions.end(principal.visitor);
        return { status: 204, headers: { 'Set-Cookie': cookie.clear() } };
      },
    }),
  ];
}
