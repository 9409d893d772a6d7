import {
  createPlanGroupInput,
  listPlanGroupsQuery,
  planGroupSchema,
  updatePlanGroupInput,
} from '../../catalog/plan-group-resource';
import { pageSchema } from '../../pagination/page-schema';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';
import { archiveRoutes } from './archive-routes';

const tag = 'Plan groups';

/** `/api/plan-groups` */
export function planGroupRoutes({ catalog: { planGroups } }: Pick<Services, 'catalog'>): Route[] {
  return [
    workspaceRoute({
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
      answer: (actor, { query }) => planGroups.list(actor, query),
    }),
    workspaceRoute({
      method: 'post',
      path: '/api/plan-groups',
      operationId: 'createPlanGroup',
      summary: 'Create a plan group',
      description:
        'A group holds alternative plans: a customer has at most one open subscription in a group.',
      tag,
      access: 'operator',
      role: 'developer',
      body: createPlanGroupInput,
      responses: { 201: { description: 'The plan group', schema: planGroupSchema } },
      errors: ['resource_conflict'],
      answer: (actor, { body }) => planGroups.create(actor, body),
    }),
    workspaceRoute({
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
      answer: (actor, { params }) => planGroups.get(actor, params.id),
    }),
    workspaceRoute({
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
      answer: (actor, { params, body }) => planGroups.update(actor, params.id, body),
    }),
    ...archiveRoutes({
      path: '/api/plan-groups',
      tag,
      noun: 'plan group',
      resource: 'PlanGroup',
      schema: planGroupSchema,
      notFound: 'plan_group_not_found',
      archives:
        'It accepts no new plans, and its plans accept no new subscriptions. Existing subscriptions continue.',
      unarchives: 'It accepts plans, and its plans accept subscriptions, again.',
      collection: planGroups,
    }),
  ];
}
