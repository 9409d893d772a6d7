import { z } from 'zod';
import { operatorSchema } from '../../operators/operator-resource';
import { roles } from '../../operators/roles';
import { timeSchema, toTime } from '../../schemas/instant';
import { displayName, line, text } from '../../schemas/text';
import type { Services } from '../../service/services';
import type { Admission } from '../admission';
import { createSessionCookie } from '../auth/session-cookie';
import { userAgentOf } from '../auth/user-agent';
import { route, type Route } from '../route';

const tag = 'Authentication';
const token = line({ min: 1, max: 200 });

/** What the holder of an invitation's link can do before they have an account. */
export function acceptInvitationRoutes({ invitationAcceptance, operators, urls }: Services): Route[] {
  const admission: Admission = ({ ip }) => operators.proof.admitInvited(ip);
  const cookie = createSessionCookie(urls.console);

  const look = route({
    method: 'get',
    path: '/api/auth/invitations/{token}',
    operationId: 'lookAtInvitation',
    summary: 'Look at an invitation',
    description: 'Shows the invitation without using it.',
    tag,
    access: 'public',
    compress: false,
    admission,
    params: z.strictObject({ token }),
    responses: {
      200: {
        description: 'The invitation.',
        schema: z
          .object({
            organizationName: z.string(),
            email: z.string(),
            role: z.enum(roles),
            expiresAt: timeSchema,
            hasAccount: z
              .boolean()
              .meta({ description: 'Accept with the password of the account, without a name.' }),
          })
          .meta({ id: 'InvitationView' }),
      },
    },
    errors: ['invitation_invalid', 'login_throttled'],
    handle: async ({ params, charge }) => {
      const view = await invitationAcceptance.look(params.token);
      await charge?.takeBack();
      return { status: 200, body: { ...view, expiresAt: toTime(view.expiresAt) } };
    },
  });

  const accept = route({
    method: 'post',
    path: '/api/auth/invitations/accept',
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description:
      'Creates an account (name, and a password of 12 to 200 characters), or joins with the existing account of the e-mail address and its password. Logs in.',
    tag,
    access: 'public',
    compress: false,
    admission,
    body: z.strictObject({ token, name: displayName.optional(), password: text({ min: 1, max: 400 }) }),
    responses: {
      200: {
        description: 'Joined and logged in; the cookie is set.',
        schema: z.object({ operator: operatorSchema, organizationId: z.string() }),
      },
    },
    errors: [
      'invitation_invalid',
      'login_failed',
      'login_throttled',
      'service_busy',
      'resource_conflict',
      'origin_forbidden',
    ],
    handle: async ({ body, headers, ip, requestId, charge }) => {
      const joined = await invitationAcceptance.accept({ ...body, name: body.name, ip, requestId, charge });
      const { id, email, name, is_platform_administrator: isPlatformAdministrator } = joined.operator;
      const replaces = cookie.read(headers);
      const session = await operators.openSession(joined.operator, {
        ip,
        replaces,
        userAgent: userAgentOf(headers),
      });
      return {
        status: 200,
        headers: { 'Set-Cookie': cookie.set(session) },
        body: { operator: { id, email, name, isPlatformAdministrator }, organizationId: joined.workspaceId },
      };
    },
  });

  return [look, accept];
}
