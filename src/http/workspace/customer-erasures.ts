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
        'Cannot be undone. The customer loses its external id, name, e-mail address and metadata at once; then what was written about it is blanked: events, stored answers, webhooks, texts. Money and usage stay, under a pseudonym. Refused while a subscription, checkout, refund or operation is open. The answer is 202 until all is blanked, and `Location` says where to look; repeated, it answers the same erasure. The external id may be used for a new customer at once: from then on it names that one.',
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
        200: { description: 'The erasure, complete', schema: erasureSchema },
        202: { description: 'The erasure, which is under way', schema: erasureSchema, location: true },
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
        'How far it is, and at which providers data of the customer still is. Erasures are kept for as long as the money of the customer.',
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

/** @param caller who asked: `Location` is on the caller's own host */
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
