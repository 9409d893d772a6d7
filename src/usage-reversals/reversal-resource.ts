import { z } from 'zod';
import { decimalFromNumber, decimalToNumber, parseDecimal } from '../domain/decimal';
import { positiveDecimal } from '../schemas/decimal';
import { timeSchema, toTime } from '../schemas/instant';
import { line } from '../schemas/text';
import { deductionSchema, toDeductionResource } from '../usage/deduction-resource';
import type { ReversalRow, ReversibleEvent } from './reversal-store';

export const reverseInput = z
  .strictObject({
    reason: line({ min: 1, max: 500 }).meta({ example: 'The job failed after it was counted' }),
    quantity: positiveDecimal.transform(decimalFromNumber).optional().meta({
      description: 'Units to reverse, at most six decimals; default: all of the event’s units.',
      example: 2,
    }),
  })
  .meta({ id: 'ReverseUsageRequest' });

export const reversalSchema = z
  .object({
    eventId: z.string(),
    externalId: z.string(),
    feature: z.string(),
    quantity: z.number().meta({ description: 'Units reversed.' }),
    reason: z.string(),
    returned: z.array(deductionSchema).meta({ description: 'Where the units were returned to.' }),
    operatorId: z.string().nullable(),
    apiKeyId: z.string().nullable(),
    reversedAt: timeSchema,
  })
  .meta({ id: 'UsageReversal' });

export type ReversalResource = z.output<typeof reversalSchema>;

export function toReversalResource(event: ReversibleEvent, reversal: ReversalRow): ReversalResource {
  return {
    eventId: event.id,
    externalId: event.externalId,
    feature: event.feature,
    quantity: decimalToNumber(parseDecimal(reversal.quantity)),
    reason: reversal.reason,
    returned: reversal.deductions.map(toDeductionResource),
    ...reversal.actor,
    reversedAt: toTime(reversal.reversedAt),
  };
}
