import type { RequiredScope } from '../../domain/key-scopes';
import type { OperationKind } from '../../operations/operation-store';
import { requireScope } from '../auth/require-scope';
import { operationSchema } from '../../operations/operation-resource';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { mountedRoute, type MountedRoute } from '../mounted-route';

/** Whose answers are money; the others' are subscriptions and checkouts. */
const OF_BILLING: ReadonlySet<OperationKind> = new Set(['record_payment', 'refund']);

function scopeOf(kind: OperationKind): RequiredScope {
  return { anyOf: [OF_BILLING.has(kind) ? 'billing' : 'subscriptions', 'read'] };
}

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
      answer: async (actor, { params, principal }) => {
        const operation = await operations.get(actor, params.id);
        // Its answer has what the route of its command shows: the same scope is needed.
        if (principal.kind === 'api_key') requireScope(principal.scopes, scopeOf(operation.kind));
        return operation;
      },
    }),
  ];
}
