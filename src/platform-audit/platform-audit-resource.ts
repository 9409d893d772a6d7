import { z } from 'zod';
import { timeSchema, toTime } from '../schemas/instant';
import type { PlatformAuditRow } from './platform-audit-list-store';

/** A record of the platform audit, which includes events that belong to no workspace. */
export const platformAuditSchema = z
  .object({
    id: z.string(),
    action: z.string().meta({ example: 'operator.logged_in' }),
    operator: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
    host: z.string().nullable().meta({ description: 'The host that received the webhook.' }),
    provider: z.string().nullable().meta({ description: 'The provider in the webhook’s path.' }),
    detail: z.record(z.string(), z.unknown()),
    ip: z.string().nullable(),
    count: z
      .int()
      .meta({ description: 'Number of occurrences: above 1 if a flood was counted in one record.' }),
    createdAt: timeSchema,
    lastAt: timeSchema,
  })
  .meta({ id: 'PlatformAuditRecord' });

export type PlatformAuditResource = z.output<typeof platformAuditSchema>;

export function toPlatformAuditResource(row: PlatformAuditRow): PlatformAuditResource {
  const { id, action, host, provider, detail, ip } = row;
  const operator =
    row.operator_id === null
      ? null
      : { id: row.operator_id, name: row.operator_name ?? '', email: row.operator_email ?? '' };
  return {
    id,
    action,
    operator,
    host,
    provider,
    detail,
    ip,
    count: Number(row.count),
    createdAt: toTime(row.created_at),
    lastAt: toTime(row.last_at),
  };
}
