import { z } from 'zod';
import { decimalToNumber, parseDecimal } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import { pageSchema } from '../pagination/page-schema';
import { positiveDecimal } from '../schemas/decimal';
import { instantInput, timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import { identifier, text } from '../schemas/text';
import type { CreditGrantRow } from './credit-store';

/** A grant of credits as the API shows it. */
export const creditGrantSchema = z
  .object({
    id: z.string(),
    customerId: z.string(),
    amount: z.number(),
    remaining: z.number().meta({ description: 'Unspent credits, whether or not the grant has expired.' }),
    reason: z.string().nullable(),
    expiresAt: timeSchema.nullable(),
    expired: z.boolean(),
    createdAt: timeSchema,
  })
  .meta({ id: 'CreditGrant' });

export const creditPageSchema = pageSchema(creditGrantSchema)
  .extend({
    balance: z.number().meta({ description: 'Credits that can be spent now, across all grants.' }),
  })
  .meta({ id: 'CreditGrantPage' });

export const createCreditInput = z.strictObject({
  amount: positiveDecimal,
  reason: text({ min: 1, max: 500 }).optional(),
  expiresAt: instantInput.optional(),
});

export const creditParams = z.strictObject({ id: identifier, grantId: identifier });

export type CreditGrantResource = z.output<typeof creditGrantSchema>;

export function toCreditGrantResource(row: CreditGrantRow, now: Instant): CreditGrantResource {
  return {
    id: row.id,
    customerId: row.customerId,
    amount: decimalToNumber(parseDecimal(row.amount)),
    remaining: decimalToNumber(parseDecimal(row.remaining)),
    reason: row.reason,
    expiresAt: toTimeOrNull(row.expiresAt),
    expired: row.expiresAt !== null && row.expiresAt <= now,
    createdAt: toTime(row.createdAt),
  };
}
