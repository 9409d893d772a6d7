import {
  customerInput,
  customerSchema,
  externalIdParams,
  newExternalIdParams,
} from '../../customers/customer-resource';
import { customerOverviewSchema } from '../../subscriptions/customer-overview';
import type { Services } from '../../service/services';
import { BODY_WITH_METADATA } from '../body-limit';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Customers';

/** `/v1/customers/{externalId}` */
export function customerRoutes({
  customers,
  customerOverviews,
}: Pick<Services, 'customers' | 'customerOverviews'>): Route[] {
  return [
    workspaceRoute({
      method: 'put',
      path: '/v1/customers/{externalId}',
      operationId: 'putCustomer',
      summary: 'Create or update a customer',
      description:
        'Idempotent. Omitted members keep their values; null clears. `metadata` replaces the stored object. Percent-encode the external id in the path, including slashes.',
      tag,
      access: 'apiKey',
      scopes: { anyOf: ['customers'] },
      params: newExternalIdParams,
      body: customerInput,
      example: { name: 'Acme', email: 'billing@acme.example', metadata: { country: 'DE' } },
      bodyLimit: BODY_WITH_METADATA,
      responses: {
        200: { description: 'The customer, updated', schema: customerSchema },
        201: { description: 'The customer, created', schema: customerSchema },
      },
      errors: ['customer_erased'],
      handle: async (actor, { params, body }) => {
        const { customer, created } = await customers.put(actor, params.externalId, body);
        return { status: created ? 201 : 200, body: customer };
      },
    }),
    workspaceRoute({
      method: 'get',
      path: '/v1/customers/{externalId}',
      operationId: 'getCustomer',
      summary: 'Read a customer with its subscriptions and balances',
      description: 'The balances are those that a check would return now.',
      tag,
      access: 'apiKey',
      scopes: { anyOf: ['read', 'customers'] },
      params: externalIdParams,
      responses: { 200: { description: 'The customer', schema: customerOverviewSchema } },
      errors: ['customer_not_found'],
      answer: (actor, { params }) => customerOverviews.get(actor, params.externalId),
    }),
  ];
}
