import { z } from 'zod';
import { EVENT_STATUSES, EVENT_TYPES } from '../domain/event-types';
import type { DeveloperEventRow } from './developer-event-store';

/** A developer event as callers see it. */
export const developerEventSchema = z
  .object({
    id: z.string().meta({ example: 'evt_01k0g6v2p8f3ct4x7m9w5a1zqe' }),
    type: z.enum(EVENT_TYPES),
    status: z.enum(EVENT_STATUSES),
    message: z.string().meta({ description: 'What happened, in a sentence.' }),
    source: z
      .string()
      .meta({ description: 'Where it came from: `api`, the `source` of a track, a provider.' }),
    createdAt: z.iso.datetime(),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What it is about; members depend on `type`.' }),
  })
  .meta({ id: 'DeveloperEvent' });

export type DeveloperEvent = z.output<typeof developerEventSchema>;

export function toDeveloperEvent(row: DeveloperEventRow): DeveloperEvent {
  const { id, type, status, message, source, data } = row;
  return { id, type, status, message, source, createdAt: new Date(row.createdAt).toISOString(), data };
}
