import { z } from 'zod';
import { operatorSchema } from '../../operators/operator-resource';
import { organizationSchema } from '../../organizations/organization-resource';
import { emailAddress, text } from '../../schemas/text';
import type { Services } from '../../service/services';
import { createDeviceCookie, createSessionCookie } from '../auth/session-cookie';
import { userAgentOf } from '../auth/user-agent';
import { route, type Route } from '../route';

const tag = 'Authentication';
const password = text({ min: 1, max: 400 });
const sessionOverview = z
  .object({
    operator: operatorSchema,
    organizations: z.array(organizationSchema),
    session: z.object({ id: z.string() }),
  })
  .meta({ id: 'SessionOverview' });

/** Logging in and out, and one's own password. */
export function authRoutes(services: Services): Route[] {
  const { operators, organizations } = services;
  const cookie = createSessionCookie(services.urls.console);
  const deviceCookie = createDeviceCookie(services.urls.console);

  const login = route({
    method: 'post',
    path: '/api/auth/login',
    operationId: 'logIn',
    summary: 'Log in',
    description:
      'Opens a new session and sets its cookie. Limit: 10 attempts for one account from one IP address in 15 minutes; a browser that has logged in before has its own limit.',
    tag,
    access: 'public',
    compress: false,
    admission: ({ ip, headers }) => operators.proof.admit(ip, deviceCookie.read(headers)),
    body: z.strictObject({ email: emailAddress, password }),
    responses: {
      200: { description: 'Logged in; the cookie is set.', schema: z.object({ operator: operatorSchema }) },
    },
    errors: ['login_failed', 'login_throttled', 'service_busy', 'origin_forbidden'],
    handle: async ({ body, headers, ip, requestId, charge }) => {
      const replaces = cookie.read(headers);
      const { operator, token, device } = await operators.login({
        ...body,
        ip,
        requestId,
        replaces,
        device: deviceCookie.read(headers),
        charge,
        userAgent: userAgentOf(headers),
      });
      const { id, email, name, is_platform_administrator: isPlatformAdministrator } = operator;
      return {
        status: 200,
        headers: { 'Set-Cookie': [cookie.set(token), deviceCookie.set(device)] },
        body: { operator: { id, email, name, isPlatformAdministrator } },
      };
    },
  });

  const logout = route({
    method: 'post',
    path: '/api/auth/logout',
    operationId: 'logOut',
    summary: 'Log out',
    description: 'Ends this session on the server and clears the cookie.',
    tag,
    access: 'session',
    compress: false,
    responses: { 204: { description: 'Logged out.' } },
    errors: ['origin_forbidden'],
    handle: async ({ principal, ip }) => {
      const { operatorId, sessionId, receivedAt } = principal;
      await operators.logout({ operatorId, sessionId, ip, receivedAt });
      return { status: 204, headers: { 'Set-Cookie': cookie.clear() } };
    },
  });

  const session = route({
    method: 'get',
    path: '/api/auth/session',
    operationId: 'getSession',
    summary: 'Read the logged-in operator',
    tag,
    access: 'session',
    compress: false,
    responses: {
      200: {
        description: 'The operator and their role in each organization.',
        schema: sessionOverview,
      },
    },
    handle: async ({ principal }) => {
      const { operatorId: id, email, name, isPlatformAdministrator, sessionId } = principal;
      const memberOf = await organizations.listFor(id);
      return {
        status: 200,
        body: {
          operator: { id, email, name, isPlatformAdministrator },
          organizations: memberOf,
          session: { id: sessionId },
        },
      };
    },
  });

  const changePassword = route({
    method: 'post',
    path: '/api/auth/password',
    operationId: 'changePassword',
    summary: 'Change your own password',
    description: 'Ends your other sessions. This session continues under a new ID.',
    tag,
    access: 'session',
    compress: false,
    body: z.strictObject({ currentPassword: password, newPassword: password }),
    responses: { 204: { description: 'Changed; the cookie is set again.' } },
    errors: ['login_failed', 'login_throttled', 'service_busy', 'origin_forbidden'],
    handle: async ({ body, principal, headers, ip, requestId }) => {
      const { operatorId, email, sessionId, receivedAt: now } = principal;
      const userAgent = userAgentOf(headers);
      const { token, device } = await services.changePassword({
        ...body,
        sessionId,
        operatorId,
        email,
        now,
        ip,
        requestId,
        userAgent,
      });
      return { status: 204, headers: { 'Set-Cookie': [cookie.set(token), deviceCookie.set(device)] } };
    },
  });

  return [login, logout, session, changePassword];
}
