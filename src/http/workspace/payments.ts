import { z } from 'zod';
import { expandQuery } from '../../expansion/expanded-resource';
import { expandOne, expandPage } from './expansion';
import { pageSchema } from '../../pagination/page-schema';
import { recordPaymentInput } from '../../payments/payment-input';
import { listPaymentsQuery, paymentSchema } from '../../payments/payment-resource';
import { idParams } from '../../schemas/text';
import type { Services } from '../../service/services';
import { commandReply, pendingOperation, replayableReply, requiredClaim } from '../replayable';
import { mountedRoute, type MountedRoute } from '../mounted-route';

const expandable = expandQuery(['customer']);
const tag = 'Payments';

/** `/api/billing/payments` */
export function paymentRoutes({ expand, payments }: Pick<Services, 'expand' | 'payments'>): MountedRoute[] {
  return [
    mountedRoute({
      method: 'get',
      operationId: 'listPayments',
      summary: 'List payments',
      description: 'Newest first.',
      tag,
      console: { path: '/api/billing/payments', role: 'viewer' },
      v1: { path: '/v1/payments', scopes: { anyOf: ['read', 'billing'] } },
      query: listPaymentsQuery.extend(expandable),
      responses: { 200: { description: 'A page of payments', schema: pageSchema(paymentSchema) } },
      errors: ['cursor_invalid'],
      answer: (actor, call) => expandPage(expand, actor, call, (who, query) => payments.list(who, query)),
    }),
    mountedRoute({
      method: 'post',
      operationId: 'recordPayment',
      summary: 'Record a payment',
      description:
        'Records a full or partial payment of a local-billing transaction. The part beyond the amount due, and a payment of a void transaction, is recorded as unapplied and can be refunded. A past-due subscription becomes active again once nothing is due; an incomplete one begins once its checkout is paid in full. With `checkoutId`, records the full payment of a one-time checkout.',
      tag,
      console: {
        path: '/api/billing/payments',
        role: 'admin',
        stepUp: 'always',
        note: 'Needs the role `admin`.',
      },
      v1: { path: '/v1/payments', scopes: { anyOf: ['billing'] } },
      body: recordPaymentInput,
      example: {
        transactionId: 'txn_01jf2k7p3nfqvb9x4z6t8w2s5r',
        amount: { amount: '2900', currency: 'USD' },
        reference: 'Transfer 4711',
      },
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
      handle: async (actor, { body, idempotency, principal }) => {
        const { transactionId, checkoutId = '', ...paid } = body;
        const claim = requiredClaim(idempotency);
        if (transactionId !== undefined) {
          return commandReply(await payments.record(actor, { ...paid, transactionId }, claim), principal);
        }
        const { amount, reference = null, receivedAt = null } = paid;
        const input = { amount, reference, receivedAt };
        return replayableReply(await payments.recordForCheckout(actor, checkoutId, input, claim));
      },
    }),
    mountedRoute({
      method: 'get',
      operationId: 'getPayment',
      summary: 'Read a payment',
      tag,
      console: { path: '/api/billing/payments/{id}', role: 'viewer' },
      v1: { path: '/v1/payments/{id}', scopes: { anyOf: ['read', 'billing'] } },
      params: idParams,
      query: z.strictObject(expandable),
      responses: { 200: { description: 'The payment', schema: paymentSchema } },
      errors: ['payment_not_found'],
      answer: (actor, call) => expandOne(expand, actor, call, () => payments.get(actor, call.params.id)),
    }),
  ];
}
