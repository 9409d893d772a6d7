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

/** Routes to manage an organization's members. Admins may manage members other than owners; owners may manage all. */
export function memberRoutes({ members, accessReview }: Services): Route[] {
  const list = route({
    method: 'get',
    path: '/api/organizations/{id}/members',
    operationId: 'listMembers',
    summary: 'The members of an organization',
    description: 'All members, in the order in which they joined.',
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
      'Needs the role admin; owner to make or change an owner. The last owner cannot be changed. A lower role ends the member’s sessions (except your own) and their open invitations to higher roles; `review` lists the keys, connections, webhook endpoints and members that they created.',
    tag,
    access: 'session',
    stepUp: 'always',
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
    summary: 'Remove a member, or leave the organization',
    description:
      'Needs the role admin, or owner for an owner; anyone may leave. Takes effect with the next request, and ends the member’s live streams, sessions (except your own) and the open invitations by or to them. Their keys, connections and webhook endpoints keep working: `review` lists them for a decision. The last owner cannot leave.',
    tag,
    access: 'session',
    stepUp: 'always',
    params: memberParams,
    responses: {
      200: {
        description: 'The former member with their last role, what ended, and what keeps working.',
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
    summary: 'Review what former members created',
    description:
      'The active API keys, enabled provider connections and webhook endpoints, and members, of both environments, that an operator created, entered secrets or the address for, or invited; webhook endpoints also through an API key that they created. Without `operatorId`: those of everyone who is no longer a member. A member is listed for 30 days after they joined. Needs the role admin.',
    tag,
    access: 'session',
    params: idParams,
    query: z.strictObject({ operatorId: identifier.optional() }),
    responses: {
      200: {
        description: 'Items to decide about.',
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
