import { z } from 'zod';
import { expandable } from '../expansion/expanded-resource';
import { DISPUTE_STATUSES } from '../domain/dispute';
import { PAYMENT_STATUSES } from '../domain/payment';
import { refundableAmount } from '../domain/refund';
import { instantInput, timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import { orNull } from '../schemas/or-null';
import { listQuery } from '../schemas/list';
import { amountInput, moneySchema, toMoney } from '../schemas/money';
import { customerFilters, idFilter } from '../schemas/id-filter';
import { identifier, line } from '../schemas/text';
import type { PaymentDispute, PaymentNames, PaymentRow } from './payment-store';
import { PROVIDERS } from '../domain/provider';

const disputeSchema = z
  .object({
    id: z.string(),
    status: z.enum(DISPUTE_STATUSES).meta({
      description:
        'The amount taken by a `lost` dispute is listed among the refunds, with the kind `dispute`.',
    }),
    amount: moneySchema,
    reason: z.string().nullable().meta({ description: 'As stated by the provider.' }),
    openedAt: timeSchema,
    decidedAt: timeSchema.nullable(),
  })
  .meta({ id: 'PaymentDispute' });

/** A payment as the API shows it. */
export const paymentSchema = z
  .object({
    id: z.string(),
    status: z.enum(PAYMENT_STATUSES),
    provider: z.enum(PROVIDERS),
    connectionId: z
      .string()
      .nullable()
      .meta({ description: 'The provider connection it was made through; null in local billing.' }),
    amount: moneySchema,
    appliedAmount: moneySchema.meta({ description: 'What settled the transaction.' }),
    unappliedAmount: moneySchema.meta({
      description:
        'The part that settles no transaction: what exceeds the amount due, and all of a payment of a one-time checkout or at a payment provider, which have none.',
    }),
    refundedAmount: moneySchema.meta({ description: 'Refunds that succeeded or are pending.' }),
    refundableAmount: moneySchema.meta({ description: 'The amount that can still be refunded.' }),
    transactionId: z.string().nullable(),
    checkoutId: z.string().nullable().meta({
      description:
        'The one-time checkout that it was made through; null for all others, also a subscription’s first payment, which `subscriptionId` names. May be null until the checkout is complete.',
    }),
    subscriptionId: z.string().nullable(),
    customerId: z.string(),
    externalId: z.string(),
    reference: z.string().nullable().meta({
      description: 'The provider’s id for it; in local billing, your reference, or null.',
    }),
    references: z
      .array(z.object({ kind: z.string(), reference: z.string() }))
      .meta({ description: 'All of the provider’s ids for it: an order and its capture are two.' }),
    receivedAt: timeSchema.meta({
      description:
        'When the money came in; for a payment that has not succeeded, when it was made. May be earlier than `createdAt`.',
    }),
    settlementId: z.string().nullable().meta({ description: 'The settlement that counts it.' }),
    dispute: orNull(disputeSchema).meta({
      description:
        'The customer’s dispute with the bank or the provider; if there are several, an open one, or else the latest.',
    }),
    createdAt: timeSchema.meta({
      description: 'When it was recorded; lists are ordered by it, and `from` and `to` compare it.',
    }),
    ...expandable,
  })
  .meta({ id: 'Payment' });

export const createPaymentInput = z.strictObject({
  transactionId: identifier,
  amount: amountInput.meta({ description: 'In the currency of the transaction.' }),
  reference: line({ min: 1, max: 200 })
    .optional()
    .meta({ description: 'Your reference for the payment, such as the number of a bank transfer.' }),
  receivedAt: instantInput
    .optional()
    .meta({ description: 'When the money was received, by the workspace’s time; default: now.' }),
});

export const listPaymentsQuery = listQuery.extend({
  subscriptionId: idFilter('subscription'),
  ...customerFilters,
  transactionId: idFilter('transaction'),
  checkoutId: idFilter('checkout'),
  settlementId: idFilter('settlement'),
  provider: z.enum(PROVIDERS).optional(),
  status: z.enum(PAYMENT_STATUSES).optional(),
});

export type PaymentResource = z.output<typeof paymentSchema>;
export type CreatePaymentInput = z.output<typeof createPaymentInput>;

/** @param row a payment just written in local billing has no references */
export function toPaymentResource(row: PaymentRow & Partial<PaymentNames>): PaymentResource {
  const money = (amount: bigint) => toMoney(amount, row.currency);
  return {
    id: row.id,
    status: row.status,
    provider: row.provider,
    connectionId: row.connectionId ?? null,
    amount: money(row.amount),
    appliedAmount: money(row.appliedAmount),
    unappliedAmount: money(row.amount - row.appliedAmount),
    refundedAmount: money(row.refundedAmount),
    refundableAmount: money(refundableAmount(row)),
    transactionId: row.transactionId,
    checkoutId: row.checkoutId,
    subscriptionId: row.subscriptionId,
    customerId: row.customerId,
    externalId: row.externalId,
    reference: row.reference,
    references: row.references ?? [],
    receivedAt: toTime(row.receivedAt),
    settlementId: row.settlementId,
    dispute: row.dispute && toDisputeResource(row.dispute),
    createdAt: toTime(row.createdAt),
  };
}

function toDisputeResource(dispute: PaymentDispute): z.output<typeof disputeSchema> {
  const { id, status, amount, currency, reason, openedAt, decidedAt } = dispute;
  return {
    id,
    status,
    amount: toMoney(amount, currency),
    reason,
    openedAt: toTime(openedAt),
    decidedAt: toTimeOrNull(decidedAt),
  };
}
