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
      summary: 'Read a command that was answered 202',
      description:
        'Says whether it is still under way, has succeeded (with its answer), or was refused (with the problem). Kept 30 days.',
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
