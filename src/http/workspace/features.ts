import { featureSchema, listFeaturesQuery } from '../../catalog/feature-resource';
import { pageSchema } from '../../pagination/page-schema';
import type { Services } from '../../service/services';
import { mountedRoute, type MountedRoute } from '../mounted-route';

/** `/api/features` and `/v1/features`: the routes of both hosts. */
export function featureRoutes({ catalog: { features } }: Pick<Services, 'catalog'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'get',
      operationId: 'listFeatures',
      summary: 'List features',
      description: 'Newest first.',
      tag: 'Features',
      console: { path: '/api/features', role: 'viewer' },
      v1: { path: '/v1/features', scopes: { anyOf: ['read'] } },
      query: listFeaturesQuery,
      conditional: true,
      responses: { 200: { description: 'A page of features', schema: pageSchema(featureSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, { query }) => features.list(actor, query),
    }),
  ];
}
