import { createCustomerInput, customerSchema } from '../../customers/customer-resource';
import { checkSchema } from '../../usage/usage-answer-schema';
import { toCheckCall } from '../../usage/usage-call';
import { usageQuestion } from '../../usage/usage-question';
import { replayableReply } from '../replayable';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { BODY_WITH_METADATA } from '../body-limit';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Customers';

/** `/api/customers`: routes for operators only. */
export function customerRoutes({ customers, usage }: Pick<Services, 'customers' | 'usage'>): Route[] {
  return [
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
      method: 'post',
      path: '/api/customers/{id}/check',
      operationId: 'checkCustomerUsage',
      summary: 'Run a check for a customer',
      description:
        'The same check as `POST /v1/usage/check`: the decision is recorded with the source `console`, and nothing is reserved.',
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      body: usageQuestion,
      responses: { 200: { description: 'The decision', schema: checkSchema } },
      errors: [
        'customer_not_found',
        'feature_not_found',
        'entity_required',
        'service_busy',
        'service_unavailable',
      ],
      handle: async (actor, { params, body, requestId }) => {
        const { externalId } = await customers.get(actor, params.id);
        const call = toCheckCall({ externalId, ...body }, 'console', requestId);
        return replayableReply({ status: 200, ...(await usage.submit(actor.scope, call)) });
      },
    }),
  ];
}
