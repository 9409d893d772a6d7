import { pageSchema } from '../../pagination/cursor';
import { recordPaymentInput } from '../../payments/payment-input';
import { listPaymentsQuery, paymentSchema } from '../../payments/payment-resource';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { commandReply, pendingOperation, replayableReply, requiredClaim } from '../replayable';
import type { Route } from '../route';
import { workspaceRoute } from '../workspace-route';

const tag = 'Payments';

/** `/api/billing/payments` */
export function paymentRoutes({ payments }: Pick<Services, 'payments'>): Route[] {
  return [
    workspaceRoute({
      method: 'get',
      path: '/api/billing/payments',
      operationId: 'listPayments',
      summary: 'List payments',
      description: 'Newest first.',
      tag,
      access: 'operator',
      role: 'viewer',
      query: listPaymentsQuery,
      responses: { 200: { description: 'A page of payments', schema: pageSchema(paymentSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, { query }) => payments.list(actor, query),
    }),
    workspaceRoute({
      method: 'post',
      path: '/api/billing/payments',
      operationId: 'recordPayment',
      summary: 'Record a payment',
      description:
        'Records a full or partial payment of a local-billing transaction. Needs the role `admin`. The part beyond the amount due, and a payment of a void transaction, is recorded as unapplied and can be refunded. A past-due subscription becomes active again once nothing is due; an incomplete one begins once its checkout is paid in full. With `checkoutId`, records the full payment of a one-time checkout.',
      tag,
      access: 'operator',
      role: 'admin',
      body: recordPaymentInput,
      idempotencyKey: 'required',
      responses: {
        201: { description: 'The payment', schema: paymentSchema },
        202: pendingOperation,
      },
      errors: [
        'transaction_not_found',
        'checkout_not_found',
        'checkout_not_open',
        'payment_currency_differs',
        'capability_unsupported',
        'temporal_unavailable',
        'service_busy',
      ],
      handle: async (actor, { body, idempotency }) => {
        const { transactionId, checkoutId = '', ...paid } = body;
        const claim = requiredClaim(idempotency);
        if (transactionId !== undefined) {
          return commandReply(await payments.record(actor, { ...paid, transactionId }, claim));
        }
        const { amount, reference = null, receivedAt = null } = paid;
        const input = { amount, reference, receivedAt };
        return replayableReply(await payments.recordForCheckout(actor, checkoutId, input, claim));
      },
    }),
    workspaceRoute({
      method: 'get',
      path: '/api/billing/payments/{id}',
      operationId: 'getPayment',
      summary: 'Read a payment',
      tag,
      access: 'operator',
      role: 'viewer',
      params: idParams,
      responses: { 200: { description: 'The payment', schema: paymentSchema } },
      errors: ['payment_not_found'],
      answer: (actor, { params }) => payments.get(actor, params.id),
    }),
  ];
}
