import { z } from 'zod';
import { expandable } from '../expansion/expanded-resource';
import { REFUND_KINDS, REFUND_STATUSES } from '../domain/refund';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import { listQuery } from '../schemas/list';
import { amountInput, moneySchema, toMoney } from '../schemas/money';
import { customerFilters, idFilter } from '../schemas/id-filter';
import { identifier, text } from '../schemas/text';
import type { RefundRow } from './refund-store';
import { PROVIDERS } from '../domain/provider';
import { BEING_REQUESTED } from './refund-outcome';

/** A refund as the API shows it. */
export const refundSchema = z
  .object({
    id: z.string(),
    paymentId: z.string(),
    kind: z
      .enum(REFUND_KINDS)
      .meta({ description: '`dispute`: the amount taken by a lost dispute of the payment.' }),
    subscriptionId: z.string().nullable(),
    customerId: z.string(),
    externalId: z.string(),
    provider: z.enum(PROVIDERS),
    connectionId: z.string().nullable().meta({ description: 'Of its payment; null in local billing.' }),
    reference: z.string().nullable().meta({ description: 'The provider’s id, once known.' }),
    status: z.enum(REFUND_STATUSES).meta({
      description: 'A `pending` refund counts against its payment; a `failed` one no longer does.',
    }),
    amount: moneySchema,
    reason: z.string().nullable(),
    failure: z.string().nullable().meta({ description: 'Why it failed; null otherwise.' }),
    waitingFor: z
      .string()
      .nullable()
      .meta({ description: 'What a pending refund waits for, as a sentence.' }),
    requestedAt: timeSchema,
    completedAt: timeSchema.nullable(),
    settlementId: z.string().nullable().meta({ description: 'The settlement that counts it.' }),
    createdAt: timeSchema,
    ...expandable,
  })
  .meta({ id: 'Refund' });

export const createRefundInput = z.strictObject({
  paymentId: identifier,
  amount: amountInput.optional().meta({ description: 'Default: the rest of the payment.' }),
  reason: text({ min: 1, max: 500 }).optional(),
});

export const listRefundsQuery = listQuery.extend({
  paymentId: idFilter('payment'),
  subscriptionId: idFilter('subscription'),
  ...customerFilters,
  settlementId: idFilter('settlement'),
  provider: z.enum(PROVIDERS).optional(),
  status: z.enum(REFUND_STATUSES).optional(),
});

export type RefundResource = z.output<typeof refundSchema>;
export type CreateRefundInput = z.output<typeof createRefundInput>;

export function toRefundResource(row: RefundRow): RefundResource {
  const pending = row.status === 'pending';
  return {
    id: row.id,
    paymentId: row.paymentId,
    kind: row.kind,
    subscriptionId: row.subscriptionId,
    customerId: row.customerId,
    externalId: row.externalId,
    provider: row.provider,
    connectionId: row.connectionId,
    reference: row.reference,
    status: row.status,
    amount: toMoney(row.amount, row.currency),
    reason: row.reason,
    failure: pending ? null : row.failure,
    waitingFor: pending ? (row.failure ?? BEING_REQUESTED) : null,
    requestedAt: toTime(row.requestedAt),
    completedAt: toTimeOrNull(row.completedAt),
    settlementId: row.settlementId,
    createdAt: toTime(row.createdAt),
  };
}
