import { z } from 'zod';
import { timeSchema, toTime } from '../schemas/instant';
import type { BilledSubscription } from './billed-subscription';

/** A change that waits for the next renewal, as the API shows it. */
export const scheduledChangeSchema = z
  .object({
    plan: z.object({ id: z.string(), slug: z.string() }),
    seats: z.int(),
    effectiveAt: timeSchema.meta({ description: 'The end of the current period.' }),
    requestedAt: timeSchema,
  })
  .meta({ id: 'ScheduledChange' });

export type ScheduledChangeResource = z.output<typeof scheduledChangeSchema>;

export function toScheduledChange({
  scheduled,
  currentPeriodEnd,
}: Pick<BilledSubscription, 'scheduled' | 'currentPeriodEnd'>): ScheduledChangeResource | null {
  if (scheduled === null) return null;
  return {
    plan: { id: scheduled.planId, slug: scheduled.planSlug },
    seats: scheduled.seats,
    effectiveAt: toTime(currentPeriodEnd),
    requestedAt: toTime(scheduled.requestedAt),
  };
}
