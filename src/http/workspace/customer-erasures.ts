import { externalIdParams } from '../../customers/customer-resource';
import { erasureSchema, openAffairsMember, type ErasureResource } from '../../erasure/erasure-resource';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { mountedRoute, type MountedRoute } from '../mounted-route';
import type { ApiKeyPrincipal, OperatorPrincipal } from '../principals';
import type { Reply } from '../route';

const tag = 'Customers';

/** Erasure of customers. */
export function customerErasureRoutes({ erasures }: Pick<Services, 'erasures'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'delete',
      operationId: 'eraseCustomer',
      summary: 'Erase a customer',
      description:
        'Cannot be undone. The customer’s external id, name, e-mail address and metadata are removed immediately; then records about the customer are blanked: events, stored answers, webhooks, texts. Money and usage are kept under a pseudonym. Refused while a subscription, checkout, refund or operation is open. The answer is 202 until everything is blanked, and `Location` is the address to poll; a repeated request returns the same erasure. The external id can be reused immediately for a new customer and then refers to that one.',
      tag,
      console: {
        path: '/api/customers/{id}',
        role: 'admin',
        stepUp: 'always',
        note: 'Needs the role `admin`.',
      },
      v1: {
        path: '/v1/customers/{externalId}',
        scopes: { anyOf: ['customers'], namedOnly: true },
        params: externalIdParams,
      },
      params: idParams,
      responses: {
        200: { description: 'The erasure, complete', schema: erasureSchema, location: true },
        202: { description: 'The erasure, in progress', schema: erasureSchema, location: true },
      },
      errors: ['customer_not_found', 'customer_has_open_affairs', 'resource_conflict', 'service_busy'],
      problemMembers: { 409: openAffairsMember },
      handle: async (actor, { params, principal }) =>
        erasureReply(await erasures.erase(actor, params), principal),
    }),
    mountedRoute({
      method: 'get',
      operationId: 'getCustomerErasure',
      summary: 'Read an erasure',
      description:
        'Its progress, and the providers that still hold data of the customer. Erasures are kept as long as the customer’s financial records.',
      tag,
      console: { path: '/api/customer-erasures/{id}', role: 'viewer' },
      v1: {
        path: '/v1/customer-erasures/{id}',
        scopes: { anyOf: ['read', 'customers'], namedOnly: true },
      },
      params: idParams,
      responses: { 200: { description: 'The erasure', schema: erasureSchema } },
      errors: ['erasure_not_found'],
      answer: (actor, { params }) => erasures.get(actor, params.id),
    }),
  ];
}

/** @param caller its kind selects the `Location`, which is on the caller's own host */
function erasureReply(
  erasure: ErasureResource,
  { kind }: Pick<OperatorPrincipal | ApiKeyPrincipal, 'kind'>,
): Reply {
  const base = kind === 'api_key' ? '/v1/customer-erasures' : '/api/customer-erasures';
  return {
    status: erasure.status === 'complete' ? 200 : 202,
    body: erasure,
    headers: { Location: `${base}/${erasure.id}` },
  };
}
