import { z } from 'zod';
import {
  comparePlanPrice,
  PRICE_FIELDS,
  PRICE_INTERVALS,
  TAX_BEHAVIORS,
  UNVERIFIABLE_PRICE_CODES,
  type PlanPrice,
  type PriceReading,
} from '../domain/plan-price-comparison';
import { orNull } from '../schemas/or-null';
import { namedPlanSchema } from '../schemas/plan';
import { PRICINGS } from '../domain/subscription-types';

const side = z
  .object({
    amount: z.string().nullable().meta({
      description: 'Minor units for one interval. A provider may have fractions of them: `150.5`.',
    }),
    currency: z.string().nullable(),
    interval: z.enum([...PRICE_INTERVALS, 'once']).nullable(),
    intervalCount: z.int().nullable(),
    pricing: z.enum(PRICINGS).nullable(),
  })
  .meta({ id: 'PlanPriceSide', description: 'A price; members that the provider does not state are null.' });

export const planPriceSchema = z
  .object({
    connectionId: z.string(),
    plan: namedPlanSchema,
    planReference: z.string().meta({ description: 'The provider’s id of the price or plan.' }),
    result: z.enum(['equal', 'differs', 'unverifiable']).meta({
      description:
        '`differs`: the plan is not sold there until the prices match. `unverifiable`: the provider states too little to compare; nothing is blocked.',
    }),
    fields: z.array(z.enum(PRICE_FIELDS)).meta({ description: 'What differs.' }),
    local: side,
    provider: orNull(side),
    taxBehavior: z.enum(TAX_BEHAVIORS).nullable().meta({
      description: 'Whether the provider’s amount includes tax, if stated. It is not compared.',
    }),
    code: z.enum(UNVERIFIABLE_PRICE_CODES).nullable().meta({ description: 'Why it is unverifiable.' }),
    words: z.string().nullable().meta({ description: 'What differs, or why it is unverifiable.' }),
  })
  .meta({ id: 'PlanPriceAtProvider' });
export type PlanPriceResource = z.output<typeof planPriceSchema>;

/** Compares a plan's price with its provider's. */
export function toPlanPriceResource(
  plan: PlanPrice & { id: string; slug: string },
  at: { connectionId: string; planReference: string },
  reading: PriceReading,
): PlanPriceResource {
  const comparison = comparePlanPrice(plan, reading);
  const { id, slug } = plan;
  const { result, local, provider } = comparison;
  return {
    ...at,
    plan: { id, slug },
    result,
    fields: result === 'differs' ? comparison.fields : [],
    local,
    provider,
    taxBehavior: reading.kind === 'read' ? reading.price.taxBehavior : null,
    code: result === 'unverifiable' ? comparison.code : null,
    words: result === 'differs' ? comparison.words : result === 'unverifiable' ? comparison.reason : null,
  };
}
