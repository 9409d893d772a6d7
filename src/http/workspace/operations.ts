import { operationSchema } from '../../operations/operation-resource';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { mountedRoute, type MountedRoute } from '../mounted-route';

/** `/api/billing/operations` */
export function operationRoutes({ operations }: Pick<Services, 'operations'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'get',
      operationId: 'getOperation',
      summary: 'Read an operation',
      description:
        'The state of a command that was answered 202: in progress, succeeded (with its answer) or refused (with the problem). Kept for 30 days.',
      tag: 'Operations',
      console: { path: '/api/billing/operations/{id}', role: 'viewer' },
      v1: { path: '/v1/operations/{id}', scopes: { anyOf: ['read', 'subscriptions', 'billing'] } },
      params: idParams,
      responses: { 200: { description: 'The operation', schema: operationSchema } },
      errors: ['operation_not_found'],
      answer: (actor, { params }) => operations.get(actor, params.id),
    }),
  ];
}
