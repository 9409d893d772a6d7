import { z } from 'zod';
import { timeSchema, toTime } from '../schemas/instant';
import type { AuditRow } from './audit-list-store';

/** One action: who, what, when, from where. */
export const auditRecordSchema = z
  .object({
    id: z.string(),
    action: z.string().meta({ description: 'The action, for example `api_key.revoked`.' }),
    target: z.string().nullable().meta({ description: 'The id of its target.' }),
    detail: z.record(z.string(), z.unknown()),
    operator: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
    apiKey: z
      .object({ id: z.string(), name: z.string(), lastFour: z.string() })
      .nullable()
      .meta({ description: 'The secret key that performed the action.' }),
    reason: z.enum(['API_KEY', 'OPERATOR', 'CUSTOMER', 'SYSTEM']),
    environment: z
      .enum(['sandbox', 'production'])
      .nullable()
      .meta({ description: 'null for an action on the organization as a whole.' }),
    ip: z.string().nullable(),
    createdAt: timeSchema,
  })
  .meta({ id: 'AuditRecord' });

export type AuditRecordResource = z.output<typeof auditRecordSchema>;

export function toAuditRecordResource(row: AuditRow): AuditRecordResource {
  return {
    id: row.id,
    action: row.action,
    target: row.target,
    detail: row.detail,
    operator:
      row.operator_id === null
        ? null
        : { id: row.operator_id, name: row.operator_name ?? '', email: row.operator_email ?? '' },
    apiKey:
      row.api_key_id === null
        ? null
        : { id: row.api_key_id, name: row.api_key_name ?? '', lastFour: row.api_key_last_four ?? '' },
    reason: row.reason,
    environment: row.environment,
    ip: row.ip,
    createdAt: toTime(row.created_at),
  };
}
