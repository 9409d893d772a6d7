import { z } from 'zod';
import { invitationSchema } from '../../organizations/member-resource';
import { completeList, completeListSchema } from '../../pagination/complete-list';
import { roles } from '../../operators/roles';
import { emailAddress, idParams, identifier } from '../../schemas/text';
import type { Services } from '../../service/services';
import { organizationOperator } from '../auth/organization-operator';
import { route, type Route } from '../route';

const tag = 'Members';
const access = ['organization_forbidden', 'role_forbidden'] as const;

/** Routes that invite members by a link shown once. */
export function invitationRoutes({ invitations }: Services): Route[] {
  const invite = route({
    method: 'post',
    path: '/api/organizations/{id}/members',
    operationId: 'inviteMember',
    summary: 'Invite a member',
    description:
      'Returns a link to pass on. It is shown only once, works once, expires after 7 days, and replaces earlier invitations to the same address. Needs the role admin; owner to invite an owner.',
    tag,
    access: 'session',
    stepUp: 'always',
    compress: false,
    params: idParams,
    body: z.strictObject({ email: emailAddress, role: z.enum(roles) }),
    responses: {
      201: {
        description: 'The invitation and its link.',
        schema: z.object({ invitation: invitationSchema, link: z.url() }),
      },
    },
    errors: [...access, 'resource_conflict', 'origin_forbidden'],
    handle: async (call) => ({
      status: 201,
      body: await invitations.invite(organizationOperator(call), call.body),
    }),
  });

  const list = route({
    method: 'get',
    path: '/api/organizations/{id}/invitations',
    operationId: 'listInvitations',
    summary: 'The open invitations',
    description: 'Invitations that can still be accepted, newest first. Needs the role admin.',
    tag,
    access: 'session',
    params: idParams,
    responses: {
      200: {
        description: 'The invitations, without their links.',
        schema: completeListSchema(invitationSchema),
      },
    },
    errors: access,
    handle: async (call) => ({
      status: 200,
      body: completeList(await invitations.list(organizationOperator(call))),
    }),
  });

  const revoke = route({
    method: 'delete',
    path: '/api/organizations/{id}/invitations/{invitationId}',
    operationId: 'revokeInvitation',
    summary: 'Revoke an invitation',
    description: 'Its link no longer works. Needs the role admin; owner where it invites an owner.',
    tag,
    access: 'session',
    params: z.strictObject({ id: identifier, invitationId: identifier }),
    responses: { 204: { description: 'Revoked.' } },
    errors: [...access, 'invitation_not_found', 'origin_forbidden'],
    handle: async (call) => {
      await invitations.revoke(organizationOperator(call), call.params.invitationId);
      return { status: 204 };
    },
  });

  return [invite, list, revoke];
}
