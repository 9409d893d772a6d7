import { z } from 'zod';
import { EVENT_STATUSES, EVENT_TYPES } from '../domain/event-types';
import { toTime } from '../schemas/instant';
import type { DeveloperEventRow } from './developer-event-store';

/** A developer event as the API returns it. */
export const developerEventSchema = z
  .object({
    id: z.string().meta({ example: 'evt_01k0g6v2p8f3ct4x7m9w5a1zqe' }),
    type: z.enum(EVENT_TYPES),
    status: z.enum(EVENT_STATUSES),
    message: z.string().meta({ description: 'What happened, as a sentence.' }),
    source: z.string().meta({
      description:
        'Origin: `api`, `console` or `portal`; of a track, its `source`; a provider; or a part of the service (`billing`, `webhooks`, `plan_prices`, `migration`).',
    }),
    createdAt: z.iso.datetime().meta({
      description: 'Real time, also in a sandbox whose clock was advanced. `from` and `to` compare it.',
    }),
    recordedAt: z.iso.datetime().meta({
      description:
        'The workspace’s time, as used by customers, subscriptions and periods: `createdAt` plus the advance of the sandbox clock.',
    }),
    data: z.record(z.string(), z.unknown()).meta({ description: 'Details; the members depend on `type`.' }),
  })
  .meta({ id: 'DeveloperEvent' });

export type DeveloperEvent = z.output<typeof developerEventSchema>;

export function toDeveloperEvent(row: DeveloperEventRow): DeveloperEvent {
  const { id, type, status, message, source, data } = row;
  const createdAt = toTime(row.createdAt);
  const recordedAt = row.recordedAt === null ? createdAt : toTime(row.recordedAt);
  return { id, type, status, message, source, createdAt, recordedAt, data };
}
