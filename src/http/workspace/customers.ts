import {
  customerInput,
  customerSchema,
  externalIdParams,
  listCustomersQuery,
} from '../../customers/customer-resource';
import { customerEntitlementsQuery, customerEntitlementsSchema } from '../../customers/entitlement-resource';
import { pageSchema } from '../../pagination/page-schema';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { BODY_WITH_METADATA } from '../body-limit';
import { mountedRoute, type MountedRoute } from '../mounted-route';

const tag = 'Customers';

/** `/api/customers` and `/v1/customers`: the routes of both hosts. */
export function customerRoutes({
  customers,
  readCustomerEntitlements,
}: Pick<Services, 'customers' | 'readCustomerEntitlements'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'get',
      operationId: 'listCustomers',
      summary: 'List customers',
      description:
        'Newest first. `search` matches the beginning of the external id (case-sensitive), the name or the e-mail address (case-insensitive).',
      tag,
      console: { path: '/api/customers', role: 'viewer' },
      v1: { path: '/v1/customers', scopes: { anyOf: ['read'] } },
      query: listCustomersQuery,
      responses: { 200: { description: 'A page of customers', schema: pageSchema(customerSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, { query }) => customers.list(actor, query),
    }),
    mountedRoute({
      method: 'patch',
      operationId: 'updateCustomer',
      summary: 'Change a customer',
      description:
        'Omitted members keep their values; null clears. `metadata` replaces the stored object. The external ID never changes.',
      tag,
      console: { path: '/api/customers/{id}', role: 'developer' },
      v1: {
        path: '/v1/customers/{externalId}',
        scopes: { anyOf: ['customers'] },
        params: externalIdParams,
      },
      params: idParams,
      body: customerInput,
      example: { name: 'Acme Inc.' },
      bodyLimit: BODY_WITH_METADATA,
      responses: { 200: { description: 'The customer', schema: customerSchema } },
      errors: ['customer_not_found', 'customer_erased'],
      answer: async (actor, { params, body }) =>
        customers.update(actor, await customers.idOf(actor, params), body),
    }),
    mountedRoute({
      method: 'get',
      operationId: 'listCustomerEntitlements',
      summary: 'List what a customer may use now',
      description:
        'Each feature that is not archived, and archived ones that the customer’s plans still grant, sorted by key, with the answer that a check of one unit would return. Records no decision.',
      tag,
      console: { path: '/api/customers/{id}/entitlements', role: 'viewer' },
      v1: {
        path: '/v1/customers/{externalId}/entitlements',
        scopes: { anyOf: ['read', 'customers'] },
        params: externalIdParams,
      },
      params: idParams,
      query: customerEntitlementsQuery,
      responses: { 200: { description: 'The features', schema: customerEntitlementsSchema } },
      errors: ['customer_not_found'],
      answer: async (actor, { params, query }) =>
        readCustomerEntitlements(actor, await customers.idOf(actor, params), query),
    }),
  ];
}
