import { externalIdParams } from '../../customers/customer-resource';
import { pageSchema } from '../../pagination/page-schema';
import { listQuery } from '../../schemas/list';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { entityOfExternalIdParams, entityParams, entitySchema } from '../../usage-entities/entity-resource';
import { mountedRoute, type MountedRoute } from '../mounted-route';

const tag = 'Usage';

/**
 * A customer's users, projects or similar: `/api/customers/{id}/entities` and `/v1/customers/{externalId}/entities`.
 */
export function usageEntityRoutes({
  customers,
  entities,
}: Pick<Services, 'customers' | 'entities'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'get',
      operationId: 'listEntities',
      summary: 'List a customer’s entities',
      description:
        'The customer’s users, projects and so on, as named by usage; newest first. To see what one of them may use now, list the customer’s entitlements with `entity`.',
      tag,
      console: { path: '/api/customers/{id}/entities', role: 'viewer' },
      v1: {
        path: '/v1/customers/{externalId}/entities',
        scopes: { anyOf: ['read', 'customers'], namedOnly: true },
        params: externalIdParams,
      },
      params: idParams,
      query: listQuery,
      responses: { 200: { description: 'A page of entities', schema: pageSchema(entitySchema) } },
      errors: ['customer_not_found', 'cursor_invalid'],
      answer: async (actor, { params, query }) =>
        entities.list(actor, await customers.idOf(actor, params), query),
    }),
    mountedRoute({
      method: 'delete',
      operationId: 'removeEntity',
      summary: 'Remove an entity of a customer',
      description:
        'Frees its place where a plan limits the number of entities. Its usage stays counted, and its next usage creates it again.',
      tag,
      console: { path: '/api/customers/{id}/entities/{entity}', role: 'developer' },
      v1: {
        path: '/v1/customers/{externalId}/entities/{entity}',
        scopes: { anyOf: ['customers'], namedOnly: true },
        params: entityOfExternalIdParams,
      },
      params: entityParams,
      responses: { 204: { description: 'Removed' } },
      errors: ['customer_not_found', 'entity_not_found', 'service_busy'],
      handle: async (actor, { params }) => {
        await entities.remove(actor, await customers.idOf(actor, params), params.entity);
        return { status: 204 };
      },
    }),
  ];
}
