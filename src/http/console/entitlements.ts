import {
  createEntitlementInput,
  entitlementParams,
  entitlementSchema,
  entitlementTermsInput,
  updateEntitlementInput,
} from '../../catalog/entitlement-resource';
import { pageSchema } from '../../pagination/page-schema';
import { listQuery } from '../../schemas/list';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Entitlements';
const atOnce = 'It applies to the plan’s subscribers at once, from the next check or track.';

/** `/api/plans/{id}/entitlements` */
export function entitlementRoutes({ catalog: { entitlements } }: Pick<Services, 'catalog'>): Route[] {
  return [
    workspaceRoute({
      method: 'get',
      path: '/api/plans/{id}/entitlements',
      operationId: 'listEntitlements',
      summary: 'List the entitlements of a plan',
      description: 'Newest first.',
      tag,
      access: 'operator',
      role: 'viewer',
      params: idParams,
      query: listQuery,
      responses: { 200: { description: 'A page of entitlements', schema: pageSchema(entitlementSchema) } },
      errors: ['plan_not_found', 'cursor_invalid'],
      answer: (actor, { params, query }) => entitlements.list(actor, params.id, query),
    }),
    workspaceRoute({
      method: 'post',
      path: '/api/plans/{id}/entitlements',
      operationId: 'createEntitlement',
      summary: 'Attach a feature to a plan',
      description: `Name the feature by \`featureId\` or \`featureKey\`. A metered feature needs a \`quota\` (null is unlimited); a boolean one has none. ${atOnce}`,
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      body: createEntitlementInput,
      responses: { 201: { description: 'The entitlement', schema: entitlementSchema } },
      errors: ['plan_not_found', 'feature_not_found', 'feature_archived', 'resource_conflict'],
      answer: (actor, { params, body }) => entitlements.create(actor, params.id, body),
    }),
    workspaceRoute({
      method: 'put',
      path: '/api/plans/{id}/entitlements/{entitlementId}',
      operationId: 'replaceEntitlement',
      summary: 'Replace the terms of an entitlement',
      description: atOnce,
      tag,
      access: 'operator',
      role: 'developer',
      params: entitlementParams,
      body: entitlementTermsInput,
      responses: { 200: { description: 'The entitlement', schema: entitlementSchema } },
      errors: ['entitlement_not_found'],
      answer: (actor, { params, body }) => entitlements.replace(actor, params.id, params.entitlementId, body),
    }),
    workspaceRoute({
      method: 'patch',
      path: '/api/plans/{id}/entitlements/{entitlementId}',
      operationId: 'updateEntitlement',
      summary: 'Change terms of an entitlement',
      description: `Omitted terms keep their values. ${atOnce}`,
      tag,
      access: 'operator',
      role: 'developer',
      params: entitlementParams,
      body: updateEntitlementInput,
      responses: { 200: { description: 'The entitlement', schema: entitlementSchema } },
      errors: ['entitlement_not_found'],
      answer: (actor, { params, body }) => entitlements.update(actor, params.id, params.entitlementId, body),
    }),
    workspaceRoute({
      method: 'delete',
      path: '/api/plans/{id}/entitlements/{entitlementId}',
      operationId: 'deleteEntitlement',
      summary: 'Remove a feature from a plan',
      description: `Recorded usage stays. ${atOnce}`,
      tag,
      access: 'operator',
      role: 'developer',
      params: entitlementParams,
      responses: { 204: { description: 'Deleted' } },
      errors: ['entitlement_not_found'],
      answer: (actor, { params }) => entitlements.remove(actor, params.id, params.entitlementId),
    }),
  ];
}
