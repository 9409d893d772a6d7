import { z } from 'zod';
import { TollgateError } from '../../domain/errors';
import { roles } from '../../operators/roles';
import { timeSchema, toTime } from '../../schemas/instant';
import { displayName, line, text } from '../../schemas/text';
import type { Services } from '../../service/services';
import type { Admission } from '../admission';
import { codeAwaitedReply, codeAwaitedResponse, loggedInReply, loggedInSchema } from '../auth/login-reply';
import { createDeviceCookie, createSessionCookie } from '../auth/session-cookie';
import { userAgentOf } from '../auth/user-agent';
import { route, type Route } from '../route';
import { code } from './second-factor';

const tag = 'Authentication';
const token = line({ min: 1, max: 200 });

const acceptedResponse = {
  description: 'Joined and logged in; the cookie is set.',
  schema: loggedInSchema.extend({ organizationId: z.string() }),
};

/** Routes for the holder of an invitation link who has no session yet. */
export function acceptInvitationRoutes({ invitationAcceptance, operators, urls }: Services): Route[] {
  const admission: Admission = ({ ip }) => operators.proof.admitInvited(ip);
  const cookies = { session: createSessionCookie(urls.console), device: createDeviceCookie(urls.console) };

  const look = route({
    method: 'post',
    path: '/api/auth/invitations/look-up',
    operationId: 'lookAtInvitation',
    summary: 'Read an invitation',
    description:
      'Shows the invitation without using it. The token is in the body, because logs contain addresses.',
    tag,
    access: 'public',
    compress: false,
    admission,
    body: z.strictObject({ token }),
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
    errors: ['invitation_invalid', 'login_throttled', 'origin_forbidden'],
    handle: async ({ body, charge }) => {
      const view = await invitationAcceptance.look(body.token);
      await charge?.refund();
      return { status: 200, body: { ...view, expiresAt: toTime(view.expiresAt) } };
    },
  });

  const accept = route({
    method: 'post',
    path: '/api/auth/invitations/accept',
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation',
    description:
      'Creates an account (name, and a password of 12 to 200 characters), or joins with the existing account of the e-mail address and its password. Logs in. An account with a second factor joins with a code: POST /api/auth/invitations/accept/second-factor.',
    tag,
    access: 'public',
    compress: false,
    admission,
    body: z.strictObject({ token, name: displayName.optional(), password: text({ min: 1, max: 400 }) }),
    responses: {
      200: acceptedResponse,
      202: {
        ...codeAwaitedResponse,
        description:
          'The password is right, and the account has a second factor: it has not joined, and no session is opened yet.',
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
      const device = cookies.device.read(headers);
      const { name } = body;
      const joined = await invitationAcceptance.accept({ ...body, name, ip, requestId, device, charge });
      const result = await operators.login.proceed(joined.operator, {
        ip,
        requestId,
        charge,
        replaces: cookies.session.read(headers),
        device,
        userAgent: userAgentOf(headers),
      });
      if (result.kind === 'code_awaited') return codeAwaitedReply(result);
      if (joined.workspaceId === null)
        throw new TollgateError(
          'resource_conflict',
          'The account was changed in the meantime. Accept again.',
        );
      return loggedInReply(result, cookies, { organizationId: joined.workspaceId });
    },
  });

  const finish = route({
    method: 'post',
    path: '/api/auth/invitations/accept/second-factor',
    operationId: 'acceptInvitationWithCode',
    summary: 'Accept an invitation with a second factor',
    description:
      'The second step for an account with a second factor: a code of the authenticator app, or a recovery code. Joins and logs in, or does neither.',
    tag,
    access: 'public',
    compress: false,
    admission,
    body: z.strictObject({ token, secondFactor: z.strictObject({ token, code }) }),
    responses: { 200: acceptedResponse },
    errors: [
      'invitation_invalid',
      'login_challenge_invalid',
      'second_factor_failed',
      'login_throttled',
      'key_unavailable',
      'resource_conflict',
      'origin_forbidden',
    ],
    handle: async ({ body, headers, ip, requestId, charge }) => {
      let organizationId = '';
      const loggedIn = await operators.login.finish({
        ...body.secondFactor,
        ip,
        requestId,
        charge,
        replaces: cookies.session.read(headers),
        device: cookies.device.read(headers),
        userAgent: userAgentOf(headers),
        within: async (open) => {
          const joined = await invitationAcceptance.joinWith({ token: body.token, ip }, open);
          organizationId = joined.workspaceId;
          return joined.loggedIn;
        },
      });
      return loggedInReply(loggedIn, cookies, { organizationId });
    },
  });

  return [look, accept, finish];
}
