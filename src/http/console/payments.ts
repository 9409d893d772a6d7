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
        'Money that came in for a transaction of local billing, in full or in part; needs the role `admin`, as everything that moves money does. What is more than the transaction still demands, or comes when it is void, is recorded as unapplied and can be refunded. A payment makes a past-due subscription active again once nothing is due, and starts an incomplete one once its checkout is paid in full. With `checkoutId` it is the payment of a checkout that takes an amount once, in full.',
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
