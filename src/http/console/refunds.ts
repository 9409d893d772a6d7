import { operationSchema } from '../../operations/operation-resource';
import { pageSchema } from '../../pagination/cursor';
import { createRefundInput, listRefundsQuery, refundSchema } from '../../payments/refund-resource';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { commandReply, requiredClaim } from '../replayable';
import { route, type Route } from '../route';

const tag = 'Refunds';

/** `/api/billing/refunds` */
export function refundRoutes({ refunds }: Pick<Services, 'refunds'>): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/billing/refunds',
      operationId: 'listRefunds',
      summary: 'List refunds',
      description: 'Newest first.',
      tag,
      access: 'operator',
      role: 'viewer',
      query: listRefundsQuery,
      responses: { 200: { description: 'A page of refunds', schema: pageSchema(refundSchema) } },
      errors: ['cursor_invalid'],
      handle: async ({ principal, query }) => ({
        status: 200,
        body: await refunds.list(await principal.actor(), query),
      }),
    }),
    route({
      method: 'post',
      path: '/api/billing/refunds',
      operationId: 'createRefund',
      summary: 'Refund a payment',
      description:
        'In full or in part, and never more than was paid: the amount is reserved at once, however many refunds come together. Needs the role `admin`. With local billing the refund has succeeded when it is recorded; a payment provider is asked by the connection that the payment was made by, may take longer, and the answer is 202 as long as nobody knows how it ends. A refund that the provider declines is answered too, as `failed`, and no longer counts. What is refunded at the provider itself is listed here as well.',
      tag,
      access: 'operator',
      role: 'admin',
      body: createRefundInput,
      idempotencyKey: 'required',
      responses: {
        201: { description: 'The refund', schema: refundSchema },
        202: {
          description: 'Accepted and still under way; `Location` says where to look.',
          schema: operationSchema,
        },
      },
      errors: [
        'payment_not_found',
        'payment_not_refundable',
        'payment_currency_differs',
        'refund_exceeds_payment',
        'connection_not_found',
        'connection_disabled',
        'provider_refused',
        'temporal_unavailable',
        'service_busy',
      ],
      handle: async ({ principal, body, idempotency }) =>
        commandReply(await refunds.create(await principal.actor(), body, requiredClaim(idempotency))),
    }),
    route({
      method: 'get',
      path: '/api/billing/refunds/{id}',
      operationId: 'getRefund',
      summary: 'Read a refund',
      tag,
      access: 'operator',
      role: 'viewer',
      params: idParams,
      responses: { 200: { description: 'The refund', schema: refundSchema } },
      errors: ['refund_not_found'],
      handle: async ({ principal, params }) => ({
        status: 200,
        body: await refunds.get(await principal.actor(), params.id),
      }),
    }),
  ];
}
