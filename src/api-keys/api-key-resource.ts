import { z } from 'zod';
import type { Environment } from '../domain/environment';
import { EARLIER_SCOPES, KEY_SCOPES } from '../domain/key-scopes';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import { apiKeyPrefixes } from './api-key';
import type { ApiKeyRow } from './api-key-store';

/** An API key without its secret. */
export const apiKeySchema = z
  .object({
    id: z.string(),
    name: z.string(),
    prefix: z.string().meta({ example: 'svc_test_' }),
    lastFour: z.string().meta({ description: 'The key’s last four characters, to identify it.' }),
    scopes: z.array(z.enum(KEY_SCOPES)).meta({ description: 'The key’s scopes.' }),
    createdBy: z.object({ id: z.string(), name: z.string() }).nullable(),
    createdAt: timeSchema,
    lastUsedAt: timeSchema.nullable().meta({ description: 'Accurate to a minute or two.' }),
    expiresAt: timeSchema.nullable(),
    revokedAt: timeSchema.nullable(),
    rolledFrom: z.string().nullable().meta({ description: 'The id of the key that this one replaces.' }),
  })
  .meta({ id: 'ApiKey' });

/** A key as returned by its creation, the only time that `secret` is shown. */
export const createdApiKeySchema = apiKeySchema
  .extend({
    secret: z.string().meta({ description: 'The key itself. It is not stored and not shown again.' }),
  })
  .meta({ id: 'CreatedApiKey' });

export type ApiKeyResource = z.output<typeof apiKeySchema>;

export function toApiKeyResource(row: ApiKeyRow, environment: Environment): ApiKeyResource {
  return {
    id: row.id,
    name: row.name,
    prefix: apiKeyPrefixes[environment],
    lastFour: row.last_four,
    scopes: [...(row.scopes ?? EARLIER_SCOPES)],
    createdBy: row.created_by === null ? null : { id: row.created_by, name: row.created_by_name ?? '' },
    createdAt: toTime(row.created_at),
    lastUsedAt: toTimeOrNull(row.last_used_at),
    expiresAt: toTimeOrNull(row.expires_at),
    revokedAt: toTimeOrNull(row.revoked_at),
    rolledFrom: row.rolled_from,
  };
}
