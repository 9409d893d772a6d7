import { z } from 'zod';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import type { SessionRow } from './session-store';

/** An operator as shown to that operator. */
export const operatorSchema = z
  .object({ id: z.string(), email: z.string(), name: z.string(), isPlatformAdministrator: z.boolean() })
  .meta({ id: 'Operator' });

/** A live session, without the cookie's value. */
export const sessionSchema = z
  .object({
    id: z.string(),
    current: z.boolean().meta({ description: 'Whether it is the session of this request.' }),
    createdAt: timeSchema,
    lastSeenAt: timeSchema.meta({ description: 'Accurate to a minute.' }),
    expiresAt: timeSchema.meta({ description: 'It ends at this time, or after 12 hours without use.' }),
    userAgent: z.string().nullable(),
    ip: z.string().nullable().meta({ description: 'The IP address that it was opened from.' }),
    lastIp: z
      .string()
      .nullable()
      .meta({ description: 'The IP address that it was last used from, accurate to a minute.' }),
    secondFactorAt: timeSchema
      .nullable()
      .meta({ description: 'When the second factor was last confirmed in it.' }),
  })
  .meta({ id: 'OperatorSession' });

export function toSessionResource(row: SessionRow, currentId: string): z.output<typeof sessionSchema> {
  return {
    id: row.id,
    current: row.id === currentId,
    createdAt: toTime(row.created_at),
    lastSeenAt: toTime(row.last_seen_at),
    expiresAt: toTime(row.expires_at),
    userAgent: row.user_agent,
    ip: row.ip,
    lastIp: row.last_ip ?? row.ip,
    secondFactorAt: toTimeOrNull(row.second_factor_at),
  };
}
