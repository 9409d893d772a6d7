import { listPlansQuery, planNameParams, planSchema } from '../../catalog/plan-resource';
import { pageSchema } from '../../pagination/page-schema';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { mountedRoute, type MountedRoute } from '../mounted-route';

const tag = 'Plans';

/** `/api/plans` and `/v1/plans`: the routes of both hosts. */
export function planRoutes({ catalog: { plans } }: Pick<Services, 'catalog'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'get',
      operationId: 'listPlans',
      summary: 'List plans',
      description:
        'Newest first, each with its group, its entitlements, and where it can be sold: everything a pricing page shows. `archived=false` omits those that accept no new subscriptions.',
      tag,
      console: { path: '/api/plans', role: 'viewer' },
      v1: { path: '/v1/plans', scopes: { anyOf: ['read', 'subscriptions'] } },
      query: listPlansQuery,
      conditional: true,
      responses: { 200: { description: 'A page of plans', schema: pageSchema(planSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, { query }) => plans.list(actor, query),
    }),
    mountedRoute({
      method: 'get',
      operationId: 'getPlan',
      summary: 'Read a plan',
      tag,
      console: { path: '/api/plans/{id}', role: 'viewer' },
      v1: {
        path: '/v1/plans/{idOrSlug}',
        scopes: { anyOf: ['read', 'subscriptions'] },
        params: planNameParams,
      },
      params: idParams,
      conditional: true,
      responses: { 200: { description: 'The plan', schema: planSchema } },
      errors: ['plan_not_found'],
      answer: (actor, { params }) => plans.get(actor, 'id' in params ? params.id : params.idOrSlug),
    }),
  ];
}
