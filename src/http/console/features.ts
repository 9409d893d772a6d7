import { createFeatureInput, featureSchema, updateFeatureInput } from '../../catalog/feature-resource';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';
import { archiveRoutes } from './archive-routes';

const tag = 'Features';

/** `/api/features`: routes for operators only. */
export function featureRoutes({ catalog: { features } }: Pick<Services, 'catalog'>): Route[] {
  return [
    workspaceRoute({
      method: 'post',
      path: '/api/features',
      operationId: 'createFeature',
      summary: 'Create a feature',
      description:
        'A `metered` feature counts units against a quota; a `boolean` one is on or off. The key never changes: integrators send it as `feature`.',
      tag,
      access: 'operator',
      role: 'developer',
      body: createFeatureInput,
      responses: { 201: { description: 'The feature', schema: featureSchema } },
      errors: ['resource_conflict'],
      answer: (actor, { body }) => features.create(actor, body),
    }),
    workspaceRoute({
      method: 'get',
      path: '/api/features/{id}',
      operationId: 'getFeature',
      summary: 'Read a feature',
      tag,
      access: 'operator',
      role: 'viewer',
      params: idParams,
      responses: { 200: { description: 'The feature', schema: featureSchema } },
      errors: ['feature_not_found'],
      answer: (actor, { params }) => features.get(actor, params.id),
    }),
    workspaceRoute({
      method: 'patch',
      path: '/api/features/{id}',
      operationId: 'updateFeature',
      summary: 'Change a feature’s name, unit or dimensions',
      description:
        'Omitted members keep their values. `dimensions` replaces the list: a new dimension applies from now on, and the breakdown by a removed one is deleted.',
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      body: updateFeatureInput,
      responses: { 200: { description: 'The feature', schema: featureSchema } },
      errors: ['feature_not_found'],
      answer: (actor, { params, body }) => features.update(actor, params.id, body),
    }),
    ...archiveRoutes({
      path: '/api/features',
      tag,
      noun: 'feature',
      resource: 'Feature',
      schema: featureSchema,
      notFound: 'feature_not_found',
      archives: 'It can no longer be added to plans. Existing entitlements and usage stay.',
      unarchives: 'It can be added to plans again.',
      collection: features,
    }),
  ];
}
