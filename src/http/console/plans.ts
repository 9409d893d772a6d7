import {
  changedPlanSchema,
  createPlanInput,
  listPlansQuery,
  planSchema,
  updatePlanInput,
} from '../../catalog/plan-resource';
import { pageSchema } from '../../pagination/cursor';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { BODY_WITH_METADATA } from '../body-limit';
import { route, type Route } from '../route';

const tag = 'Plans';

/** `/api/plans` */
export function planRoutes({
  catalog: { plans },
  planPrices,
}: Pick<Services, 'catalog' | 'planPrices'>): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/plans',
      operationId: 'listPlans',
      summary: 'List plans',
      description: 'Newest first.',
      tag,
      access: 'operator',
      role: 'viewer',
      query: listPlansQuery,
      responses: { 200: { description: 'A page of plans', schema: pageSchema(planSchema) } },
      errors: ['cursor_invalid'],
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await plans.list(await principal.actor(), query),
      }),
    }),
    route({
      method: 'post',
      path: '/api/plans',
      operationId: 'createPlan',
      summary: 'Create a plan',
      description:
        'The price is for one interval, and for one seat where `pricing` is `per_seat`. `metadata` may hold `providerAPriceId`, `providerBPlanId` and `providerCPlanCode`, and labels of your own.',
      tag,
      access: 'operator',
      role: 'developer',
      body: createPlanInput,
      bodyLimit: BODY_WITH_METADATA,
      responses: { 201: { description: 'The plan', schema: changedPlanSchema } },
      errors: ['plan_group_not_found', 'plan_group_archived', 'resource_conflict'],
      handle: async ({ principal, body }) => {
        const actor = await principal.actor();
        const plan = await plans.create(actor, body);
        return { status: 201, body: { ...plan, atProviders: await planPrices.ofPlan(actor, plan.id) } };
      },
    }),
    route({
      method: 'get',
      path: '/api/plans/{id}',
      operationId: 'getPlan',
      summary: 'Read a plan',
      tag,
      access: 'operator',
      role: 'viewer',
      params: idParams,
      responses: { 200: { description: 'The plan', schema: planSchema } },
      errors: ['plan_not_found'],
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await plans.get(await principal.actor(), params.id),
      }),
    }),
    route({
      method: 'patch',
      path: '/api/plans/{id}',
      operationId: 'updatePlan',
      summary: 'Change a plan',
      description:
        'A new price applies to new subscriptions at once, and to those there are from their next renewal. Once the plan has subscriptions, its group, currency, interval and pricing are fixed. Metadata that is sent replaces the stored object. Where a payment provider has another price for the plan, the change is made all the same, `atProviders` tells it, and the plan is not sold there until the two agree.',
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      body: updatePlanInput,
      bodyLimit: BODY_WITH_METADATA,
      responses: { 200: { description: 'The plan', schema: changedPlanSchema } },
      errors: ['plan_not_found', 'plan_group_not_found', 'plan_group_archived', 'plan_terms_fixed'],
      handle: async ({ principal, params, body }) => {
        const actor = await principal.actor();
        const plan = await plans.update(actor, params.id, body);
        const { price, interval, pricing, metadata } = body;
        const mayDiffer = (price ?? interval ?? pricing ?? metadata) !== undefined;
        const atProviders = mayDiffer ? await planPrices.ofPlan(actor, plan.id) : [];
        return { status: 200, body: { ...plan, atProviders } };
      },
    }),
    route({
      method: 'delete',
      path: '/api/plans/{id}',
      operationId: 'deletePlan',
      summary: 'Delete a plan that never had a subscription',
      description: 'Its entitlements go with it. A plan that has, or had, subscriptions is archived instead.',
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      responses: { 204: { description: 'Deleted' } },
      errors: ['plan_not_found', 'plan_in_use'],
      handle: async ({ principal, params }) => {
        await plans.remove(await principal.actor(), params.id);
        return { status: 204 };
      },
    }),
    archiveRoute(plans, true),
    archiveRoute(plans, false),
  ];
}

function archiveRoute(plans: Services['catalog']['plans'], archived: boolean): Route {
  const verb = archived ? 'archive' : 'unarchive';
  return route({
    method: 'post',
    path: `/api/plans/{id}/${verb}`,
    operationId: `${verb}Plan`,
    summary: archived ? 'Archive a plan' : 'Take a plan out of the archive',
    description: archived
      ? 'It takes no new subscriptions; those there are go on.'
      : 'It takes new subscriptions again.',
    tag,
    access: 'operator',
    role: 'developer',
    params: idParams,
    responses: { 200: { description: 'The plan', schema: planSchema } },
    errors: ['plan_not_found'],
    handle: async ({ principal, params }) => ({
      status: 200,
      body: await plans.setArchived(await principal.actor(), params.id, archived),
    }),
  });
}
