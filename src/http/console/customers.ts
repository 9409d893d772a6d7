import {
  createCustomerInput,
  customerInput,
  customerSchema,
  listCustomersQuery,
} from '../../customers/customer-resource';
import { customerEntitlementsSchema } from '../../customers/entitlement-resource';
import { checkSchema } from '../../usage/usage-answer-schema';
import { usageQuestion } from '../../usage/usage-question';
import { replayableReply } from '../replayable';
import { pageSchema } from '../../pagination/cursor';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { BODY_WITH_METADATA } from '../body-limit';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Customers';

/** `/api/customers` */
export function customerRoutes({
  customers,
  readCustomerEntitlements,
  usage,
}: Pick<Services, 'customers' | 'readCustomerEntitlements' | 'usage'>): Route[] {
  return [
    workspaceRoute({
      method: 'get',
      path: '/api/customers',
      operationId: 'listCustomers',
      summary: 'List customers',
      description:
        'Newest first. `search` finds by the beginning of the external id (as written), the name or the e-mail address (any case).',
      tag,
      access: 'operator',
      role: 'viewer',
      query: listCustomersQuery,
      responses: { 200: { description: 'A page of customers', schema: pageSchema(customerSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, { query }) => customers.list(actor, query),
    }),
    workspaceRoute({
      method: 'post',
      path: '/api/customers',
      operationId: 'createCustomer',
      summary: 'Create a customer',
      description: '`externalId` is the integrator’s own id; usage calls name the customer by it.',
      tag,
      access: 'operator',
      role: 'developer',
      body: createCustomerInput,
      bodyLimit: BODY_WITH_METADATA,
      responses: { 201: { description: 'The customer', schema: customerSchema } },
      errors: ['resource_conflict'],
      answer: (actor, { body }) => customers.create(actor, body),
    }),
    workspaceRoute({
      method: 'get',
      path: '/api/customers/{id}',
      operationId: 'getCustomer',
      summary: 'Read a customer',
      tag,
      access: 'operator',
      role: 'viewer',
      params: idParams,
      responses: { 200: { description: 'The customer', schema: customerSchema } },
      errors: ['customer_not_found'],
      answer: (actor, { params }) => customers.get(actor, params.id),
    }),
    workspaceRoute({
      method: 'patch',
      path: '/api/customers/{id}',
      operationId: 'updateCustomer',
      summary: 'Change a customer',
      description:
        'Members that are left out stay; null clears. `metadata` replaces the stored object. The external ID never changes.',
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      body: customerInput,
      bodyLimit: BODY_WITH_METADATA,
      responses: { 200: { description: 'The customer', schema: customerSchema } },
      errors: ['customer_not_found'],
      answer: (actor, { params, body }) => customers.update(actor, params.id, body),
    }),
    workspaceRoute({
      method: 'get',
      path: '/api/customers/{id}/entitlements',
      operationId: 'listCustomerEntitlements',
      summary: 'List what a customer may use now',
      description:
        'Each feature that is not archived, by key, with what a check of one unit would answer. Writes no decision.',
      tag,
      access: 'operator',
      role: 'viewer',
      params: idParams,
      responses: { 200: { description: 'The features', schema: customerEntitlementsSchema } },
      errors: ['customer_not_found'],
      answer: (actor, { params }) => readCustomerEntitlements(actor, params.id),
    }),
    workspaceRoute({
      method: 'post',
      path: '/api/customers/{id}/check',
      operationId: 'checkCustomerUsage',
      summary: 'Run a check for a customer',
      description:
        'The same check as `POST /v1/usage/check`: it is decided, recorded with the source `console`, and reserves nothing.',
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      body: usageQuestion,
      responses: { 200: { description: 'The decision', schema: checkSchema } },
      errors: ['customer_not_found', 'feature_not_found', 'service_busy', 'service_unavailable'],
      handle: async (actor, { params, body, requestId }) => {
        const { externalId } = await customers.get(actor, params.id);
        const call = {
          operation: 'check',
          externalId,
          ...body,
          source: 'console',
          claim: null,
          requestId,
        } as const;
        return replayableReply({ status: 200, ...(await usage.submit(actor.scope, call)) });
      },
    }),
  ];
}
