import { z } from 'zod';
import { PAYMENT_STATUSES } from '../domain/payment';
import { refundableAmount } from '../domain/refund';
import { PROVIDERS } from '../domain/subscription';
import { instantInput, timeSchema, toTime } from '../schemas/instant';
import { listQuery } from '../schemas/list';
import { amountInput, moneySchema, toMoney } from '../schemas/money';
import { identifier, line } from '../schemas/text';
import type { PaymentRow } from './payment-store';

/** A payment as the API shows it. */
export const paymentSchema = z
  .object({
    id: z.string(),
    status: z.enum(PAYMENT_STATUSES),
    provider: z.enum(PROVIDERS),
    amount: moneySchema,
    appliedAmount: moneySchema.meta({ description: 'What settled the transaction.' }),
    unappliedAmount: moneySchema.meta({
      description: 'What was more than the transaction still demanded; it can be refunded.',
    }),
    refundedAmount: moneySchema.meta({ description: 'Refunds that succeeded or are pending.' }),
    refundableAmount: moneySchema.meta({ description: 'What can still be refunded.' }),
    transactionId: z.string().nullable(),
    subscriptionId: z.string().nullable(),
    customerId: z.string(),
    externalId: z.string(),
    reference: z.string().nullable(),
    receivedAt: timeSchema,
    settlementId: z.string().nullable().meta({ description: 'The settlement that counts it.' }),
    createdAt: timeSchema,
  })
  .meta({ id: 'Payment' });

export const createPaymentInput = z.strictObject({
  transactionId: identifier,
  amount: amountInput.meta({ description: 'In the currency of the transaction.' }),
  reference: line({ min: 1, max: 200 })
    .optional()
    .meta({ description: 'What the payment is known by elsewhere: the number of a bank transfer.' }),
  receivedAt: instantInput
    .optional()
    .meta({ description: 'When the money came in, by the workspace’s time; now if left out.' }),
});

export const listPaymentsQuery = listQuery.extend({
  subscriptionId: identifier.optional(),
  customerId: identifier.optional(),
  transactionId: identifier.optional(),
  settlementId: identifier.optional(),
  status: z.enum(PAYMENT_STATUSES).optional(),
});

export type PaymentResource = z.output<typeof paymentSchema>;
export type CreatePaymentInput = z.output<typeof createPaymentInput>;

export function toPaymentResource(row: PaymentRow): PaymentResource {
  const money = (amount: bigint) => toMoney(amount, row.currency);
  return {
    id: row.id,
    status: row.status,
    provider: row.provider,
    amount: money(row.amount),
    appliedAmount: money(row.appliedAmount),
    unappliedAmount: money(row.amount - row.appliedAmount),
    refundedAmount: money(row.refundedAmount),
    refundableAmount: money(refundableAmount(row)),
    transactionId: row.transactionId,
    subscriptionId: row.subscriptionId,
    customerId: row.customerId,
    externalId: row.externalId,
    reference: row.reference,
    receivedAt: toTime(row.receivedAt),
    settlementId: row.settlementId,
    createdAt: toTime(row.createdAt),
  };
}
