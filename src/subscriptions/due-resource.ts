import { z } from 'zod';
import { PROVIDERS } from '../domain/provider';
import { pageSchema } from '../pagination/page-schema';
import { DAY_MS, type Instant } from '../domain/instant';
import { periodOverAt } from '../domain/pending-cancellation';
import type { TaxSnapshot } from '../domain/tax';
import { windowQuery } from '../schemas/list';
import { instantInput, timeSchema, toTime } from '../schemas/instant';
import type { SubscriptionRow } from './subscription-store';
import { upcomingOf } from './timeline';
import { toUpcoming, upcomingSchema } from './timeline-resource';
import { namedPlanSchema } from '../schemas/plan';

const DAYS = { day: 1, week: 7, month: 31 } as const;

export const listDueQuery = windowQuery.extend({
  from: instantInput.optional().meta({ description: 'Default: the workspace’s current time.' }),
  within: z.enum(['day', 'week', 'month']).default('week').meta({
    description: 'Days after `from`: 1, 7 or 31.',
  }),
});

/** A subscription whose current period ends soon, and what happens to it then. */
const dueSchema = z
  .object({
    at: timeSchema.meta({ description: 'When its current period ends.' }),
    subscriptionId: z.string(),
    customerId: z.string(),
    externalId: z.string(),
    plan: namedPlanSchema.extend({ name: z.string() }),
    provider: z.enum(PROVIDERS),
    seats: z.int(),
    steps: z.array(upcomingSchema).meta({
      description:
        'What happens then if nothing is done or paid: a renewal, a scheduled change, the end of the trial, or its end. Empty if something else comes first.',
    }),
  })
  .meta({ id: 'DueSubscription' });

export const duePageSchema = pageSchema(dueSchema);

/** Returns the end of the window. */
export function dueUntil(from: Instant, within: keyof typeof DAYS): Instant {
  return from + DAYS[within] * DAY_MS;
}

/**
 * @param tax as decided today
 * @param now if the period has ended already, its steps are overdue; they are given at its end all the same
 */
export function toDue(row: SubscriptionRow, tax: TaxSnapshot, now: Instant): z.output<typeof dueSchema> {
  const at = periodOverAt(row);
  return {
    at: toTime(at),
    subscriptionId: row.id,
    customerId: row.customerId,
    externalId: row.externalId,
    plan: { id: row.planId, slug: row.planSlug, name: row.planName },
    provider: row.provider,
    seats: row.seats,
    // Steps before the end that are overdue, too, come at the instant given.
    steps: upcomingOf(row, tax, Math.min(now, at - 1))
      .filter((entry) => entry.at === at)
      .map(toUpcoming),
  };
}
