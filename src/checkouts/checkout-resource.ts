import { z } from 'zod';
import {
  CHECKOUT_MINUTES,
  CHECKOUT_STATUSES,
  LEAST_CHECKOUT_MINUTES,
  MOST_CHECKOUT_MINUTES,
} from '../domain/checkout';
import { PROVIDERS } from '../domain/subscription-types';
import { listQuery } from '../schemas/list';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import { metadataSchema } from '../schemas/metadata';
import { moneySchema, toMoney } from '../schemas/money';
import { identifier } from '../schemas/text';
import { createSubscriptionInput } from '../subscriptions/subscription-resource';
import { toTransactionResource, transactionSchema } from '../subscriptions/transaction-resource';
import type { TransactionRow } from '../subscriptions/transaction-store';
import type { CheckoutRow } from './checkout-store';

/** A checkout as the API shows it: what is offered to a customer, and whether it is paid. */
export const checkoutSchema = z
  .object({
    id: z.string(),
    status: z.enum(CHECKOUT_STATUSES).meta({
      description: '`complete`: it is paid, or nothing was to pay; `expired`: it can no longer be paid.',
    }),
    provider: z.enum(PROVIDERS),
    customerId: z.string(),
    externalId: z.string(),
    plan: z.object({ id: z.string(), slug: z.string() }),
    seats: z.number(),
    price: moneySchema,
    interval: z.enum(['month', 'year']),
    pricing: z.enum(['flat', 'per_seat']),
    subscriptionId: z.string().meta({ description: 'It is `incomplete` until the checkout is complete.' }),
    transaction: transactionSchema
      .nullable()
      .meta({ description: 'What is to be paid; null where a trial comes first.' }),
    amountDue: moneySchema.meta({ description: 'What is still to be paid, with tax.' }),
    url: z.string().nullable().meta({
      description: 'Where the customer pays; null in local billing, whose payments are recorded.',
    }),
    expiresAt: timeSchema,
    completedAt: timeSchema.nullable(),
    metadata: metadataSchema,
    createdAt: timeSchema,
    updatedAt: timeSchema,
  })
  .meta({ id: 'Checkout' });

const { customerId, externalId, planId, planSlug, seats, metadata } = createSubscriptionInput.shape;

export const createCheckoutInput = z
  .strictObject({
    customerId,
    externalId,
    planId,
    planSlug,
    seats,
    expiresInMinutes: z
      .int()
      .min(LEAST_CHECKOUT_MINUTES)
      .max(MOST_CHECKOUT_MINUTES)
      .default(CHECKOUT_MINUTES)
      .meta({ description: 'How long it can be paid; a day if left out.' }),
    metadata: metadata.meta({ description: 'Of the subscription.' }),
  })
  .refine((input) => (input.customerId === undefined) !== (input.externalId === undefined), {
    path: ['customerId'],
    error: 'or externalId names the customer: send one of the two',
  })
  .refine((input) => (input.planId === undefined) !== (input.planSlug === undefined), {
    path: ['planId'],
    error: 'or planSlug names the plan: send one of the two',
  });

export const listCheckoutsQuery = listQuery.extend({
  status: z.enum(CHECKOUT_STATUSES).optional(),
  customerId: identifier.optional(),
  subscriptionId: identifier.optional(),
});

export type CheckoutResource = z.output<typeof checkoutSchema>;

export function toCheckoutResource(
  row: CheckoutRow,
  transaction: TransactionRow | undefined,
): CheckoutResource {
  const charge = transaction === undefined ? null : toTransactionResource(transaction);
  return {
    id: row.id,
    status: row.status,
    provider: row.provider,
    customerId: row.customerId,
    externalId: row.externalId,
    plan: { id: row.planId, slug: row.planSlug },
    seats: row.seats,
    price: toMoney(row.unitAmount, row.currency),
    interval: row.interval,
    pricing: row.pricing,
    subscriptionId: row.subscriptionId,
    transaction: charge,
    amountDue: charge?.amountOpen ?? toMoney(0n, row.currency),
    url: row.url,
    expiresAt: toTime(row.expiresAt),
    completedAt: toTimeOrNull(row.completedAt),
    metadata: row.metadata,
    createdAt: toTime(row.createdAt),
    updatedAt: toTime(row.updatedAt),
  };
}
