import {
  createFeatureInput,
  featureSchema,
  listFeaturesQuery,
  updateFeatureInput,
} from '../../catalog/feature-resource';
import { pageSchema } from '../../pagination/cursor';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { route, type Route } from '../route';

const tag = 'Features';

/** `/api/features` */
export function featureRoutes({ catalog: { features } }: Pick<Services, 'catalog'>): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/features',
      operationId: 'listFeatures',
      summary: 'List features',
      description: 'Newest first.',
      tag,
      access: 'operator',
      role: 'viewer',
      query: listFeaturesQuery,
      responses: { 200: { description: 'A page of features', schema: pageSchema(featureSchema) } },
      errors: ['cursor_invalid'],
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await features.list(await principal.actor(), query),
      }),
    }),
    route({
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
      handle: async ({ principal, body }) => ({
        status: 201,
        body: await features.create(await principal.actor(), body),
      }),
    }),
    route({
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
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await features.get(await principal.actor(), params.id),
      }),
    }),
    route({
      method: 'patch',
      path: '/api/features/{id}',
      operationId: 'updateFeature',
      summary: 'Change a feature’s name or unit',
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      body: updateFeatureInput,
      responses: { 200: { description: 'The feature', schema: featureSchema } },
      errors: ['feature_not_found'],
      handle: async ({ principal, params, body }) => ({
        status: 200,
        body: await features.update(await principal.actor(), params.id, body),
      }),
    }),
    archiveRoute(features, true),
    archiveRoute(features, false),
  ];
}

function archiveRoute(features: Services['catalog']['features'], archived: boolean): Route {
  const verb = archived ? 'archive' : 'unarchive';
  return route({
    method: 'post',
    path: `/api/features/{id}/${verb}`,
    operationId: `${verb}Feature`,
    summary: archived ? 'Archive a feature' : 'Take a feature out of the archive',
    description: archived
      ? 'It is not added to further plans. Where it is granted already it works on, and its usage stays.'
      : 'It can be added to plans again.',
    tag,
    access: 'operator',
    role: 'developer',
    params: idParams,
    responses: { 200: { description: 'The feature', schema: featureSchema } },
    errors: ['feature_not_found'],
    handle: async ({ principal, params }) => ({
      status: 200,
      body: await features.setArchived(await principal.actor(), params.id, archived),
    }),
  });
}
