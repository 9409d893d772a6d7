import { z } from 'zod';
import { organizationSchema } from '../../organizations/organization-resource';
import { completeList, completeListSchema } from '../../pagination/complete-list';
import { displayName, idParams, slug } from '../../schemas/text';
import type { Services } from '../../service/services';
import { organizationOperator } from '../auth/organization-operator';
import { route, type Route } from '../route';

const tag = 'Organizations';
const path = '/api/organizations/{id}';

/** Routes for the organizations that an operator belongs to. They take no organizationId or env. */
export function organizationRoutes({ organizations }: Services): Route[] {
  const list = route({
    method: 'get',
    path: '/api/organizations',
    operationId: 'listOrganizations',
    summary: 'Your organizations',
    description: 'All of your organizations, with your role in each, oldest first.',
    tag,
    access: 'session',
    responses: {
      200: {
        description: 'The organizations.',
        schema: completeListSchema(organizationSchema),
      },
    },
    handle: async ({ principal }) => ({
      status: 200,
      body: completeList(await organizations.listFor(principal.operatorId)),
    }),
  });

  const create = route({
    method: 'post',
    path: '/api/organizations',
    operationId: 'createOrganization',
    summary: 'Create an organization',
    description:
      'For platform administrators. You become the owner. Both environments start with default settings: USD, UTC, no tax, internal billing, past due after 7 days, 7 days of grace, expired after 30.',
    tag,
    access: 'platformAdministrator',
    body: z.strictObject({ name: displayName, slug: slug.optional() }),
    responses: { 201: { description: 'The organization.', schema: organizationSchema } },
    errors: ['resource_conflict', 'origin_forbidden'],
    handle: async ({ body, principal, ip }) => {
      const { operatorId, receivedAt } = principal;
      return {
        status: 201,
        body: await organizations.create({ operatorId, receivedAt, ip, reason: 'OPERATOR' }, body),
      };
    },
  });

  const get = route({
    method: 'get',
    path,
    operationId: 'getOrganization',
    summary: 'Read one of your organizations',
    tag,
    access: 'session',
    params: idParams,
    responses: { 200: { description: 'The organization.', schema: organizationSchema } },
    errors: ['organization_forbidden'],
    handle: async (call) => ({ status: 200, body: await organizations.get(organizationOperator(call)) }),
  });

  const rename = route({
    method: 'patch',
    path,
    operationId: 'renameOrganization',
    summary: 'Rename an organization',
    description: 'Needs the role admin. The slug stays.',
    tag,
    access: 'session',
    params: idParams,
    body: z.strictObject({ name: displayName }),
    responses: { 200: { description: 'The organization.', schema: organizationSchema } },
    errors: ['organization_forbidden', 'role_forbidden', 'origin_forbidden'],
    handle: async (call) => ({
      status: 200,
      body: await organizations.rename(organizationOperator(call), call.body.name),
    }),
  });

  const requireSecondFactor = route({
    method: 'put',
    path: `${path}/second-factor-requirement`,
    operationId: 'requireSecondFactor',
    summary: 'Require a second factor for every member',
    description:
      'Needs the role owner, and your own second factor. From the next request on, members without one can only set one up; their sessions stay.',
    tag,
    access: 'session',
    stepUp: 'always',
    params: idParams,
    body: z.strictObject({ requireSecondFactor: z.boolean() }),
    responses: { 200: { description: 'The organization.', schema: organizationSchema } },
    errors: ['organization_forbidden', 'role_forbidden', 'second_factor_not_enrolled', 'origin_forbidden'],
    handle: async (call) => ({
      status: 200,
      body: await organizations.requireSecondFactor(
        organizationOperator(call),
        call.body.requireSecondFactor,
      ),
    }),
  });

  return [list, create, get, rename, requireSecondFactor];
}
