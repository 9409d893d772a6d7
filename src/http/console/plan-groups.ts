import {
  createPlanGroupInput,
  listPlanGroupsQuery,
  planGroupSchema,
  updatePlanGroupInput,
} from '../../catalog/plan-group-resource';
import { pageSchema } from '../../pagination/cursor';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { route, type Route } from '../route';

const tag = 'Plan groups';

/** `/api/plan-groups` */
export function planGroupRoutes({ catalog: { planGroups } }: Pick<Services, 'catalog'>): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/plan-groups',
      operationId: 'listPlanGroups',
      summary: 'List plan groups',
      description: 'Newest first.',
      tag,
      access: 'operator',
      role: 'viewer',
      query: listPlanGroupsQuery,
      responses: { 200: { description: 'A page of plan groups', schema: pageSchema(planGroupSchema) } },
      errors: ['cursor_invalid'],
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await planGroups.list(await principal.actor(), query),
      }),
    }),
    route({
      method: 'post',
      path: '/api/plan-groups',
      operationId: 'createPlanGroup',
      summary: 'Create a plan group',
      description:
        'A group holds the plans that a customer chooses one of: one open subscription in a group at most.',
      tag,
      access: 'operator',
      role: 'developer',
      body: createPlanGroupInput,
      responses: { 201: { description: 'The plan group', schema: planGroupSchema } },
      errors: ['resource_conflict'],
      handle: async ({ principal, body }) => ({
        status: 201,
        body: await planGroups.create(await principal.actor(), body),
      }),
    }),
    route({
      method: 'get',
      path: '/api/plan-groups/{id}',
      operationId: 'getPlanGroup',
      summary: 'Read a plan group',
      tag,
      access: 'operator',
      role: 'viewer',
      params: idParams,
      responses: { 200: { description: 'The plan group', schema: planGroupSchema } },
      errors: ['plan_group_not_found'],
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await planGroups.get(await principal.actor(), params.id),
      }),
    }),
    route({
      method: 'patch',
      path: '/api/plan-groups/{id}',
      operationId: 'updatePlanGroup',
      summary: 'Change a plan group',
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      body: updatePlanGroupInput,
      responses: { 200: { description: 'The plan group', schema: planGroupSchema } },
      errors: ['plan_group_not_found', 'resource_conflict'],
      handle: async ({ principal, params, body }) => ({
        status: 200,
        body: await planGroups.update(await principal.actor(), params.id, body),
      }),
    }),
    archiveRoute(planGroups, true),
    archiveRoute(planGroups, false),
  ];
}

function archiveRoute(planGroups: Services['catalog']['planGroups'], archived: boolean): Route {
  const verb = archived ? 'archive' : 'unarchive';
  return route({
    method: 'post',
    path: `/api/plan-groups/{id}/${verb}`,
    operationId: `${verb}PlanGroup`,
    summary: archived ? 'Archive a plan group' : 'Take a plan group out of the archive',
    description: archived
      ? 'It takes no new plans, and its plans take no new subscriptions; the subscriptions there are go on.'
      : 'It takes plans, and its plans take subscriptions, again.',
    tag,
    access: 'operator',
    role: 'developer',
    params: idParams,
    responses: { 200: { description: 'The plan group', schema: planGroupSchema } },
    errors: ['plan_group_not_found'],
    handle: async ({ principal, params }) => ({
      status: 200,
      body: await planGroups.setArchived(await principal.actor(), params.id, archived),
    }),
  });
}
