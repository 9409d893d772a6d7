import { changedPlanSchema, createPlanInput, planSchema, updatePlanInput } from '../../catalog/plan-resource';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { BODY_WITH_METADATA } from '../body-limit';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';
import { archiveRoutes } from './archive-routes';

const tag = 'Plans';

/** `/api/plans`: routes for operators only. */
export function planRoutes({
  catalog: { plans },
  pricesAfterChange,
}: Pick<Services, 'catalog' | 'pricesAfterChange'>): Route[] {
  return [
    workspaceRoute({
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
      answer: async (actor, { body }) => {
        const plan = await plans.create(actor, body);
        const atProviders = await pricesAfterChange.ofPlan(actor, plan.id);
        return { ...plan, atProviders };
      },
    }),
    workspaceRoute({
      method: 'patch',
      path: '/api/plans/{id}',
      operationId: 'updatePlan',
      summary: 'Change a plan',
      description:
        'A new price applies to new subscriptions at once and to existing ones from their next renewal. Once the plan has or had subscriptions, or one may change to it, its group, currency, interval and pricing are fixed. `metadata` replaces the stored object. If a payment provider’s price differs, the change is made, `atProviders` reports the difference, and the plan is not sold there until the prices match.',
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      body: updatePlanInput,
      bodyLimit: BODY_WITH_METADATA,
      responses: { 200: { description: 'The plan', schema: changedPlanSchema } },
      errors: ['plan_not_found', 'plan_group_not_found', 'plan_group_archived', 'plan_terms_fixed'],
      answer: async (actor, { params, body }) => {
        const plan = await plans.update(actor, params.id, body);
        const { price, interval, pricing, metadata } = body;
        const mayDiffer = (price ?? interval ?? pricing ?? metadata) !== undefined;
        const atProviders = mayDiffer ? await pricesAfterChange.ofPlan(actor, plan.id) : [];
        return { ...plan, atProviders };
      },
    }),
    workspaceRoute({
      method: 'delete',
      path: '/api/plans/{id}',
      operationId: 'deletePlan',
      summary: 'Delete a plan that never had a subscription',
      description:
        'Deletes its entitlements too. Archive a plan that has or had subscriptions, or to which one may change, instead.',
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      responses: { 204: { description: 'Deleted' } },
      errors: ['plan_not_found', 'plan_in_use'],
      answer: (actor, { params }) => plans.remove(actor, params.id),
    }),
    ...archiveRoutes({
      path: '/api/plans',
      tag,
      noun: 'plan',
      resource: 'Plan',
      schema: planSchema,
      notFound: 'plan_not_found',
      archives:
        'It accepts no new subscriptions. Existing ones continue, and so do changes to it that are already scheduled.',
      unarchives: 'It accepts new subscriptions again.',
      collection: plans,
    }),
  ];
}
