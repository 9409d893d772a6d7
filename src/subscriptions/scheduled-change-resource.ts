import type { z } from 'zod';
import { timeSchema, toTime } from '../schemas/instant';
import type { BilledSubscription } from './billed-subscription';
import { termsSchema, toTerms } from './terms-resource';

/** A change that waits for the next renewal, as the API shows it. */
export const scheduledChangeSchema = termsSchema
  .extend({
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
    ...toTerms(scheduled),
    effectiveAt: toTime(currentPeriodEnd),
    requestedAt: toTime(scheduled.requestedAt),
  };
}
