import {
  createCreditInput,
  creditGrantSchema,
  creditPageSchema,
  creditParams,
} from '../../customers/credit-resource';
import { externalIdParams } from '../../customers/customer-resource';
import { listQuery } from '../../schemas/list';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { replayableReply, requiredClaim } from '../replayable';
import { mountedRoute, type MountedRoute } from '../mounted-route';

const tag = 'Credits';
const keyCreditParams = creditParams.omit({ id: true }).extend(externalIdParams.shape);

/** `/api/customers/{id}/credits` */
export function creditRoutes({ customers }: Pick<Services, 'customers'>): MountedRoute[] {
  const { credits } = customers;
  return [
    mountedRoute({
      method: 'get',
      operationId: 'listCredits',
      summary: 'List a customer’s credits',
      description: 'Grants, newest first, and the balance that can be spent now.',
      tag,
      console: { path: '/api/customers/{id}/credits', role: 'viewer' },
      v1: {
        path: '/v1/customers/{externalId}/credits',
        scopes: { anyOf: ['read', 'billing'] },
        params: externalIdParams,
      },
      params: idParams,
      query: listQuery,
      responses: { 200: { description: 'A page of grants and the balance', schema: creditPageSchema } },
      errors: ['customer_not_found', 'cursor_invalid'],
      answer: async (actor, { params, query }) =>
        credits.list(actor, await customers.idOf(actor, params), query),
    }),
    mountedRoute({
      method: 'post',
      operationId: 'grantCredits',
      summary: 'Grant credits to a customer',
      description:
        'Credits pay for units beyond a quota where the entitlement has a `creditCost`. The grant that expires first is spent first.',
      tag,
      console: { path: '/api/customers/{id}/credits', role: 'developer', stepUp: 'always' },
      v1: {
        path: '/v1/customers/{externalId}/credits',
        scopes: { anyOf: ['billing'] },
        params: externalIdParams,
      },
      params: idParams,
      body: createCreditInput,
      example: { amount: 100, reason: 'Welcome' },
      idempotencyKey: 'required',
      responses: { 201: { description: 'The grant', schema: creditGrantSchema } },
      errors: ['customer_not_found', 'customer_erased', 'too_many_credit_grants'],
      handle: async (actor, { params, body, idempotency }) => {
        const id = await customers.idOf(actor, params);
        return replayableReply(await credits.grant(actor, id, body, requiredClaim(idempotency)));
      },
    }),
    mountedRoute({
      method: 'post',
      operationId: 'expireCredits',
      summary: 'Expire a grant of credits now',
      description: 'The rest of the grant can no longer be spent. Expiring it again changes nothing.',
      tag,
      console: { path: '/api/customers/{id}/credits/{grantId}/expire', role: 'developer' },
      v1: {
        path: '/v1/customers/{externalId}/credits/{grantId}/expire',
        scopes: { anyOf: ['billing'] },
        params: keyCreditParams,
      },
      params: creditParams,
      responses: { 200: { description: 'The grant', schema: creditGrantSchema } },
      errors: ['customer_not_found', 'customer_erased', 'credit_grant_not_found'],
      answer: async (actor, { params }) =>
        credits.expire(actor, await customers.idOf(actor, params), params.grantId),
    }),
  ];
}
