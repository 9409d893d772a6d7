import { allowsScope, type RequiredScope } from '../../domain/key-scopes';
import { OPERATION_KINDS, type OperationKind } from '../../operations/operation-store';
import { pageSchema } from '../../pagination/page-schema';
import { requireScope } from '../auth/require-scope';
import {
  listedOperationSchema,
  listOperationsQuery,
  operationSchema,
} from '../../operations/operation-resource';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { mountedRoute, type MountedRoute } from '../mounted-route';

/** Kinds whose answers show money; the others show subscriptions and checkouts. */
const BILLING_KINDS: ReadonlySet<OperationKind> = new Set(['record_payment', 'refund']);

function scopeOf(kind: OperationKind): RequiredScope {
  return { anyOf: [BILLING_KINDS.has(kind) ? 'billing' : 'subscriptions', 'read'] };
}

const tag = 'Operations';
const SCOPES: RequiredScope = { anyOf: ['read', 'subscriptions', 'billing'] };

/** `/api/billing/operations` */
export function operationRoutes({
  operations,
  operationList,
}: Pick<Services, 'operations' | 'operationList'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'get',
      operationId: 'listOperations',
      summary: 'List operations',
      description:
        'Commands on subscriptions, payments and checkouts, newest first, without their answers: `status=open` has those that are not concluded. Kept for 30 days.',
      tag,
      console: { path: '/api/billing/operations', role: 'viewer' },
      v1: { path: '/v1/operations', scopes: SCOPES },
      query: listOperationsQuery,
      responses: { 200: { description: 'A page of operations', schema: pageSchema(listedOperationSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, { principal, query }) => {
        const held = principal.kind === 'api_key' ? principal.scopes : undefined;
        const kinds = OPERATION_KINDS.filter(
          (kind) => held === undefined || allowsScope(held, scopeOf(kind)),
        );
        return operationList.list(actor, kinds, query);
      },
    }),
    mountedRoute({
      method: 'get',
      operationId: 'getOperation',
      summary: 'Read an operation',
      description:
        'The state of a command that was answered 202: in progress, succeeded (with its answer) or refused (with the problem). Kept for 30 days.',
      tag,
      console: { path: '/api/billing/operations/{id}', role: 'viewer' },
      v1: { path: '/v1/operations/{id}', scopes: SCOPES },
      params: idParams,
      responses: { 200: { description: 'The operation', schema: operationSchema } },
      errors: ['operation_not_found'],
      answer: async (actor, { params, principal }) => {
        const operation = await operations.get(actor, params.id);
        // The answer shows what the command's own route shows, so it needs the same scope.
        if (principal.kind === 'api_key') requireScope(principal.scopes, scopeOf(operation.kind));
        return operation;
      },
    }),
  ];
}
