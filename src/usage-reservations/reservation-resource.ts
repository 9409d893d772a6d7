import { z } from 'zod';
import { decimalToNumber, parseDecimal } from '../domain/decimal';
import type { Instant } from '../domain/instant';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import type { ReservationRow } from './reservation-row-store';

export const reservationSchema = z
  .object({
    id: z.string(),
    externalId: z.string(),
    customerId: z.string(),
    feature: z.string(),
    entity: z.string().nullable().meta({ description: 'The customer’s entity it is for.' }),
    quantity: z.number(),
    status: z.enum(['held', 'confirmed', 'released', 'expired']).meta({
      description: '`held`: the units are not available to other calls. `confirmed`: a track has used them.',
    }),
    createdAt: timeSchema,
    expiresAt: timeSchema,
    endedAt: timeSchema.nullable(),
    eventId: z.string().nullable().meta({ description: 'The usage event that confirmed it.' }),
  })
  .meta({ id: 'UsageReservation' });

export type ReservationResource = z.output<typeof reservationSchema>;

export function toReservationResource(row: ReservationRow, now: Instant): ReservationResource {
  return {
    ...row,
    quantity: decimalToNumber(parseDecimal(row.quantity)),
    status: row.status === 'held' && row.expiresAt <= now ? 'expired' : row.status,
    createdAt: toTime(row.createdAt),
    expiresAt: toTime(row.expiresAt),
    endedAt: toTimeOrNull(row.endedAt),
  };
}
