import { z } from 'zod';
import { expandQuery } from '../../expansion/expanded-resource';
import { expandOne, expandPage } from './expansion';
import { pageSchema } from '../../pagination/page-schema';
import { createRefundInput, listRefundsQuery, refundSchema } from '../../payments/refund-resource';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { commandReply, pendingOperation, requiredClaim } from '../replayable';
import { mountedRoute, type MountedRoute } from '../mounted-route';

const expandable = expandQuery(['customer']);
const tag = 'Refunds';

/** `/api/billing/refunds` */
export function refundRoutes({ expand, refunds }: Pick<Services, 'expand' | 'refunds'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'get',
      operationId: 'listRefunds',
      summary: 'List refunds',
      description: 'Newest first.',
      tag,
      console: { path: '/api/billing/refunds', role: 'viewer' },
      v1: { path: '/v1/refunds', scopes: { anyOf: ['read', 'billing'] } },
      query: listRefundsQuery.extend(expandable),
      responses: { 200: { description: 'A page of refunds', schema: pageSchema(refundSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, call) => expandPage(expand, actor, call, (who, query) => refunds.list(who, query)),
    }),
    mountedRoute({
      method: 'post',
      operationId: 'createRefund',
      summary: 'Refund a payment',
      description:
        'Refunds all or part of a payment, never more than was paid, even with concurrent requests. Its transaction does not become due again, and its subscription does not change; to end access, cancel the subscription. Local billing: the refund succeeds at once. Payment provider: the refund is made through the connection of the payment; the answer is 202 until the provider confirms or declines it. A declined refund is `failed` and no longer counts against the payment. Refunds made at the provider itself are listed here too.',
      tag,
      console: {
        path: '/api/billing/refunds',
        role: 'admin',
        stepUp: 'always',
        note: 'Needs the role `admin`.',
      },
      v1: { path: '/v1/refunds', scopes: { anyOf: ['billing'] } },
      body: createRefundInput,
      example: {
        paymentId: 'pay_01jf2k7p3nfqvb9x4z6t8w2s5r',
        amount: { amount: '900', currency: 'USD' },
        reason: 'A month was too much.',
      },
      idempotencyKey: 'required',
      responses: {
        201: { description: 'The refund', schema: refundSchema },
        202: pendingOperation,
      },
      errors: [
        'payment_not_found',
        'payment_not_refundable',
        'payment_currency_differs',
        'refund_exceeds_payment',
        'connection_disabled',
        'provider_refused',
        'temporal_unavailable',
        'service_busy',
      ],
      handle: async (actor, { body, idempotency, principal }) =>
        commandReply(await refunds.create(actor, body, requiredClaim(idempotency)), principal),
    }),
    mountedRoute({
      method: 'get',
      operationId: 'getRefund',
      summary: 'Read a refund',
      tag,
      console: { path: '/api/billing/refunds/{id}', role: 'viewer' },
      v1: { path: '/v1/refunds/{id}', scopes: { anyOf: ['read', 'billing'] } },
      params: idParams,
      query: z.strictObject(expandable),
      responses: { 200: { description: 'The refund', schema: refundSchema } },
      errors: ['refund_not_found'],
      answer: (actor, call) => expandOne(expand, actor, call, () => refunds.get(actor, call.params.id)),
    }),
  ];
}
