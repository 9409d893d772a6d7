import { z } from 'zod';
import { planPriceSchema } from '../catalog/plan-price-resource';
import { listQuery } from '../schemas/list';
import { timeSchema, toTime, toTimeOrNull } from '../schemas/instant';
import { displayName, line } from '../schemas/text';
import { MAX_SETTINGS_CHARACTERS } from './connection-input';
import type { ConnectionRow } from './connection-store';
import { findPublicSecrets, withoutPublicSecrets } from './find-public-secrets';
import { maskedSecrets } from './masked-secrets';
import { PAYMENT_PROVIDERS } from '../domain/provider';

const provider = z.enum(PAYMENT_PROVIDERS);
const reference = line({ min: 1, max: 200 });
const planMap = z.record(reference, reference);

const settingsShape = {
  merchantId: reference.nullable().optional(),
  accountId: reference.nullable().optional(),
  planReferences: planMap
    .nullable()
    .optional()
    .meta({ description: 'Maps a plan’s id or slug to the provider’s reference.' }),
  planMappings: planMap.nullable().optional(),
};

const settingsInput = z
  .object(settingsShape)
  .catchall(line({ max: 500 }).nullable())
  .refine((value) => JSON.stringify(value).length <= MAX_SETTINGS_CHARACTERS, {
    error: `has more than ${MAX_SETTINGS_CHARACTERS} characters`,
    params: { fix: 'Send fewer or shorter settings.' },
  })
  .meta({
    description:
      'Public settings, visible to everyone who may read the connection. A null member is removed.',
  });

const VISIBLE = /^[\x21-\x7e]*$/;

const secretInput = z
  .string()
  .max(2_000)
  .refine((secret) => VISIBLE.test(secret), {
    error: 'has a space, or a character that is no part of a secret',
    params: { fix: 'Copy it from the provider again, without spaces or line breaks.' },
  })
  .meta({ pattern: VISIBLE.source });

const secretsInput = z.record(line({ min: 1, max: 64 }), secretInput).meta({
  description:
    'provider_a: `secretKey` and `webhookSecret` (up to 10, joined by commas, while one replaces another); provider_b: `clientId`, `clientSecret`, `webhookId` and `webhookSecret`; provider_c: `secretKey`. A secret that is omitted or empty keeps its stored value.',
});

export const createConnectionInput = z.strictObject({
  provider,
  displayName,
  settings: settingsInput.optional(),
  secrets: secretsInput.optional(),
});
export type CreateConnection = z.output<typeof createConnectionInput>;

export const updateConnectionInput = z.strictObject({
  displayName: displayName.optional(),
  settings: settingsInput
    .optional()
    .meta({ description: 'Members sent replace the stored ones; null removes one.' }),
  secrets: secretsInput.optional(),
  disabled: z.boolean().optional(),
});
export type UpdateConnection = z.output<typeof updateConnectionInput>;

export const listConnectionsQuery = listQuery.extend({ provider: provider.optional() });

/** A connection as the API shows it: for its secrets, only whether they exist. */
export const connectionSchema = z
  .object({
    id: z.string(),
    provider,
    displayName: z.string(),
    apiMode: z.enum(['sandbox', 'live']),
    settings: z.record(z.string(), z.unknown()),
    secrets: z.record(z.string(), z.string().nullable()).meta({
      description:
        '`••••` and, of a secret with at least 12 characters, the last four; null where none is stored.',
    }),
    secretVersion: z.int().meta({ description: 'Raised each time the secrets are encrypted.' }),
    webhookUrl: z.url().meta({ description: 'The webhook URL to register at the provider.' }),
    customerReturnUrl: z.string().meta({
      description:
        'The return URL for customers who pay for a past-due subscription at the provider, for example in its billing portal. Replace `{subscriptionId}`. The subscription is then checked at the provider at once.',
    }),
    createdAt: timeSchema,
    updatedAt: timeSchema,
    disabledAt: timeSchema.nullable(),
    testedAt: timeSchema.nullable().meta({ description: 'When it was last tested; real time.' }),
    failedChecks: z.array(z.string()).meta({ description: 'The checks that failed in that test.' }),
  })
  .meta({ id: 'ProviderConnection' });
/** The response to a change of a connection. */
export const changedConnectionSchema = connectionSchema
  .extend({
    planPrices: z.array(planPriceSchema).meta({
      description:
        'If settings or secrets were sent, or the connection was enabled: the price here and at the provider of each plan that it maps, the newest 100 at most. Empty if they could not be compared because the service was busy.',
    }),
  })
  .meta({ id: 'ChangedProviderConnection' });

export type ChangedConnection = z.output<typeof changedConnectionSchema>;

export type ConnectionResource = z.output<typeof connectionSchema>;

export const connectionTestSchema = z
  .object({
    ok: z.boolean(),
    checks: z.array(
      z.object({
        check: z.enum(['authentication', 'permissions', 'webhook', 'plan_references', 'plan_prices', 'mode']),
        ok: z.boolean(),
        message: z.string(),
      }),
    ),
    planPrices: z.array(planPriceSchema).meta({
      description:
        'The price here and at the provider of each plan that this connection sells, the newest 100 at most.',
    }),
  })
  .meta({ id: 'ConnectionTest' });
export type ConnectionTest = z.output<typeof connectionTestSchema>;

/** @param hostUrl the address of the environment's host */
export function toConnectionResource(
  row: ConnectionRow,
  hostUrl: string,
  workspaceId: string,
): ConnectionResource {
  return {
    id: row.id,
    provider: row.provider,
    displayName: row.display_name,
    apiMode: row.api_mode,
    // A row not migrated yet may hold secrets in its public settings; these must not be shown either.
    settings: withoutPublicSecrets(row.settings, findPublicSecrets(row.provider, row.settings)),
    secrets: maskedSecrets(row.provider, row.secret_hints),
    secretVersion: row.revision,
    webhookUrl: `${hostUrl}/v1/webhooks/${row.provider}?connection=${row.id}`,
    customerReturnUrl: `${hostUrl}/checkout/return/${workspaceId}/{subscriptionId}`,
    createdAt: toTime(row.created_at),
    updatedAt: toTime(row.updated_at),
    disabledAt: toTimeOrNull(row.disabled_at),
    testedAt: toTimeOrNull(row.tested_at),
    failedChecks: row.failed_checks,
  };
}
