import { z } from 'zod';
import { SALE_OBSTACLES } from '../domain/plan-sale';
import { PROVIDERS } from '../domain/provider';

/** Where a plan can be sold: local billing, and each connection. */
export const planProviderSchema = z
  .object({
    provider: z.enum(PROVIDERS),
    connectionId: z.string().nullable().meta({ description: 'Null is local billing.' }),
    mapped: z.boolean().meta({ description: 'Whether the plan has a reference there.' }),
    sellable: z.boolean(),
    reason: z.enum(SALE_OBSTACLES).nullable().meta({
      description:
        'Why it is not sellable. `plan_archived`: it is archived, or its group is. `plan_price_differs` is as of the last comparison; a checkout compares anew.',
    }),
  })
  .meta({ id: 'PlanProvider' });
export type PlanProviderResource = z.output<typeof planProviderSchema>;
