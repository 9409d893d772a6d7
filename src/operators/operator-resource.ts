import { z } from 'zod';
import { timeSchema, toTime } from '../schemas/instant';
import type { SessionRow } from './session-store';

/** An operator as that operator sees it. */
export const operatorSchema = z
  .object({ id: z.string(), email: z.string(), name: z.string(), isPlatformAdministrator: z.boolean() })
  .meta({ id: 'Operator' });

/** A session that can still be used; the cookie's value is not part of it. */
export const sessionSchema = z
  .object({
    id: z.string(),
    current: z.boolean().meta({ description: 'Whether this request came with it.' }),
    createdAt: timeSchema,
    lastSeenAt: timeSchema.meta({ description: 'Exact to a minute.' }),
    expiresAt: timeSchema.meta({ description: 'It ends then, or after 12 hours without use.' }),
    userAgent: z.string().nullable(),
    ip: z.string().nullable(),
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
  };
}
