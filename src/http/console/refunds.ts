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
        'Refunds all or part of a payment, never more than was paid, even with concurrent requests. Needs the role `admin`. Local billing: the refund succeeds at once. Payment provider: the refund is made through the connection of the payment; the answer is 202 until the provider confirms or declines it. A declined refund is `failed` and no longer counts against the payment. Refunds made at the provider itself are listed here too.',
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
