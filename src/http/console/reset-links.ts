import { z } from 'zod';
import { timeSchema, toTime } from '../../schemas/instant';
import { identifier, line, text } from '../../schemas/text';
import type { Services } from '../../service/services';
import type { Admission } from '../admission';
import { organizationOperator } from '../auth/organization-operator';
import { createSessionCookie } from '../auth/session-cookie';
import { route, type Route } from '../route';

const token = line({ min: 1, max: 200 });
const linkErrors = [
  'reset_link_invalid',
  'reset_link_refused',
  'reset_link_other_session',
  'login_throttled',
] as const;

/** Routes by which a member who lost their device or password regains access, with a link that an owner creates. */
export function resetLinkRoutes({ issueResetLink, resetLinks, operators, urls }: Services): Route[] {
  const admission: Admission = ({ ip }) => operators.proof.admitInvited(ip);
  const cookie = createSessionCookie(urls.console);

  const issue = route({
    method: 'post',
    path: '/api/organizations/{id}/members/{operatorId}/reset-link',
    operationId: 'issueResetLink',
    summary: 'Create a reset link for a member',
    description:
      'For a member who lost their device or password. The link is shown only once, works once, expires after 24 hours, and replaces an earlier one. Using it sets a new password, removes the second factor and ends all sessions of the account. Needs the role owner. Refused for yourself, for platform administrators, and for accounts that also belong to another organization: the administrator of the installation resets these.',
    tag: 'Members',
    access: 'session',
    stepUp: 'always',
    compress: false,
    params: z.strictObject({ id: identifier, operatorId: identifier }),
    responses: {
      201: {
        description: 'The link.',
        schema: z
          .object({ id: z.string(), link: z.url(), email: z.string(), expiresAt: timeSchema })
          .meta({ id: 'ResetLink' }),
      },
    },
    errors: [
      'organization_forbidden',
      'role_forbidden',
      'operator_not_found',
      'reset_link_refused',
      'origin_forbidden',
    ],
    handle: async (call) => {
      const issued = await issueResetLink(organizationOperator(call), call.params.operatorId);
      return { status: 201, body: { ...issued, expiresAt: toTime(issued.expiresAt) } };
    },
  });

  const look = route({
    method: 'post',
    path: '/api/auth/reset-links/look-up',
    operationId: 'lookAtResetLink',
    summary: 'Read a reset link',
    description:
      'Shows the account it is for, without using it. The token is in the body, because logs contain addresses.',
    tag: 'Authentication',
    access: 'public',
    compress: false,
    admission,
    body: z.strictObject({ token }),
    responses: {
      200: {
        description: 'The link.',
        schema: z
          .object({ organizationName: z.string(), email: z.string(), expiresAt: timeSchema })
          .meta({ id: 'ResetLinkView' }),
      },
    },
    errors: [...linkErrors, 'origin_forbidden'],
    handle: async ({ body, headers, ip, charge }) => {
      const view = await resetLinks.look({ ...body, session: cookie.read(headers), ip, charge });
      return { status: 200, body: { ...view, expiresAt: toTime(view.expiresAt) } };
    },
  });

  const use = route({
    method: 'post',
    path: '/api/auth/reset-links/use',
    operationId: 'useResetLink',
    summary: 'Reset an account with a link',
    description:
      'Sets a new password of 12 to 200 characters, removes the second factor, and ends the sessions of the account. Log in with the new password afterwards.',
    tag: 'Authentication',
    access: 'public',
    compress: false,
    admission,
    body: z.strictObject({ token, password: text({ min: 1, max: 400 }) }),
    responses: {
      200: { description: 'The account is reset.', schema: z.object({ email: z.string() }) },
    },
    errors: [...linkErrors, 'service_busy', 'origin_forbidden'],
    handle: async ({ body, headers, ip, requestId, charge }) => ({
      status: 200,
      body: await resetLinks.use({ ...body, session: cookie.read(headers), ip, requestId, charge }),
    }),
  });

  return [issue, look, use];
}
