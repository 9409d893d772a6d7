import { z } from 'zod';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import type { GrantRow } from './access-review-store';

const ADVICE: Record<GrantRow['kind'], string> = {
  api_key:
    'It belongs to the organization and keeps working. Its creator may still know it. Create another key, and revoke this one with POST /api/api-keys/{id}/revoke.',
  provider_connection:
    'It belongs to the organization and keeps working. The person who entered its secrets may still know them. Replace them at the provider, and enter the new ones with PATCH /api/provider-connections/{id}.',
  webhook_endpoint:
    'It belongs to the organization and keeps receiving its messages. Check who owns its address; this person may still know its secret. Submit a new address, or the same one to confirm it, with PATCH /api/webhook-endpoints/{id}, and roll the secret with POST /api/webhook-endpoints/{id}/roll, or delete it.',
  member:
    'They joined by this person’s invitation. Keep them, change their role, or take them out: DELETE /api/organizations/{id}/members/{operatorId}.',
};

/** An access that outlives the membership of the person who made it, with advice on what to do about it. */
export const accessGrantSchema = z
  .object({
    kind: z.enum(['api_key', 'provider_connection', 'webhook_endpoint', 'member']),
    environment: z
      .enum(['sandbox', 'production'])
      .nullable()
      .meta({ description: 'Null for a member: members belong to both environments.' }),
    id: z.string(),
    name: z.string(),
    madeBy: z.string().meta({
      description:
        'The id of the operator who created it, entered its secrets or its address, or invited the member.',
    }),
    madeByName: z.string().meta({ description: 'That operator’s name.' }),
    parts: z.array(z.string()).nullable().meta({
      description:
        'What that operator chose or knows, and nobody else has replaced since: `address` and `secret` of a webhook endpoint, the names of a connection’s secrets. Null for keys and members.',
    }),
    madeAt: timeSchema,
    lastUsedAt: timeSchema.nullable().meta({ description: 'For an API key; accurate to a minute or two.' }),
    advice: z.string().meta({ description: 'What to decide, and how.' }),
  })
  .meta({ id: 'AccessGrant' });

export type AccessGrant = z.output<typeof accessGrantSchema>;

export function toAccessGrant(row: GrantRow): AccessGrant {
  return {
    kind: row.kind,
    environment: row.environment,
    id: row.id,
    name: row.name,
    madeBy: row.operatorId,
    madeByName: row.operatorName,
    parts: row.parts,
    madeAt: toTime(row.at),
    lastUsedAt: toTimeOrNull(row.lastUsedAt),
    advice: ADVICE[row.kind],
  };
}
