import { z } from 'zod';
import { SALE_OBSTACLES } from '../domain/plan-sale';
import { PROVIDERS } from '../domain/provider';

/** Where a plan can be sold: local billing, and each connection. */
export const planProviderSchema = z
  .object({
    provider: z.enum(PROVIDERS),
    connectionId: z.string().nullable().meta({ description: 'Null: local billing.' }),
    mapped: z.boolean().meta({ description: 'Whether the plan has a reference there.' }),
    sellable: z.boolean(),
    reason: z.enum(SALE_OBSTACLES).nullable().meta({
      description:
        'Why it is not sellable. `plan_archived`: the plan or its group is archived. `plan_price_differs`: as of the last comparison; a checkout compares again.',
    }),
  })
  .meta({ id: 'PlanProvider' });
export type PlanProviderResource = z.output<typeof planProviderSchema>;
