import { z } from 'zod';
import { memberSchema } from '../../organizations/member-resource';
import { roles } from '../../operators/roles';
import { idParams, identifier } from '../../schemas/text';
import type { Services } from '../../service/services';
import { organizationOperator } from '../auth/organization-operator';
import { route, type Route } from '../route';

const tag = 'Members';
const memberPath = '/api/organizations/{id}/members/{operatorId}';
const memberParams = z.strictObject({ id: identifier, operatorId: identifier });

/** Who belongs to an organization. Admins work with members who are not owners; owners with all. */
export function memberRoutes({ members }: Services): Route[] {
  const list = route({
    method: 'get',
    path: '/api/organizations/{id}/members',
    operationId: 'listMembers',
    summary: 'The members of an organization',
    description: 'All of them, by the time they joined.',
    tag,
    access: 'session',
    params: idParams,
    responses: {
      200: {
        description: 'The members.',
        schema: z.object({ data: z.array(memberSchema), hasMore: z.literal(false) }),
      },
    },
    errors: ['organization_forbidden'],
    handle: async (call) => ({
      status: 200,
      body: { data: await members.list(organizationOperator(call)), hasMore: false },
    }),
  });

  const changeRole = route({
    method: 'patch',
    path: memberPath,
    operationId: 'changeMemberRole',
    summary: 'Change a member’s role',
    description: 'Needs the role admin; owner to make an owner or to change one. The last owner stays one.',
    tag,
    access: 'session',
    params: memberParams,
    body: z.strictObject({ role: z.enum(roles) }),
    responses: { 200: { description: 'The member.', schema: memberSchema } },
    errors: [
      'organization_forbidden',
      'role_forbidden',
      'operator_not_found',
      'last_owner',
      'origin_forbidden',
    ],
    handle: async (call) => ({
      status: 200,
      body: await members.changeRole(organizationOperator(call), call.params.operatorId, call.body.role),
    }),
  });

  const remove = route({
    method: 'delete',
    path: memberPath,
    operationId: 'removeMember',
    summary: 'Take a member out of an organization, or leave it',
    description:
      'Needs the role admin, and owner for an owner; anybody may leave. It holds from the very next request. The last owner stays.',
    tag,
    access: 'session',
    params: memberParams,
    responses: { 204: { description: 'No longer a member.' } },
    errors: [
      'organization_forbidden',
      'role_forbidden',
      'operator_not_found',
      'last_owner',
      'origin_forbidden',
    ],
    handle: async (call) => {
      await members.remove(organizationOperator(call), call.params.operatorId);
      return { status: 204 };
    },
  });

  return [list, changeRole, remove];
}
