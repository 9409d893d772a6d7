import { z } from 'zod';
import { operatorSchema } from '../../operators/operator-resource';
import { organizationSchema } from '../../organizations/organization-resource';
import { timeSchema, toTimeOrNull } from '../../schemas/instant';
import { text } from '../../schemas/text';
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
    secondFactor: z.object({
      enrolled: z.boolean(),
      confirmedAt: timeSchema.nullable().meta({ description: 'When it was last confirmed in this session.' }),
    }),
  })
  .meta({ id: 'SessionOverview' });

/** Routes of the current session: reading it, logging out, changing one's own password. */
export function authRoutes(services: Services): Route[] {
  const { operators, organizations } = services;
  const cookie = createSessionCookie(services.urls.console);
  const deviceCookie = createDeviceCookie(services.urls.console);

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
      const { enrolled, confirmedAt } = principal.secondFactor;
      const memberOf = await organizations.listFor(id);
      return {
        status: 200,
        body: {
          operator: { id, email, name, isPlatformAdministrator },
          organizations: memberOf,
          session: { id: sessionId },
          secondFactor: { enrolled, confirmedAt: toTimeOrNull(confirmedAt) },
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
    stepUp: 'always',
    compress: false,
    body: z.strictObject({ currentPassword: password, newPassword: password }),
    responses: { 204: { description: 'Changed; the cookie is set again.' } },
    errors: ['password_wrong', 'login_throttled', 'service_busy', 'origin_forbidden'],
    handle: async ({ body, principal, headers, ip, requestId }) => {
      const { operatorId, email, sessionId, secondFactor, receivedAt: now } = principal;
      const userAgent = userAgentOf(headers);
      const { token, device } = await services.changePassword({
        ...body,
        sessionId,
        operatorId,
        email,
        secondFactorAt: secondFactor.confirmedAt,
        now,
        ip,
        requestId,
        userAgent,
      });
      return { status: 204, headers: { 'Set-Cookie': [cookie.set(token), deviceCookie.set(device)] } };
    },
  });

  return [logout, session, changePassword];
}
