import { z } from 'zod';
import { accessGrantSchema } from '../../organizations/access-review-resource';
import { completeList, completeListSchema } from '../../pagination/complete-list';
import { memberChangeSchema, memberSchema } from '../../organizations/member-resource';
import { roles } from '../../operators/roles';
import { idParams, identifier } from '../../schemas/text';
import type { Services } from '../../service/services';
import { organizationOperator } from '../auth/organization-operator';
import { route, type Route } from '../route';

const tag = 'Members';
const memberPath = '/api/organizations/{id}/members/{operatorId}';
const memberParams = z.strictObject({ id: identifier, operatorId: identifier });

/** Who belongs to an organization. Admins work with members who are not owners; owners with all. */
export function memberRoutes({ members, accessReview }: Services): Route[] {
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
        schema: completeListSchema(memberSchema),
      },
    },
    errors: ['organization_forbidden'],
    handle: async (call) => ({
      status: 200,
      body: completeList(await members.list(organizationOperator(call))),
    }),
  });

  const changeRole = route({
    method: 'patch',
    path: memberPath,
    operationId: 'changeMemberRole',
    summary: 'Change a member’s role',
    description:
      'Needs the role admin; owner to make an owner or to change one. The last owner stays one. A lower role ends the open invitations that the member made above it and, unless it is your own, their sessions; `review` lists the keys, connections and members that they made.',
    tag,
    access: 'session',
    params: memberParams,
    body: z.strictObject({ role: z.enum(roles) }),
    responses: { 200: { description: 'The member, and what ended.', schema: memberChangeSchema } },
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
      'Needs the role admin, and owner for an owner; anybody may leave. It holds from the very next request, and ends their live streams, the open invitations that they made or that are addressed to them and, unless you leave yourself, their sessions. What they made for the organization goes on: `review` lists it for a decision. The last owner stays.',
    tag,
    access: 'session',
    params: memberParams,
    responses: {
      200: {
        description: 'No longer a member; the role is the one they had. What ended, and what goes on.',
        schema: memberChangeSchema,
      },
    },
    errors: [
      'organization_forbidden',
      'role_forbidden',
      'operator_not_found',
      'last_owner',
      'origin_forbidden',
    ],
    handle: async (call) => ({
      status: 200,
      body: await members.remove(organizationOperator(call), call.params.operatorId),
    }),
  });

  const review = route({
    method: 'get',
    path: '/api/organizations/{id}/access-review',
    operationId: 'reviewAccess',
    summary: 'What people made that goes on without them',
    description:
      'The API keys that work, the provider connections that are enabled and the members, of both environments: those that one operator made, entered secrets into or invited, or without `operatorId` those of everybody who is no longer a member. Needs the role admin.',
    tag,
    access: 'session',
    params: idParams,
    query: z.strictObject({ operatorId: identifier.optional() }),
    responses: {
      200: {
        description: 'What wants a decision.',
        schema: completeListSchema(accessGrantSchema),
      },
    },
    errors: ['organization_forbidden', 'role_forbidden'],
    handle: async (call) => {
      const data = await accessReview.list(organizationOperator(call), call.query.operatorId);
      return { status: 200, body: completeList(data) };
    },
  });

  return [list, changeRole, remove, review];
}
