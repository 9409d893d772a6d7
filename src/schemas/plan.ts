import { z } from 'zod';

/** How answers name a plan. */
export const namedPlanSchema = z.object({ id: z.string(), slug: z.string() });
