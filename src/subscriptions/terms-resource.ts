import { z } from 'zod';
import { namedPlanSchema } from '../schemas/plan';

/** A plan and seats, before or after a change. */
export const termsSchema = z.object({ plan: namedPlanSchema, seats: z.int() });
export type TermsResource = z.output<typeof termsSchema>;

export function toTerms(terms: { planId: string; planSlug: string; seats: number }): TermsResource {
  return { plan: { id: terms.planId, slug: terms.planSlug }, seats: terms.seats };
}
