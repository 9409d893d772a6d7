import { pageSchema } from '../../pagination/cursor';
import { createRefundInput, listRefundsQuery, refundSchema } from '../../payments/refund-resource';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { commandReply, pendingOperation, requiredClaim } from '../replayable';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Refunds';

/** `/api/billing/refunds` */
export function refundRoutes({ refunds }: Pick<Services, 'refunds'>): Route[] {
  return [
    workspaceRoute({
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
      answer: (actor, { query }) => refunds.list(actor, query),
    }),
    workspaceRoute({
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
        202: pendingOperation,
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
      handle: async (actor, { body, idempotency }) =>
        commandReply(await refunds.create(actor, body, requiredClaim(idempotency))),
    }),
    workspaceRoute({
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
      answer: (actor, { params }) => refunds.get(actor, params.id),
    }),
  ];
}
