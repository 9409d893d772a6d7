import { z } from 'zod';
import { expand, flag, list, metadata, text, whole } from './parameters';

/** The original's longest period is three years. */
const LONGEST = { day: 1095, week: 156, month: 36, year: 3 } as const;

const recurring = z
  .strictObject({
    interval: z.enum(['day', 'week', 'month', 'year']),
    interval_count: whole.optional(),
    usage_type: z.enum(['licensed', 'metered']).optional(),
    meter: text.optional(),
  })
  .refine(({ interval, interval_count: count = 1 }) => count >= 1 && count <= LONGEST[interval], {
    error: 'Invalid interval_count: the period may be at most three years',
  });

const tier = z.strictObject({
  flat_amount: whole.optional(),
  unit_amount: whole.optional(),
  up_to: z.union([z.literal('inf'), whole]),
});

export const priceParameters = z.strictObject({
  active: flag.optional(),
  billing_scheme: z.enum(['per_unit', 'tiered']).optional(),
  currency: z.string().regex(/^[a-z]{3}$/, 'Invalid currency'),
  expand,
  lookup_key: text.optional(),
  metadata: metadata.optional(),
  nickname: text.optional(),
  product: text,
  recurring: recurring.optional(),
  tax_behavior: z.enum(['inclusive', 'exclusive', 'unspecified']).optional(),
  tiers: list(tier).optional(),
  tiers_mode: z.enum(['graduated', 'volume']).optional(),
  transform_quantity: z.strictObject({ divide_by: whole, round: z.enum(['up', 'down']) }).optional(),
  unit_amount: whole.optional(),
  unit_amount_decimal: z
    .string()
    .regex(/^\d{1,15}(\.\d{1,12})?$/, 'Invalid decimal')
    .optional(),
});
export type PriceParameters = z.output<typeof priceParameters>;
