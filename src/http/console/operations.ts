import { operationSchema } from '../../operations/operation-resource';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

/** `/api/billing/operations` */
export function operationRoutes({ operations }: Pick<Services, 'operations'>): Route[] {
  return [
    workspaceRoute({
      method: 'get',
      path: '/api/billing/operations/{id}',
      operationId: 'getOperation',
      summary: 'Read an operation',
      description:
        'The state of a command that was answered 202: in progress, succeeded (with its answer) or refused (with the problem). Kept for 30 days.',
      tag: 'Operations',
      access: 'operator',
      role: 'viewer',
      params: idParams,
      responses: { 200: { description: 'The operation', schema: operationSchema } },
      errors: ['operation_not_found'],
      answer: (actor, { params }) => operations.get(actor, params.id),
    }),
  ];
}
