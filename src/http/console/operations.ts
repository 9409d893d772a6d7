import { operationSchema } from '../../operations/operation-resource';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { route, type Route } from '../route';

/** `/api/billing/operations` */
export function operationRoutes({ operations }: Pick<Services, 'operations'>): Route[] {
  return [
    route({
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
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await operations.get(await principal.actor(), params.id),
      }),
    }),
  ];
}
