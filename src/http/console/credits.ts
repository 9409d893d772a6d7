import {
  createCreditInput,
  creditGrantSchema,
  creditPageSchema,
  creditParams,
} from '../../customers/credit-resource';
import { listQuery } from '../../schemas/list';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { replayableReply, requiredClaim } from '../replayable';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Credits';

/** `/api/customers/{id}/credits` */
export function creditRoutes({ customers: { credits } }: Pick<Services, 'customers'>): Route[] {
  return [
    workspaceRoute({
      method: 'get',
      path: '/api/customers/{id}/credits',
      operationId: 'listCredits',
      summary: 'List a customer’s credits',
      description: 'Grants, newest first, and the balance that can be spent now.',
      tag,
      access: 'operator',
      role: 'viewer',
      params: idParams,
      query: listQuery,
      responses: { 200: { description: 'A page of grants and the balance', schema: creditPageSchema } },
      errors: ['customer_not_found', 'cursor_invalid'],
      answer: (actor, { params, query }) => credits.list(actor, params.id, query),
    }),
    workspaceRoute({
      method: 'post',
      path: '/api/customers/{id}/credits',
      operationId: 'grantCredits',
      summary: 'Grant credits to a customer',
      description:
        'Credits pay for units beyond a quota where the entitlement has a `creditCost`. The grant that expires first is spent first.',
      tag,
      access: 'operator',
      role: 'developer',
      params: idParams,
      body: createCreditInput,
      idempotencyKey: 'required',
      responses: { 201: { description: 'The grant', schema: creditGrantSchema } },
      errors: ['customer_not_found'],
      handle: async (actor, { params, body, idempotency }) =>
        replayableReply(await credits.grant(actor, params.id, body, requiredClaim(idempotency))),
    }),
    workspaceRoute({
      method: 'post',
      path: '/api/customers/{id}/credits/{grantId}/expire',
      operationId: 'expireCredits',
      summary: 'Expire a grant of credits now',
      description: 'The rest of the grant can no longer be spent. Expiring it again changes nothing.',
      tag,
      access: 'operator',
      role: 'developer',
      params: creditParams,
      responses: { 200: { description: 'The grant', schema: creditGrantSchema } },
      errors: ['customer_not_found', 'credit_grant_not_found'],
      answer: (actor, { params }) => credits.expire(actor, params.id, params.grantId),
    }),
  ];
}
