import { z } from 'zod';
import { PROVIDER_STEPS } from '../domain/lifecycle';
import { pageSchema } from '../pagination/page-schema';
import { timeSchema, toTime } from '../schemas/instant';
import { moneySchema, toMoney } from '../schemas/money';
import type { HistoryRow } from './subscription-history-store';
import type { UpcomingEntry } from './timeline';

const entrySchema = z
  .object({
    id: z.string(),
    at: timeSchema,
    kind: z.string().meta({ description: 'In the past tense.', example: 'period_turned' }),
    message: z.string(),
    data: z.record(z.string(), z.unknown()).meta({ description: 'Members depend on `kind`.' }),
  })
  .meta({ id: 'SubscriptionTimelineEntry' });

export const upcomingSchema = z
  .object({
    at: timeSchema,
    kind: z.enum([
      'end_trial',
      'scheduled_change',
      'turn_period',
      'become_past_due',
      'expire',
      'expire_checkout',
      ...PROVIDER_STEPS,
    ]),
    message: z.string(),
    estimate: moneySchema
      .nullable()
      .meta({ description: 'The expected charge at today’s prices and taxes; null for no charge.' }),
  })
  .meta({ id: 'SubscriptionUpcomingStep' });

/** A subscription's history, newest first, and its upcoming steps. */
export const timelineSchema = pageSchema(entrySchema)
  .extend({
    upcoming: z.array(upcomingSchema).meta({
      description:
        'At most the next 12 steps, earliest first, assuming that nothing is done or paid. A payment provider’s renewals are estimates from our calendar and today’s prices.',
    }),
  })
  .meta({ id: 'SubscriptionTimeline' });

export type TimelineResource = z.output<typeof timelineSchema>;

export function toTimelineEntry(row: HistoryRow): z.output<typeof entrySchema> {
  const { id, kind, message, data } = row;
  return { id, at: toTime(row.happenedAt), kind, message, data };
}

export function toUpcoming({ at, kind, message, estimate }: UpcomingEntry): z.output<typeof upcomingSchema> {
  return {
    at: toTime(at),
    kind,
    message,
    estimate: estimate === null ? null : toMoney(estimate.amount, estimate.currency),
  };
}
