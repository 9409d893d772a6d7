import { z } from 'zod';
import { decimalToNumber, parseDecimal } from '../domain/decimal';
import type { StoredDeduction } from './stored-deduction';

/** Source of a use's units, as the API shows it. */
export const deductionSchema = z.object({
  from: z.enum(['quota', 'rollover', 'credits', 'overage']),
  quantity: z.number(),
  subscriptionId: z.string(),
  credits: z.number().optional(),
  grantId: z.string().optional(),
});

export function toDeductionResource(stored: StoredDeduction): z.output<typeof deductionSchema> {
  const { from, quantity, subscriptionId, credits, grantId } = stored;
  return {
    from,
    quantity: decimalToNumber(parseDecimal(quantity)),
    subscriptionId,
    ...(credits === undefined ? {} : { credits: decimalToNumber(parseDecimal(credits)) }),
    ...(grantId === undefined ? {} : { grantId }),
  };
}
