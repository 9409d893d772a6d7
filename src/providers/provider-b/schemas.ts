import { z } from 'zod';
import { amount, amountOfVersion1, identifier, instant, links, totalOfVersion1 } from './values';

/** Wire formats of provider B's objects, limited to the fields this service reads. */

export const subscriptionObject = z
  .object({
    id: identifier,
    status: z.enum(['APPROVAL_PENDING', 'APPROVED', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED']),
    plan_id: identifier.nullish(),
    plan_overridden: z.boolean().nullish(),
    /** B's format allows decimals: `1.0`. */
    quantity: z
      .string()
      .regex(/^0*[1-9]\d{0,8}(?:\.0+)?$/)
      .transform(Number)
      .nullish(),
    start_time: instant.nullish(),
    subscriber: z.object({ payer_id: identifier.nullish() }).nullish(),
    billing_info: z
      .object({
        next_billing_time: instant.nullish(),
        failed_payments_count: z.string().regex(/^\d+$/).transform(Number).nullish(),
        last_payment: z
          .object({
            status: z.string().nullish().catch(null),
            time: instant.nullish(),
            // An unreadable payment does not invalidate the subscription.
            amount: amount.nullish().catch(null),
          })
          .nullish()
          // B gives it the status of a capture, and a capture may have been declined.
          .transform((payment) => (payment?.status === 'DECLINED' ? null : payment)),
        /** Stated on request, and in the event of the failure. */
        last_failed_payment: z
          .object({
            time: instant.nullish(),
            next_payment_retry_time: instant.nullish(),
            isUnreadable: z.literal(true).optional(),
          })
          .nullish()
          .catch({ isUnreadable: true }),
        outstanding_balance: amount.nullish().catch(null),
      })
      .nullish(),
  })
  // A failed payment that cannot be read must not pass for none, but does not hide a cancellation either.
  .refine(
    ({ status, billing_info: billing }) =>
      status === 'CANCELLED' || billing?.last_failed_payment?.isUnreadable !== true,
    { path: ['billing_info', 'last_failed_payment'], message: 'cannot be read' },
  );

/** The payments of a subscription; a transaction's id is the sale's. */
export const subscriptionTransactions = z.object({
  transactions: z
    .array(
      z.object({
        id: identifier,
        status: z.string(),
        amount_with_breakdown: z.object({ gross_amount: amount }),
        time: instant,
      }),
    )
    .nullish(),
  total_pages: z.string().regex(/^\d+$/).transform(Number).nullish(),
});

export const captureObject = z.object({
  id: identifier,
  status: z.enum([
    'COMPLETED',
    'PARTIALLY_REFUNDED',
    'REFUNDED',
    'PENDING',
    'DECLINED',
    'DENIED',
    'FAILED',
    'REVERSED',
  ]),
  amount,
  create_time: instant.nullish(),
  supplementary_data: z
    .object({ related_ids: z.object({ order_id: identifier.nullish() }).nullish() })
    .nullish(),
});

const purchaseUnit = z.object({
  amount,
  payments: z.object({ captures: z.array(captureObject).nullish() }).nullish(),
});

export const orderObject = z.object({
  id: identifier,
  status: z.string(),
  create_time: instant.nullish(),
  purchase_units: z.tuple([purchaseUnit], purchaseUnit),
});

/** An order that the customer pays on B's page. */
export const checkoutOrder = orderObject.extend({
  status: z.enum(['CREATED', 'SAVED', 'PAYER_ACTION_REQUIRED', 'APPROVED', 'COMPLETED', 'VOIDED']),
  payer: z.object({ payer_id: identifier.nullish() }).nullish(),
  links,
});

/** B's answer after creating a subscription or an order. */
export const createdObject = z.object({ id: identifier, status: z.string(), links });

/** A payment of a subscription. */
export const saleObject = z.object({
  id: identifier,
  state: z.enum(['completed', 'partially_refunded', 'refunded', 'pending', 'denied', 'reversed']),
  amount: amountOfVersion1,
  billing_agreement_id: identifier.nullish(),
  create_time: instant.nullish(),
});

export const refundObject = z.object({
  id: identifier,
  status: z.enum(['COMPLETED', 'PENDING', 'FAILED', 'CANCELLED']),
  amount,
  seller_payable_breakdown: z.object({ total_refunded_amount: amount.nullish() }).nullish(),
  create_time: instant.nullish(),
  /** Our id of the refund; the capture's if none was sent. */
  custom_id: z.string().nullish(),
  /** Our id, if it is the refund of a subscription's payment. */
  invoice_id: z.string().nullish(),
});

/** The capture of a refund is in one of these two places. */
export const refundOrigin = z.object({
  links,
  supplementary_data: z
    .object({ related_ids: z.object({ capture_id: identifier.nullish() }).nullish() })
    .nullish(),
});

/** A refund of a subscription's payment. */
export const saleRefundObject = z.object({
  id: identifier,
  state: z.enum(['completed', 'pending', 'failed', 'cancelled']),
  amount: amountOfVersion1,
  sale_id: identifier,
  total_refunded_amount: totalOfVersion1.nullish(),
  create_time: instant.nullish(),
  /** Our id of the refund. */
  invoice_number: z.string().nullish(),
});
